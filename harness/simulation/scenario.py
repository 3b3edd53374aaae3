"""One run of the simulation, determined entirely by its seed."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
import logging
import random
import secrets
from collections.abc import Iterator, Sequence
from typing import Final
from unittest import mock

from cairn.game import Game
from cairn.server.game.chance import SecretChance
from cairn.server.settings import Settings
from cairn.server.storage.engines.append import Append
from harness.simulation import database
from harness.simulation.database import DatabaseFaults, Store
from harness.simulation.faults import Chaos
from harness.simulation.instance import NOWHERE, Instance, WallClock, track_tasks
from harness.simulation.loop import VirtualLoop
from harness.simulation.loop import run as run_virtually
from harness.simulation.network import Cut
from harness.simulation.programs import Program
from harness.simulation.referee import Referee
from harness.simulation.tables import Plan, Table

HORIZON: Final = 10.0
"""Virtual seconds after which all players leave and only the clocks keep running."""
LONGEST_END: Final = 600.0
"""How many virtual seconds after the horizon the clocks may take to end every game."""


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    games: int = 10
    instances: int = 2
    faults: bool = True
    hostile: float = 0.5
    """The probability that one of the two players is hostile."""
    special: float = 0.04
    """The fraction of games with a special purpose, which take longer than the others."""


@dataclasses.dataclass
class Report:
    """The results of a run."""

    seed: int
    games: int
    tokens: int
    broken: list[str]
    trace: str
    counts: dict[str, int]
    most_events: int
    """The highest number of offers and undos in a single turn."""


class RandomComputer:
    """A computer player that chooses random tokens, which takes no threads and hardly any CPU time."""

    def __init__(self, rng: random.Random) -> None:
        self._rng: Final = rng

    async def choose(self, game: Game, level: int) -> str:
        """Return a random legal token."""
        await asyncio.sleep(self._rng.uniform(0, 0.2))
        return str(self._rng.choice(game.legal_moves))

    async def close(self) -> None:
        """Nothing to stop."""


class SeededChance(SecretChance):
    """Draws tiles as in real games, but derives the games' seeds from the seed of the run."""

    def __init__(self, rng: random.Random) -> None:
        self._rng: Final = rng

    def new_seed(self) -> bytes:
        """The seed for the next game."""
        return self._rng.randbytes(32)


def simulate(seed: int, size: Size | None = None, programs: Sequence[Program] = ()) -> Report:
    """Run one seed. Hostile players use ``programs`` first, then random ones."""
    database.prepare()
    logging.getLogger("cairn.server").setLevel(logging.CRITICAL)
    with _seeded(seed), _without_garbage_collection():
        return run_virtually(lambda: Scenario(seed, size or Size(), programs).run())


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Collect garbage once after the run instead of hundreds of times during it. Older objects are skipped."""
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()
        gc.unfreeze()


@contextlib.contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Make all randomness depend on the seed."""
    rng = random.Random(f"secrets {seed}")
    state = random.getstate()
    random.seed(seed)
    with (
        mock.patch.object(secrets, "token_bytes", lambda length=32: rng.randbytes(length)),
        mock.patch.object(secrets, "token_hex", lambda length=32: rng.randbytes(length).hex()),
        mock.patch.object(secrets, "token_urlsafe", lambda length=32: rng.randbytes(length).hex()),
        mock.patch.object(secrets, "choice", rng.choice),
    ):
        try:
            yield
        finally:
            random.setstate(state)


class Scenario:
    """The instances, tables and faults of one run."""

    def __init__(self, seed: int, size: Size, programs: Sequence[Program]) -> None:
        self._seed: Final = seed
        self._size: Final = size
        self._programs: Final = list(programs)
        self._referee: Final = Referee()

    async def run(self) -> Report:
        """Play all games to their end."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        track_tasks(loop)
        rng = random.Random(f"scenario {self._seed}")
        faults, wall = DatabaseFaults(delay=rng.choice((0.0005, 0.002, 0.01))), WallClock()
        store = _RefereedStore(random.Random(f"database {self._seed}"), faults, self._referee)
        instances = self._instances(store, wall)
        for instance in instances:
            await instance.start()
        plans = random.Random(f"plans {self._seed}")
        tables = [
            Table(
                self._seed,
                number,
                instances,
                store,
                self._referee,
                Plan.invented(plans, self._size.hostile, self._size.special, self._programs),
            )
            for number in range(self._size.games)
        ]
        chaos = Chaos(rng, instances, wall, faults, self._referee.counts)
        if self._size.faults:
            chaos.start()
        await self._play(tables, chaos)
        self._referee.ended(self._size.games)
        for instance in instances:
            await instance.kill()
        return self._report()

    def _instances(self, store: Store, wall: WallClock) -> list[Instance]:
        chance = SeededChance(random.Random(f"chance {self._seed}"))
        computer = RandomComputer(random.Random(f"computer {self._seed}"))
        settings = Settings(
            data=NOWHERE,
            pages=NOWHERE,
            database="postgresql://simulated",
            public=True,
            traces=False,  # traces use files and a thread
            speedups=False,
        )
        return [
            Instance(f"i{number}", store, settings, wall, chance, computer) for number in range(self._size.instances)
        ]

    async def _play(self, tables: Sequence[Table], chaos: Chaos) -> None:
        """Play until the horizon, then let the clocks end the remaining games."""
        tasks = [asyncio.create_task(table.play(chaos.is_felt)) for table in tables]
        await asyncio.wait(tasks, timeout=HORIZON)
        await chaos.end()
        for table in tables:
            for player in table.people:
                player.has_left = True
        _, unfinished = await asyncio.wait(tasks, timeout=LONGEST_END)
        for task in unfinished:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception) and not isinstance(outcome, Cut | TimeoutError):
                raise outcome

    def _report(self) -> Report:
        files = self._referee.games.values()
        return Report(
            seed=self._seed,
            games=len(files),
            tokens=sum(sum(file.decisions.values()) for file in files),
            broken=self._referee.broken,
            trace=self._referee.trace.hexdigest(),
            counts=dict(sorted(self._referee.counts.items())),
            most_events=max((file.most_events for file in files), default=0),
        )


class _RefereedStore(Store):
    """A store that reports its commits to the referee."""

    def __init__(self, rng: random.Random, faults: DatabaseFaults, referee: Referee) -> None:
        super().__init__(rng, faults, referee.counts)
        self._referee: Final = referee
        self._decided: Final[dict[Append, float]] = {}
        """When each append was first proposed. Storing it may take a while, and no clock runs during that time."""

    def proposed(self, batch: Sequence[Append]) -> None:
        """An instance is trying to store appends."""
        for append in batch:
            self._decided.setdefault(append, asyncio.get_running_loop().time())

    def appended(self, added: Sequence[Append]) -> None:
        """Appends were committed."""
        for append in added:
            self._referee.committed(append, self._decided.pop(append), asyncio.get_running_loop().time())
