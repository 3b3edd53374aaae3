"""A database for several simulated server instances: real SQL in memory, with network and disk faults.

Each instance has its own :class:`SimulatedBackend`. Transactions run one after another, as in a database with
serialisable isolation. After the commit, notifications reach each instance with a random delay.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import datetime
import functools
import random
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, cast

import sqlalchemy as sa

from cairn.server.errors import ConnectionLostError, OutcomeUnknownError, StorageFullError
from cairn.server.secret_tokens import hash_of
from cairn.server.storage.engines.append import Append, append_batch
from cairn.server.storage.engines.backend import Value, Work
from cairn.server.storage.engines.database import Database
from cairn.server.storage.engines.sqlite_append import append_batch_fast
from cairn.server.storage.players.repository import PlayerRepository
from cairn.server.storage.players.rows import Player, Session
from harness.simulation.statements import PreparingConnection

WRITERS: Final = 4
ACCOUNTS: Final = 64
"""The number of accounts that are signed in from the start."""
CREATED: Final = datetime.datetime(2026, 11, 15, tzinfo=datetime.UTC)


@dataclasses.dataclass
class DatabaseFaults:
    """How a database misbehaves: probabilities per transaction, and delays in seconds."""

    delay: float = 0.002
    """The mean round-trip time."""
    slow: float = 0.0
    """The probability of a slow commit."""
    slow_seconds: float = 1.0
    lost_before: float = 0.0
    """The probability that the connection is lost before the commit."""
    lost_after: float = 0.0
    """The probability that the connection is lost after the commit, so that the outcome is unknown."""
    full: bool = False
    """Whether the disk is full."""
    away: bool = False
    """Whether the database cannot be reached."""


def session_of(account: int) -> str:
    """The session token of an account, as stored in the session cookie."""
    return f"{account:043d}"


def prepare() -> None:
    """Create the template database. Call this before starting a virtual loop, because creating it uses threads."""
    _template()


class Store:
    """The shared data, and the notifications between instances."""

    def __init__(self, rng: random.Random, faults: DatabaseFaults, counts: collections.Counter[str]) -> None:
        self.rng: Final = rng
        self.faults: Final = faults
        self.counts: Final = counts
        """How often each fault and each race has occurred."""
        self.created: Final[dict[str, float]] = {}
        """The virtual time at which each game was stored."""
        self.listeners: Final[dict[str, Callable[[str], None]]] = {}
        """The callbacks that receive notifications, by the instance's origin."""
        _raw().deserialize(_template())

    def run(self, work: Work[Value]) -> Value:
        """Run a transaction immediately, without faults."""
        raw = _raw()
        raw.execute("BEGIN")
        try:
            done = work(_connection())
        except BaseException:
            raw.execute("ROLLBACK")
            raise
        raw.execute("COMMIT")
        for (game,) in raw.execute("SELECT id FROM games WHERE rowid > ?", (len(self.created),)):
            self.created[game] = asyncio.get_running_loop().time()
        return done

    def read(self, work: Work[Value]) -> Value:
        """Read immediately, without faults. No transaction is needed, since nothing else runs at the same time."""
        return work(_connection())

    def proposed(self, batch: Sequence[Append]) -> None:
        """Called when an instance tries to store appends, possibly again. Does nothing; a subclass may override it."""

    def appended(self, added: Sequence[Append]) -> None:
        """Called when appends have been committed. Does nothing; a subclass may override it."""

    def notify(self, payloads: Sequence[str]) -> None:
        """Deliver notifications to all instances. Each instance receives these payloads in order."""
        loop = asyncio.get_running_loop()
        for origin, listener in list(self.listeners.items()):
            delay = self.rng.expovariate(1 / self.faults.delay)
            loop.call_later(delay, self._deliver, origin, listener, list(payloads))

    def _deliver(self, origin: str, listener: Callable[[str], None], payloads: Sequence[str]) -> None:
        if self.listeners.get(origin) is listener:  # the instance may have been killed in the meantime
            for payload in payloads:
                listener(payload)


class SimulatedBackend:
    """One instance's connection to the store. Implements :class:`~cairn.server.storage.engines.backend.Backend`."""

    multi_process: Final = True
    writers: Final = WRITERS
    damage: str | None = None

    def __init__(self, shared: Store, origin: str) -> None:
        self._store: Final = shared
        self.origin: Final = origin
        self.alive = True
        """Whether the instance is running. After a kill, all its calls fail."""
        self._payloads: list[str] = []
        self._added: list[Append] = []

    async def write(self, work: Work[Value]) -> Value:
        """Run a write transaction, subject to the store's current faults."""
        return await self._transact(lambda: self._store.run(work))

    async def _transact(self, transaction: Callable[[], Value]) -> Value:
        await self._round_trip()
        faults, rng, counts = self._store.faults, self._store.rng, self._store.counts
        if faults.full:
            counts["fault: disk full"] += 1
            raise StorageFullError("The disk is full.")
        if rng.random() < faults.lost_before:
            counts["fault: connection lost before the commit"] += 1
            raise ConnectionLostError("The connection was lost.")
        waits = 0.0
        if rng.random() < faults.slow:
            counts["fault: slow commit"] += 1
            waits = rng.expovariate(1 / faults.slow_seconds)
            if rng.random() < 0.5:  # the change is not visible during this wait
                await asyncio.sleep(waits)
                waits = 0.0
        self._payloads, self._added = [], []
        done = transaction()
        self._store.appended(self._added)
        if self._payloads:
            self._store.notify(self._payloads)
        if waits:
            await asyncio.sleep(waits)
        if rng.random() < faults.lost_after or not self.alive:
            counts["fault: connection lost after the commit"] += 1
            raise OutcomeUnknownError
        return done

    async def read(self, work: Work[Value]) -> Value:
        """Run a read-only transaction."""
        await self._round_trip()
        return self._store.read(work)

    async def check_file(self, *, thorough: bool = False) -> str | None:
        """Nothing to check: the data is in memory."""
        return self.damage

    async def append(self, batch: Sequence[Append], unsure: bool) -> Sequence[bool]:
        """Store a batch of appends, and notify the other instances. Simple batches take SQLite's fast path."""
        self._store.proposed(batch)
        fast = not unsure and not any(each.along for each in batch)

        def append_fast() -> list[bool]:
            stored = append_batch_fast(_raw(), batch)
            return self._announce_added([each for each, done in zip(batch, stored, strict=True) if done], stored)

        def append(connection: sa.Connection) -> list[bool]:
            added, stored = append_batch(connection, batch, unsure)
            return self._announce_added(added, [each in stored for each in batch])

        stored = await (self._transact(append_fast) if fast else self.write(append))
        self._store.counts["race: revision taken"] += stored.count(False)
        return stored

    def _announce_added(self, added: list[Append], stored: list[bool]) -> list[bool]:
        self._payloads += [f"{self.origin} {each.stored_projection.revision} {each.game}" for each in added]
        self._added = added
        return stored

    def announce(self, connection: sa.Connection, changes: Iterable[tuple[str, int]]) -> None:
        """Notify all instances when this transaction commits."""
        self._payloads += [f"{self.origin} {revision} {game}" for game, revision in changes]

    async def notify(self, payloads: Sequence[str]) -> None:
        """Send notifications in a separate transaction, which needs no SQL."""

        def send() -> None:
            self._payloads += payloads

        await self._transact(send)

    @contextlib.asynccontextmanager
    async def only_process(self, task: str) -> AsyncIterator[bool]:
        """Let every instance run the task, so that the run finds more errors."""
        yield True

    async def close(self) -> None:
        """Nothing to close: the store outlives its instances."""

    async def _round_trip(self) -> None:
        await asyncio.sleep(self._store.rng.expovariate(1 / self._store.faults.delay))
        if self._store.faults.away or not self.alive:
            self._store.counts["fault: database unavailable"] += 1
            raise ConnectionLostError("The database cannot be reached.")


@functools.cache
def _template() -> bytes:
    """A serialised database with the newest schema and accounts that are signed in but have not played yet."""

    async def make(path: Path) -> None:
        opened = await Database.open(path)
        players = PlayerRepository(opened)
        for number in range(ACCOUNTS):
            name = f"Player{number}"
            player = Player(f"{number:024x}", "account", name, CREATED)
            session = Session(hash_of(session_of(number)), player.id, "browser", CREATED, CREATED)
            await players.add(player, name.casefold(), "no password matches this", session)
        await opened.close()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cairn.db"
        with asyncio.Runner() as runner:
            runner.run(make(path))
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # an in-memory database cannot use a write-ahead log
            return connection.serialize()


@functools.cache
def _raw() -> sqlite3.Connection:
    """The only connection in this process. Every run reloads the template into it."""
    return sqlite3.connect(":memory:", isolation_level=None)


@functools.cache
def _connection() -> sa.Connection:
    """A SQLAlchemy connection that wraps :func:`_raw`. It is kept open, because opening one costs more than a query.

    It never begins or commits a transaction. :class:`Store` does that on the raw connection.
    """
    engine = sa.create_engine("sqlite://", creator=_raw, poolclass=sa.StaticPool, hide_parameters=True)
    plain = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    return cast(sa.Connection, PreparingConnection(_raw(), plain))
