"""Storage, over every database that it can use: what is stored is loaded, and one revision is won by one."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.server.helpers import START
from tests.server.test_database import HEAD, NOW, standing

from cairn.server.errors import ConnectionLostError, OutcomeUnknownError, RevisionTakenError, StorageError
from cairn.server.game.events import Event, GameEnded, TokenPlayed, TokensUndone, TurnConfirmed
from cairn.server.game.log import GameProjection
from cairn.server.storage.engines import group_commit as commits
from cairn.server.storage.engines.backend import Value, Work
from cairn.server.storage.engines.database import Database, GameQuery
from cairn.server.storage.engines.group_commit import Append
from cairn.server.storage.engines.sqlite import Sqlite

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def opened(place: Path | str) -> AsyncIterator[Database]:
    database = await Database.open(place)
    try:
        yield database
    finally:
        await database.close()


async def test_what_is_stored_is_loaded(place: Path | str) -> None:
    log: list[Event] = [TokenPlayed("a1-a2", hold=True), TurnConfirmed(), TokensUndone(1), GameEnded(None, "agreement")]
    async with opened(place) as database:
        await database.create(HEAD, log[:1], standing(1))
        await database.append("game", 2, log[1:], standing(4))
    async with opened(place) as database:
        stored = await database.load("game")
        assert stored is not None
        assert stored.head == HEAD
        assert stored.events == tuple(log)
        assert (stored.changed, stored.deleted) == (NOW, False)
        assert await database.load("other") is None


@pytest.mark.parametrize("revision", [0, 1, 2, 4, 99])
async def test_only_the_next_revision_is_taken(place: Path | str, revision: int) -> None:
    async with opened(place) as database:
        await database.create(HEAD, [TokenPlayed("a1-a2"), TokenPlayed("a5-b4")], standing(2))
        with pytest.raises(RevisionTakenError):
            await database.append("game", revision, [TokensUndone(1)], standing(revision))
        await database.append("game", 3, [TokensUndone(1)], standing(3))
        stored = await database.load("game")
        assert stored is not None
        assert len(stored.events) == 3


async def test_of_many_writers_one_wins(place: Path | str) -> None:
    async with opened(place) as database:
        await database.create(HEAD, [], standing(0))
        attempts = [database.append("game", 1, [TokenPlayed("a1-a2")], standing(1)) for _ in range(50)]
        results = await asyncio.gather(*attempts, return_exceptions=True)
        assert sorted(type(result).__name__ for result in results) == ["NoneType"] + ["RevisionTakenError"] * 49


async def test_an_unknown_game_cannot_be_continued(place: Path | str) -> None:
    async with opened(place) as database:
        with pytest.raises(RevisionTakenError):
            await database.append("nobody", 1, [TokenPlayed("a1-a2")], standing(1))


async def test_a_secret_is_in_no_list_and_no_repr(place: Path | str) -> None:
    async with opened(place) as database:
        await database.create(HEAD, [], standing(0))
        (listed,), total = await database.list_games(GameQuery())
        assert total == 1
        assert "seed" not in {field.name for field in dataclasses.fields(listed)}
        assert "seed" not in repr(await database.load("game"))


async def test_appends_that_wait_together_are_committed_together(place: Path | str) -> None:
    async with opened(place) as database:
        for number in range(40):
            await database.create(dataclasses.replace(HEAD, id=f"game{number}"), [], standing(0))
        wishes = [database.append(f"game{number}", 1, [TokenPlayed("a1-a2")], standing(1)) for number in range(40)]
        refused = [database.append(f"game{number}", 5, [TokenPlayed("a1-a2")], standing(5)) for number in range(3)]
        results = await asyncio.gather(
            *wishes, *refused, database.append("none", 1, [], standing(0)), return_exceptions=True
        )
        assert results[:40] == [None] * 40
        assert [type(result) for result in results[40:]] == [RevisionTakenError] * 4
        counts = database.commits.counts
        assert (counts.appends, counts.refused, counts.failed) == (40, 4, 0)
        assert counts.commits <= 5
        for number in range(40):
            stored = await database.load(f"game{number}")
            assert stored is not None
            assert stored.events == (TokenPlayed("a1-a2"),)


async def test_two_that_continue_each_other_in_one_commit(place: Path | str) -> None:
    async with opened(place) as database:
        await database.create(HEAD, [], standing(0))
        await asyncio.gather(
            *(database.append("game", number, [TokenPlayed("a1-a2")], standing(number)) for number in range(1, 6))
        )
        assert await database.revisions(["game", "none"]) == {"game": 5}
        part = await database.load_after("game", 3)
        assert part.events == (TokenPlayed("a1-a2"),) * 2
        assert part.times == (NOW, NOW)


async def test_both_ways_store_the_same(place: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way of a database, if it has one, and the long one by transactions."""
    log: list[Event] = [
        TokenPlayed("a1-a2", hold=True, lag=30, command="forest 1"),
        TokensUndone(1),
        GameEnded(None, "agreement", command='sea "ё"'),
    ]
    end = GameProjection(3, NOW, 2, START, None, "sea", "time", waits_for_computer=True, deadline=1_800_000_000_000)
    async with opened(place) as database:
        rows, ways, append = [], [], database.backend.append

        async def watched(batch: Sequence[Append]) -> list[bool] | None:
            ways.append(await append(batch))
            return ways[-1]

        monkeypatch.setattr(database.backend, "append", watched)
        for game in ("game", "other"):
            await database.create(dataclasses.replace(HEAD, id=game), [], standing(0))
            await database.set_deleted(game, deleted=True)
            await database.append(game, 1, log[:1], standing(1))
            await database.append(game, 2, log[1:], end)
            monkeypatch.setattr(database.backend, "append", no_short_way)
            found = await database.read(functools.partial(rows_of, game=game))
            rows.append([[value if value != game else "game" for value in row] for each in found for row in each])
        assert rows[0] == rows[1]
        assert len(rows[0]) == 4
        assert ways == ([[True], [True]] if isinstance(place, Path) else [None, None]), "SQLite has a short way"


def rows_of(connection: sa.Connection, game: str) -> list[Sequence[Sequence[object]]]:
    tables = ("events", "standings")
    return [connection.exec_driver_sql(f"SELECT * FROM {table} WHERE game = '{game}'").all() for table in tables]


async def test_a_rollback_that_fails_hides_nothing_and_harms_nobody_after_it(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as database:
        await database.create(HEAD, [], standing(0))
        connection = writer_of(database)._connection
        assert connection is not None

        def stubborn(action: int, what: str | None, *_: object) -> int:
            refused = action == sqlite3.SQLITE_TRANSACTION and what == "ROLLBACK"
            return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK

        connection.set_authorizer(stubborn)
        bad = dataclasses.replace(standing(1), position=None)  # type: ignore[arg-type]
        with pytest.raises(sqlite3.IntegrityError):
            await database.append("game", 1, [TokenPlayed("a1-a2")], bad)
        assert connection.in_transaction
        connection.set_authorizer(None)
        await database.append("game", 1, [TokenPlayed("a1-a2")], standing(1))
        assert await database.revisions(["game"]) == {"game": 1}


async def test_nobody_else_writes_while_the_thread_does_however_often_its_waiter_is_cancelled(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as database:
        await database.create(HEAD, [], standing(0))
        sqlite = writer_of(database)
        with busy(sqlite):
            storing = asyncio.create_task(sqlite.append([Append("game", 1, [TokenPlayed("a1-a2")], standing(1))]))
            for _ in range(3):
                await asyncio.sleep(0.01)
                storing.cancel()
            await asyncio.sleep(0.01)
            assert (storing.done(), sqlite._writing.locked()) == (False, True)
        with pytest.raises(asyncio.CancelledError):
            await storing
        assert await database.revisions(["game"]) == {"game": 1}


async def test_connections_are_closed_after_the_last_append(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as database:
        await database.create(HEAD, [], standing(0))
        sqlite = writer_of(database)
        with busy(sqlite):
            storing = asyncio.create_task(sqlite.append([Append("game", 1, [TokenPlayed("a1-a2")], standing(1))]))
            await asyncio.sleep(0.01)
            closing = asyncio.create_task(sqlite.close())
            await asyncio.sleep(0.1)
        assert await storing == [True]
        await closing


def writer_of(database: Database) -> Sqlite:
    assert isinstance(database.backend, Sqlite)
    return database.backend


@contextlib.contextmanager
def busy(sqlite: Sqlite) -> Iterator[None]:
    """The thread that writes has something else to do meanwhile."""
    done = threading.Event()
    sqlite._writes.submit(done.wait, 10)
    try:
        yield
    finally:
        done.set()


async def test_a_cancelled_write_is_whole_when_its_waiter_leaves(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as database:
        with busy(writer_of(database)):
            creating = asyncio.create_task(database.create(HEAD, [TokenPlayed("a1-a2")], standing(1)))
            await asyncio.sleep(0.05)
            creating.cancel()
            await asyncio.sleep(0.05)
            assert not creating.done()
        with pytest.raises(asyncio.CancelledError):
            await creating
        game = await database.load("game")
        assert game is not None
        assert game.events == (TokenPlayed("a1-a2"),)
        await database.create(dataclasses.replace(HEAD, id="other"), [], standing(0))


async def test_who_comes_after_the_end_hears_so(tmp_path: Path) -> None:
    async with opened(tmp_path / "games.db") as database:
        await database.create(HEAD, [], standing(0))
        with busy(writer_of(database)):
            running = asyncio.create_task(database.append("game", 1, [TokenPlayed("a1-a2")], standing(1)))
            await asyncio.sleep(0.05)
            waiting = asyncio.create_task(database.set_deleted("game", deleted=True))
            await asyncio.sleep(0.05)
            closing = asyncio.create_task(database.backend.close())
            await asyncio.sleep(0.05)
        await running
        await closing
        for late in (waiting, database.load("game"), database.append("game", 2, [TokenPlayed("a5-b4")], standing(2))):
            with pytest.raises(StorageError, match="is being shut down"):
                await late
    async with opened(tmp_path / "games.db") as database:
        assert await database.revisions(["game"]) == {"game": 1}


async def test_one_that_cannot_be_stored_harms_no_other(place: Path | str) -> None:
    async with opened(place) as database:
        heads = [dataclasses.replace(HEAD, id=f"game{number}") for number in range(5)]
        for head in heads:
            await database.create(head, [], standing(0))
        bad = dataclasses.replace(standing(1), position=None)  # type: ignore[arg-type]
        wishes = [
            database.append(head.id, 1, [TokenPlayed("a1-a2")], bad if head.id == "game2" else standing(1))
            for head in heads
        ]
        results = await asyncio.gather(*wishes, return_exceptions=True)
        assert [result is None for result in results] == [True, True, False, True, True]
        assert (await database.revisions([head.id for head in heads]))["game2"] == 0


async def test_whoever_does_not_wait_any_more_harms_nobody(place: Path | str) -> None:
    async with opened(place) as database:
        await database.create(HEAD, [], standing(0))
        await database.create(dataclasses.replace(HEAD, id="other"), [], standing(0))
        impatient = asyncio.create_task(database.append("game", 1, [TokenPlayed("a1-a2")], standing(1)))
        patient = asyncio.create_task(database.append("other", 1, [TokenPlayed("a1-a2")], standing(1)))
        await asyncio.sleep(0)
        impatient.cancel()
        await patient
        with pytest.raises(asyncio.CancelledError):
            await impatient


async def test_games_that_wait_for_the_computer(place: Path | str) -> None:
    async with opened(place) as database:
        waits = dataclasses.replace(standing(0), waits_for_computer=True)
        await database.create(HEAD, [], waits)
        await database.create(dataclasses.replace(HEAD, id="other"), [], standing(0))
        assert await database.waiting_for_computer() == ["game"]
        assert await database.waiting_for_computer(NOW) == []
        assert await database.set_deleted("game", deleted=True)
        assert await database.waiting_for_computer() == []


@pytest.mark.parametrize("word", ["ann", "level 3", "an\0n", "%", "ANN", "\0"])
async def test_searches(place: Path | str, word: str) -> None:
    async with opened(place) as database:
        await database.create(HEAD, [], standing(0))
        _, total = await database.list_games(GameQuery(search=word))
        assert total == (word != "%")


async def test_no_game_has_such_a_name(place: Path | str) -> None:
    async with opened(place) as database:
        for name in ("no\0body", "'", "ä" * 500):
            assert await database.load(name) is None
            assert await database.set_deleted(name, deleted=True) is False


async def no_short_way(batch: object) -> None:
    """Appends then take the long way, by transactions."""


@pytest.mark.parametrize("stored", [True, False])
async def test_a_commit_whose_outcome_is_unknown_is_found_out(
    place: Path | str, stored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks during the commit of some, either after the database had it or before."""
    async with opened(place) as database:
        heads = [dataclasses.replace(HEAD, id=f"game{number}") for number in range(3)]
        for head in heads:
            await database.create(head, [], standing(0))
        write, breaks = database.backend.write, 2

        async def breaking(work: Work[Value]) -> Value:
            nonlocal breaks
            if not breaks:
                return await write(work)
            breaks -= 1

            def broken(connection: sa.Connection) -> None:
                work(connection)
                if not stored:
                    raise OutcomeUnknownError

            await write(broken)
            raise OutcomeUnknownError

        monkeypatch.setattr(database.backend, "write", breaking)
        monkeypatch.setattr(database.backend, "append", no_short_way)
        wishes = [database.append(head.id, 1, [TokenPlayed("a1-a2")], standing(1)) for head in heads]
        late = database.append("game0", 1, [TokenPlayed("a5-b4")], standing(1))
        results = await asyncio.gather(*wishes, late, return_exceptions=True)
        assert results[:3] == [None] * 3
        assert isinstance(results[3], RevisionTakenError)
        assert breaks == 0
        for head in heads:
            game = await database.load(head.id)
            assert game is not None
            assert game.events == (TokenPlayed("a1-a2"),)


async def test_a_database_that_stays_away_acknowledges_nothing(
    place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(place) as database:
        await database.create(HEAD, [], standing(0))

        async def away(work: object) -> None:
            raise ConnectionLostError("The database does not answer.")

        monkeypatch.setattr(commits, "PATIENCE_SECONDS", 0.1)
        monkeypatch.setattr(database.backend, "write", away)
        monkeypatch.setattr(database.backend, "append", no_short_way)
        with pytest.raises(ConnectionLostError):
            await database.append("game", 1, [TokenPlayed("a1-a2")], standing(1))
        monkeypatch.undo()
        assert await database.revisions(["game"]) == {"game": 0}
        await database.append("game", 1, [TokenPlayed("a1-a2")], standing(1))
