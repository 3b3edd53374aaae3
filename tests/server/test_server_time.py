"""Game clocks do not change when somebody sets the system clock."""

from __future__ import annotations

import dataclasses
import datetime
from pathlib import Path

import pytest

from cairn.server.live.server_time import ProcessClock, ServerTime, utc_now
from cairn.server.settings import Settings
from harness.server.postgresql import PostgresServer
from harness.server.processes import listening
from harness.server.visitors import application, begun, table, two
from tests.server.places import settings_at

pytestmark = pytest.mark.anyio

HOUR = datetime.timedelta(hours=1)
CLOCK = {"kind": "real-time", "initial": 600_000, "increment": 0}


class Wall:
    """A wall clock that can be set."""

    def __init__(self) -> None:
        self.offset = datetime.timedelta()

    def __call__(self) -> datetime.datetime:
        return utc_now() + self.offset


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
async def test_setting_the_system_clock_does_not_change_game_clocks(
    settings: Settings, jump: datetime.timedelta
) -> None:
    wall = Wall()
    async with table(settings, now=ProcessClock(wall)) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=CLOCK)
        wall.offset = jump
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]):
            answer = await forest.play()
            assert answer["type"] == "done"
            clock = forest.game["now"]["clock"]
            assert clock["at"] - game["now"]["clock"]["at"] < 60_000
            assert 540_000 < clock["forest"] < 600_000  # only the elapsed time is charged


def test_setting_the_system_clock_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    began, elapsed, offset = utc_now(), 0.0, datetime.timedelta()
    clock = ProcessClock(lambda: began + offset + datetime.timedelta(seconds=elapsed), lambda: elapsed)
    elapsed = 11.0
    clock()
    assert "system clock" not in caplog.text
    offset = HOUR
    for elapsed in (22.0, 33.0):
        assert clock() == began + datetime.timedelta(seconds=elapsed)
    assert caplog.text.count("the system clock was changed") == 1


async def test_time_never_goes_back_after_a_restart(settings: Settings, place: Path | str) -> None:
    here = dataclasses.replace(settings_at(settings, place), public=True)
    wall = Wall()
    wall.offset = HOUR
    async with application(here, now=ProcessClock(wall)) as app:
        before = app.state.services.authority.clock_time()
    wall.offset = datetime.timedelta()
    async with application(here, now=ProcessClock(wall)) as app:
        assert 0 <= app.state.services.authority.clock_time() - before < 60_000


async def test_a_new_process_takes_its_time_from_the_running_processes(
    settings: Settings, postgres: PostgresServer
) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), public=True)
    wall = Wall()
    async with application(shared, now=ProcessClock(wall)) as one, listening(one) as address:
        wall.offset = HOUR
        async with application(shared, now=ProcessClock(wall)) as other, two(address) as (ann, ben):
            here, there = (each.state.services.authority for each in (one, other))
            assert abs(there.clock_time() - here.clock_time()) < 2_000
            game = await begun(ann, ben, clock=CLOCK)
            view = await ann.view(game)
            assert view["revision"] == 0, "downtime was recorded while a process was running"


def test_time_freezes_while_no_heartbeat_is_stored() -> None:
    began, elapsed = utc_now(), 0.0
    time = ServerTime(lambda: began + datetime.timedelta(seconds=elapsed), freezes=True)
    time.heartbeat_stored()
    elapsed = 0.5
    assert time() == began + datetime.timedelta(seconds=0.5)
    elapsed = 5.0
    assert time() == began
    assert time.running() == began + datetime.timedelta(seconds=5)
