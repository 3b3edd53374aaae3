"""The game repository: games are loaded as they were stored, and each revision is written once, on both databases."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
import functools
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from cairn.server.errors import ConnectionLostError, OutcomeUnknownError, RevisionTakenError, StorageError
from cairn.server.game.events import ClockPaused, Event, GameEnded, TokenPlayed, TokensUndone, TurnConfirmed
from cairn.server.game.log import GameProjection
from cairn.server.storage.engines import group_commit, sqlite
from cairn.server.storage.engines.append import Append, append_batch
from cairn.server.storage.engines.database import Database
from cairn.server.storage.engines.sqlite import Sqlite
from cairn.server.storage.engines.sqlite_append import append_batch_fast
from cairn.server.storage.games.listing import GameQuery
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.tables import events, standings
from harness.server.client import START
from tests.server.test_database import HEAD, NOW, standing

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def opened(place: Path | str) -> AsyncIterator[tuple[Database, GameRepository]]:
    database = await Database.open(place)
    try:
        yield database, GameRepository(database)
    finally:
        await database.close()


async def test_a_stored_game_is_loaded_unchanged(place: Path | str) -> None:
    log: list[Event] = [TokenPlayed("a1-a2", hold=True), TurnConfirmed(), TokensUndone(1), GameEnded(None, "agreement")]
    async with opened(place) as (_, games):
        await games.create(HEAD, log[:1], standing(1))
        await games.append("game", 2, log[1:], standing(4))
    async with opened(place) as (_, games):
        stored = await games.load("game")
        assert stored is not None
        assert stored.header == HEAD
        assert stored.log.events == tuple(log)
        assert (stored.changed, stored.deleted) == (NOW, False)
        assert await games.load("other") is None


@pytest.mark.parametrize("revision", [0, 1, 2, 4, 99])
async def test_only_the_next_revision_is_accepted(place: Path | str, revision: int) -> None:
    async with opened(place) as (_, games):
        await games.create(HEAD, [TokenPlayed("a1-a2"), TokenPlayed("a5-b4")], standing(2))
        with pytest.raises(RevisionTakenError):
            await games.append("game", revision, [TokensUndone(1)], standing(revision))
        await games.append("game", 3, [TokensUndone(1)], standing(3))
        stored = await games.load("game")
        assert stored is not None
        assert len(stored.log.events) == 3


async def test_only_one_of_many_writes_of_a_revision_succeeds(place: Path | str) -> None:
    async with opened(place) as (_, games):
        await games.create(HEAD, [], standing(0))
        attempts = [games.append("game", 1, [TokenPlayed("a1-a2")], standing(1)) for _ in range(50)]
        results = await asyncio.gather(*attempts, return_exceptions=True)
        assert sorted(type(result).__name__ for result in results) == ["NoneType"] + ["RevisionTakenError"] * 49


async def test_an_unknown_game_cannot_be_continued(place: Path | str) -> None:
    async with opened(place) as (_, games):
        with pytest.raises(RevisionTakenError):
            await games.append("nobody", 1, [TokenPlayed("a1-a2")], standing(1))


async def test_the_seed_does_not_appear_in_lists_or_reprs(place: Path | str) -> None:
    async with opened(place) as (_, games):
        await games.create(HEAD, [], standing(0))
        (listed,), total = await games.find(GameQuery())
        assert total == 1
        assert "seed" not in {field.name for field in dataclasses.fields(listed)}
        assert "seed" not in repr(await games.load("game"))


@pytest.mark.slow
async def test_queued_appends_are_committed_together(place: Path | str) -> None:
    async with opened(place) as (database, games):
        for number in range(40):
            await games.create(dataclasses.replace(HEAD, id=f"game{number}"), [], standing(0))
        appends = [games.append(f"game{number}", 1, [TokenPlayed("a1-a2")], standing(1)) for number in range(40)]
        refused = [games.append(f"game{number}", 5, [TokenPlayed("a1-a2")], standing(5)) for number in range(3)]
        results = await asyncio.gather(
            *appends, *refused, games.append("none", 1, [], standing(0)), return_exceptions=True
        )
        assert results[:40] == [None] * 40
        assert [type(result) for result in results[40:]] == [RevisionTakenError] * 4
        counts = database.commits.counts
        assert (counts.appends, counts.refused, counts.failed) == (40, 4, 0)
        assert counts.commits <= 5
        for number in range(40):
            stored = await games.load(f"game{number}")
            assert stored is not None
            assert stored.log.events == (TokenPlayed("a1-a2"),)


async def test_consecutive_appends_to_a_game_share_a_commit(place: Path | str) -> None:
    async with opened(place) as (_, games):
        await games.create(HEAD, [], standing(0))
        await asyncio.gather(
            *(games.append("game", number, [TokenPlayed("a1-a2")], standing(number)) for number in range(1, 6))
        )
        assert await games.revisions(["game", "none"]) == {"game": 5}
        part = await games.load_after("game", 3)
        assert part.events == (TokenPlayed("a1-a2"),) * 2
        assert part.times == (NOW, NOW)


async def test_the_fast_path_of_sqlite_stores_the_same_rows_as_sqlalchemy(
    place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[Event] = [
        TokenPlayed("a1-a2", hold=True, lag=30, command="forest 1"),
        TokensUndone(1),
        GameEnded(None, "agreement", command='sea "ё"'),
    ]
    end = GameProjection(3, NOW, 2, START, None, "sea", "time", waits_for_computer=True, deadline=1_800_000_000_000)
    async with opened(place) as (database, games):
        rows, fast, append = [], list[int](), database.backend.append

        def counted(
            connection: sqlite3.Connection, batch: Sequence[Append], before_commit: Callable[[], object]
        ) -> list[bool]:
            fast.append(len(batch))
            return append_batch_fast(connection, batch, before_commit)

        async def through_sqlalchemy(batch: Sequence[Append], _unsure: bool) -> Sequence[bool]:
            return await append(batch, True)

        monkeypatch.setattr(sqlite, "append_batch_fast", counted)
        for game in ("game", "other"):
            await games.create(dataclasses.replace(HEAD, id=game), [], standing(0))
            await games.set_deleted(game, deleted=True)
            await games.append(game, 1, log[:1], standing(1))
            await games.append(game, 2, log[1:], end)
            monkeypatch.setattr(database.backend, "append", through_sqlalchemy)
            found = await database.read(functools.partial(rows_of, game=game))
            rows.append([[value if value != game else "game" for value in row] for each in found for row in each])
            assert await games.load(game)  # load() verifies the hash chain
        assert rows[0] == rows[1]
        assert len(rows[0]) == 4
        assert fast == ([1, 1] if isinstance(place, Path) else [])  # only SQLite has a fast path


def rows_of(connection: sa.Connection, game: str) -> list[Sequence[Sequence[object]]]:
    """Return the rows of a game, without the hashes, which depend on the game's id."""
    found: list[Sequence[Sequence[object]]] = []
    for table in (events, standings):
        columns = ", ".join(column.name for column in table.c if column.name != "hash")
        found.append(connection.exec_driver_sql(f"SELECT {columns} FROM {table.name} WHERE game = '{game}'").all())
    return found


async def test_a_failed_rollback_does_not_hide_the_error_or_break_later_appends(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as (database, games):
        await games.create(HEAD, [], standing(0))
        connection = writer_of(database)._connection
        assert connection is not None

        def stubborn(action: int, what: str | None, *_: object) -> int:
            refused = action == sqlite3.SQLITE_TRANSACTION and what == "ROLLBACK"
            return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK

        connection.set_authorizer(stubborn)
        bad = dataclasses.replace(standing(1), position=None)  # type: ignore[arg-type]
        with pytest.raises(sqlite3.IntegrityError):
            await games.append("game", 1, [TokenPlayed("a1-a2")], bad)
        assert connection.in_transaction
        connection.set_authorizer(None)
        await games.append("game", 1, [TokenPlayed("a1-a2")], standing(1))
        assert await games.revisions(["game"]) == {"game": 1}


async def test_a_cancelled_append_keeps_the_writer_locked_until_its_thread_is_done(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as (database, games):
        await games.create(HEAD, [], standing(0))
        engine = writer_of(database)
        with busy(engine):
            storing = asyncio.create_task(
                engine.append([Append("game", 1, [TokenPlayed("a1-a2")], standing(1))], False)
            )
            for _ in range(3):
                await asyncio.sleep(0.01)
                storing.cancel()
            await asyncio.sleep(0.01)
            assert (storing.done(), engine._writing.locked()) == (False, True)
        with pytest.raises(asyncio.CancelledError):
            await storing
        assert await games.revisions(["game"]) == {"game": 1}


async def test_connections_are_closed_after_the_last_append(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as (database, games):
        await games.create(HEAD, [], standing(0))
        engine = writer_of(database)
        with busy(engine):
            storing = asyncio.create_task(
                engine.append([Append("game", 1, [TokenPlayed("a1-a2")], standing(1))], False)
            )
            await asyncio.sleep(0.01)
            closing = asyncio.create_task(engine.close())
            await asyncio.sleep(0.1)
        assert await storing == [True]
        await closing


def writer_of(database: Database) -> Sqlite:
    assert isinstance(database.backend, Sqlite)
    return database.backend


@contextlib.contextmanager
def busy(engine: Sqlite) -> Iterator[None]:
    """Keep the writer thread busy."""
    done = threading.Event()
    engine._writes.submit(done.wait, 10)
    try:
        yield
    finally:
        done.set()


async def test_a_cancelled_write_is_finished_before_its_caller_continues(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as (database, games):
        with busy(writer_of(database)):
            creating = asyncio.create_task(games.create(HEAD, [TokenPlayed("a1-a2")], standing(1)))
            await asyncio.sleep(0.05)
            creating.cancel()
            await asyncio.sleep(0.05)
            assert not creating.done()
        with pytest.raises(asyncio.CancelledError):
            await creating
        game = await games.load("game")
        assert game is not None
        assert game.log.events == (TokenPlayed("a1-a2"),)
        await games.create(dataclasses.replace(HEAD, id="other"), [], standing(0))


async def test_calls_after_close_are_refused(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as (database, games):
        await games.create(HEAD, [], standing(0))
        with busy(writer_of(database)):
            running = asyncio.create_task(games.append("game", 1, [TokenPlayed("a1-a2")], standing(1)))
            await asyncio.sleep(0.05)
            waiting = asyncio.create_task(games.set_deleted("game", deleted=True))
            await asyncio.sleep(0.05)
            closing = asyncio.create_task(database.backend.close())
            await asyncio.sleep(0.05)
        await running
        await closing
        for late in (waiting, games.load("game"), games.append("game", 2, [TokenPlayed("a5-b4")], standing(2))):
            with pytest.raises(StorageError, match="is being shut down"):
                await late
    async with opened(tmp_path / "games.db") as (database, games):
        assert await games.revisions(["game"]) == {"game": 1}


async def test_an_append_that_cannot_be_stored_does_not_affect_others(place: Path | str) -> None:
    async with opened(place) as (_, games):
        heads = [dataclasses.replace(HEAD, id=f"game{number}") for number in range(5)]
        for head in heads:
            await games.create(head, [], standing(0))
        bad = dataclasses.replace(standing(1), position=None)  # type: ignore[arg-type]
        appends = [
            games.append(head.id, 1, [TokenPlayed("a1-a2")], bad if head.id == "game2" else standing(1))
            for head in heads
        ]
        results = await asyncio.gather(*appends, return_exceptions=True)
        assert [result is None for result in results] == [True, True, False, True, True]
        assert (await games.revisions([head.id for head in heads]))["game2"] == 0


async def test_a_cancelled_append_does_not_affect_others(place: Path | str) -> None:
    async with opened(place) as (_, games):
        await games.create(HEAD, [], standing(0))
        await games.create(dataclasses.replace(HEAD, id="other"), [], standing(0))
        impatient = asyncio.create_task(games.append("game", 1, [TokenPlayed("a1-a2")], standing(1)))
        patient = asyncio.create_task(games.append("other", 1, [TokenPlayed("a1-a2")], standing(1)))
        await asyncio.sleep(0)
        impatient.cancel()
        await patient
        with pytest.raises(asyncio.CancelledError):
            await impatient


async def test_games_that_wait_for_the_computer_are_found(place: Path | str) -> None:
    async with opened(place) as (_, games):
        waits = dataclasses.replace(standing(0), waits_for_computer=True)
        await games.create(HEAD, [], waits)
        await games.create(dataclasses.replace(HEAD, id="other"), [], standing(0))
        assert await games.waiting_for_computer() == ["game"]
        assert await games.waiting_for_computer(NOW) == []
        assert await games.set_deleted("game", deleted=True)
        assert await games.waiting_for_computer() == []


@pytest.mark.parametrize("word", ["ann", "level 3", "an\0n", "%", "ANN", "\0"])
async def test_a_search_ignores_case_and_nul_and_does_not_support_wildcards(place: Path | str, word: str) -> None:
    async with opened(place) as (_, games):
        await games.create(HEAD, [], standing(0))
        _, total = await games.find(GameQuery(search=word))
        assert total == (word != "%")


async def test_no_game_is_found_for_unusual_ids(place: Path | str) -> None:
    async with opened(place) as (_, games):
        for name in ("nobody", "'", "ä" * 500):
            assert await games.load(name) is None
            assert await games.set_deleted(name, deleted=True) is False


@pytest.mark.parametrize("stored", [True, False])
async def test_the_database_is_checked_after_a_commit_with_an_unknown_outcome(
    place: Path | str, stored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is lost during the commit, before or after the database has stored the data."""
    async with opened(place) as (database, games):
        heads = [dataclasses.replace(HEAD, id=f"game{number}") for number in range(3)]
        for head in heads:
            await games.create(head, [], standing(0))
        append, breaks = database.backend.append, 2

        async def breaking(batch: Sequence[Append], unsure: bool) -> Sequence[bool]:
            nonlocal breaks
            if not breaks:
                return await append(batch, unsure)
            breaks -= 1

            def rolled_back(connection: sa.Connection) -> None:
                append_batch(connection, batch, unsure)
                raise OutcomeUnknownError

            if stored:
                await append(batch, unsure)
            else:
                await database.write(rolled_back)
            raise OutcomeUnknownError

        monkeypatch.setattr(database.backend, "append", breaking)
        appends = [games.append(head.id, 1, [TokenPlayed("a1-a2")], standing(1)) for head in heads]
        late = games.append("game0", 1, [TokenPlayed("a5-b4")], standing(1))
        results = await asyncio.gather(*appends, late, return_exceptions=True)
        assert results[:3] == [None] * 3
        assert isinstance(results[3], RevisionTakenError)
        assert breaks == 0
        for head in heads:
            game = await games.load(head.id)
            assert game is not None
            assert game.log.events == (TokenPlayed("a1-a2"),)


def clock(*times: float) -> Callable[[], float]:
    """Return a clock that shows these times, one after another."""
    return map(float, times).__next__


async def test_events_that_had_to_wait_are_stored_with_a_pause(place: Path | str) -> None:
    """The batch also contains an append that did not wait, and one for a game without a running clock."""
    deadline = 10_000_000_000_000
    async with opened(place) as (_, games):
        heads = [dataclasses.replace(HEAD, id=f"game{number}") for number in range(3)]
        for head in heads:
            await games.create(head, [], standing(0))
        running = dataclasses.replace(standing(1), deadline=deadline)
        prompt, late, no_clock = await asyncio.gather(
            games.append("game0", 1, [TokenPlayed("a1-a2")], running, clock(0, 0.9)),
            games.append("game1", 1, [TokenPlayed("a1-a2")], running, clock(0, 3)),
            games.append("game2", 1, [TokenPlayed("a1-a2")], standing(1), clock(0, 3)),
        )
        assert (prompt, no_clock) == (None, None)
        assert late is not None
        assert late.event == ClockPaused(3_000)
        assert (late.projection.revision, late.projection.deadline) == (2, deadline + 3_000)
        stored = await games.load("game1")
        assert stored is not None
        assert stored.log.events == (TokenPlayed("a1-a2"), ClockPaused(3_000))
        assert stored.log.times == (NOW, NOW + datetime.timedelta(seconds=3))
        assert stored.changed == NOW + datetime.timedelta(seconds=3)
        assert sorted(await games.deadlines()) == [("game0", deadline), ("game1", deadline + 3_000)]
        assert await games.revisions([head.id for head in heads]) == {"game0": 1, "game1": 2, "game2": 1}
        await games.append("game1", 3, [TokenPlayed("a5-b4")], standing(3))


async def test_a_pause_is_found_after_a_commit_with_an_unknown_outcome(
    place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database has stored the first attempt, after a wait. The second attempt comes even later."""
    async with opened(place) as (database, games):
        await games.create(HEAD, [], standing(0))
        append = database.backend.append

        async def breaking(batch: Sequence[Append], unsure: bool) -> Sequence[bool]:
            stored = await append(batch, unsure)
            if not unsure:
                raise OutcomeUnknownError
            return stored

        monkeypatch.setattr(database.backend, "append", breaking)
        running = dataclasses.replace(standing(1), deadline=10_000_000_000_000)
        late = await games.append("game", 1, [TokenPlayed("a1-a2")], running, clock(0, 2, 9))
        assert late is not None
        assert late.event == ClockPaused(2_000)
        stored = await games.load("game")
        assert stored is not None
        assert stored.log.events == (TokenPlayed("a1-a2"), ClockPaused(2_000))
        assert stored.changed == late.projection.changed


async def test_nothing_is_acknowledged_while_the_database_is_down(
    place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(place) as (database, games):
        await games.create(HEAD, [], standing(0))

        async def away(*_: object) -> Sequence[bool]:
            raise ConnectionLostError("The database is not responding.")

        monkeypatch.setattr(group_commit, "PATIENCE_SECONDS", 0.1)
        monkeypatch.setattr(database.backend, "append", away)
        with pytest.raises(ConnectionLostError):
            await games.append("game", 1, [TokenPlayed("a1-a2")], standing(1))
        monkeypatch.undo()
        assert await games.revisions(["game"]) == {"game": 0}
        await games.append("game", 1, [TokenPlayed("a1-a2")], standing(1))


async def test_games_without_a_token_are_left_out_except_the_newest(place: Path | str) -> None:
    async with opened(place) as (_, games):
        heads = {name: dataclasses.replace(HEAD, id=name) for name in ("empty", "played", "newer", "newest")}
        heads["custom"] = dataclasses.replace(HEAD, id="custom", variant=None)
        for minute, name in enumerate(("empty", "custom", "played", "newer", "newest")):
            revision = 1 if name == "played" else 0
            at = dataclasses.replace(standing(revision), changed=NOW + datetime.timedelta(minutes=minute))
            await games.create(heads[name], [TokenPlayed("a1-a2")] * revision, at)
        listed, total = await games.find(GameQuery(begun=True))
        assert ([game.id for game in listed], total) == (["newest", "played", "custom"], 3)
        assert await games.set_deleted("newest", deleted=True)
        listed, total = await games.find(GameQuery(begun=True, limit=1))
        assert ([game.id for game in listed], total) == (["newer"], 3)
        _, total = await games.find(GameQuery())
        assert total == 4
