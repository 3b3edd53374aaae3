"""Clocks do not run during a slow commit, and the clock of a new game starts when the game is stored."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from collections.abc import AsyncIterator

import asyncpg
import pytest

from cairn.server.game.chance import SecretChance
from cairn.server.game.clocks import milliseconds
from cairn.server.game.events import ClockPaused, LinkRevealed
from cairn.server.game.state import GameState
from cairn.server.live.authority import Authority
from cairn.server.live.server_time import utc_now
from cairn.server.settings import Settings
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.presence import SHORTEST_DOWNTIME, Downtime
from cairn.vocabulary import Tribe
from harness.server.postgresql import PostgresServer
from harness.server.processes import listening
from harness.server.visitors import application, begun, begun_sealed, table, two
from tests.server.places import settings_at

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

BLITZ = {"kind": "real-time", "initial": 60_000, "increment": 0}
SLOW_SECONDS = 6.0
MOST_LOST = 3_000
"""The most time that a clock may lose in these tests, in milliseconds. A slow commit takes much longer."""
BEFORE_THE_TRANSACTION = "SELECT * FROM standings FOR UPDATE"
"""Makes an append wait at the beginning of its transaction, before it notes the time."""
IN_THE_TRANSACTION = "LOCK TABLE events IN EXCLUSIVE MODE"
"""Makes an append wait at the end of its transaction, as a slow disk would."""
REFUSE_SEPARATE_PAUSES = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NOT EXISTS (SELECT FROM events WHERE game = NEW.game AND revision = NEW.revision - 1
                   AND xmin = pg_current_xact_id()::xid) THEN
        RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER refuse BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.kind = 'pause') EXECUTE FUNCTION refuse();
"""
"""Reports a full disk if a pause is stored in its own transaction, but not if it is stored with a decision."""


@contextlib.asynccontextmanager
async def locked(address: str, statement: str) -> AsyncIterator[asyncio.Task[None]]:
    """Execute a statement that takes a lock. The yielded task releases the lock after ``SLOW_SECONDS``."""
    connection = await asyncpg.connect(address)
    transaction = connection.transaction()
    await transaction.start()
    await connection.execute(statement)

    async def release() -> None:
        await asyncio.sleep(SLOW_SECONDS)
        await transaction.rollback()

    releasing = asyncio.create_task(release())
    try:
        yield releasing
    finally:
        await releasing
        await connection.close()


async def test_the_opponent_does_not_pay_for_a_slow_commit(settings: Settings, postgres: PostgresServer) -> None:
    address = postgres.new_database()
    async with table(settings_at(settings, address)) as url, two(url) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            async with locked(address, IN_THE_TRANSACTION) as releasing:
                while forest.game["now"]["decider"] == "forest":
                    await forest.play()
                assert releasing.done()
            await sea.until(forest.game["revision"] + 1)  # the event that pauses the clocks
            assert sea.game["now"]["clock"]["sea"] > 60_000 - MOST_LOST
            assert sea.game["now"]["clock"]["forest"] > 60_000 - MOST_LOST


async def test_the_pause_is_stored_with_the_decision(settings: Settings, postgres: PostgresServer) -> None:
    """Even if the process cannot store anything else, the clock starts late in another process that loads the game."""
    address = postgres.new_database()
    async with table(settings_at(settings, address)) as url, two(url) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        connection = await asyncpg.connect(address)
        await connection.execute(REFUSE_SEPARATE_PAUSES)
        await connection.close()
        async with ann.socket(game["id"]) as forest:
            while forest.game["now"]["decider"] == "forest":
                async with locked(address, BEFORE_THE_TRANSACTION):
                    await forest.play()
        other = await Database.open(address)
        stored = await GameRepository(other).load(game["id"])
        await other.close()
    assert stored is not None
    assert isinstance(stored.log.events[-1], ClockPaused)
    clock = GameState.replay(stored).clock
    assert clock is not None
    assert (clock.running, clock.sea, clock.since) == (Tribe.SEA, 60_000, milliseconds(stored.log.times[-1]))


async def test_nobody_pays_for_a_slow_pause(settings: Settings, postgres: PostgresServer) -> None:
    address = postgres.new_database()
    async with (
        application(settings_at(settings, address)) as app,
        listening(app) as url,
        two(url) as (ann, ben),
    ):
        game = await begun(ann, ben, clock=BLITZ)
        authority: Authority = app.state.services.authority
        began = datetime.datetime.fromisoformat(game["created"])
        authority.know_downtimes([Downtime(began, began + datetime.timedelta(seconds=1))])
        async with locked(address, BEFORE_THE_TRANSACTION) as releasing:
            await authority.check_clock(game["id"])  # stores the pause
            assert releasing.done()
        assert (await ann.view(game))["now"]["clock"]["forest"] > 60_000 - MOST_LOST


async def test_an_earlier_pause_does_not_make_up_for_a_slow_link(settings: Settings, postgres: PostgresServer) -> None:
    address = postgres.new_database()
    async with table(settings_at(settings, address)) as url, two(url) as (ann, ben):
        game, links = await begun_sealed(ann, ben, clock=BLITZ)
        async with ann.socket(game["id"]) as forest:
            async with locked(address, IN_THE_TRANSACTION):
                await forest.send("offer", what="draw", revision=forest.game["revision"])
            await forest.until(game["revision"] + 2)  # the offer and the pause for it
            link = links["forest"].due(forest.game)
            async with locked(address, IN_THE_TRANSACTION):
                await forest.send("reveal", revision=forest.game["revision"], link=link)
            await forest.until(game["revision"] + 4)  # the link and the pause for it
            assert forest.game["now"]["clock"]["running"] == "sea"
            assert forest.game["now"]["clock"]["sea"] > 60_000 - MOST_LOST


async def test_a_process_that_learns_of_a_link_late_pauses_the_clock(
    settings: Settings, postgres: PostgresServer
) -> None:
    address = postgres.new_database()
    async with table(settings_at(settings, address)) as url, two(url) as (ann, ben):
        game, links = await begun_sealed(ann, ben, clock=BLITZ)
        async with ben.socket(game["id"]) as sea:
            other = await Database.open(address)  # acts as another process with a slow transaction
            games = GameRepository(other)
            stored = await games.load(game["id"])
            assert stored is not None
            state, decided = GameState.replay(stored), utc_now() - datetime.timedelta(seconds=SLOW_SECONDS)
            link = links["forest"].due(sea.game | {"you": ["forest"]})
            assert link is not None
            events = state.reveal(LinkRevealed("forest", link), SecretChance(), decided)
            await games.append(game["id"], state.revision + 1, events, state.projection(len(events), decided))
            await other.close()
            await sea.until(game["revision"] + 2)  # the link and the pause for it
            assert sea.game["now"]["clock"]["running"] == "sea"
            assert sea.game["now"]["clock"]["sea"] > 60_000 - MOST_LOST


async def test_a_new_game_starts_with_a_full_clock(settings: Settings, postgres: PostgresServer) -> None:
    address = postgres.new_database()
    async with table(settings_at(settings, address)) as url, two(url) as (ann, ben):
        await begun(ann, ben, clock=BLITZ)  # heartbeats begin with the first clock
        made = await ann.challenge(tribe="forest", first="forest", clock=BLITZ)
        # The time of this process stands still because its heartbeat cannot be stored. Another process is alive.
        async with (
            locked(address, "SELECT * FROM heartbeats FOR UPDATE"),
            table(settings_at(settings, address)) as other_url,
            two(other_url) as others,
        ):
            await begun(*others, clock=BLITZ)
            await asyncio.sleep(4 * SHORTEST_DOWNTIME.total_seconds())
            game = (await ben.accept(made["invite"]))["game"]
            left = (await others[0].get(f"/games/{game['id']}"))["now"]["clock"]["forest"]
        assert left > 60_000 - MOST_LOST
