"""One run of the simulation: everything follows from its seed."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import dataclasses
import datetime
import gc
import json
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Final
from unittest import mock

import sqlalchemy as sa

from cairn.game import Game
from cairn.server.game.chance import SecretChance
from cairn.server.settings import Settings
from cairn.server.storage.engines.append import Append
from cairn.server.storage.tables import games
from harness.simulation import database
from harness.simulation.database import DatabaseFaults, Store
from harness.simulation.instance import NOWHERE, Instance, WallClock, track_tasks
from harness.simulation.loop import VirtualLoop
from harness.simulation.loop import run as run_virtually
from harness.simulation.network import Cut, Line
from harness.simulation.players import Hostile, Player, Program, Watcher
from harness.simulation.referee import GameFile, Referee

HORIZON: Final = 45.0
"""Virtual seconds after which all players leave, and only the clocks run on."""
LONGEST_END: Final = 600.0
"""Virtual seconds after which every clock must have ended its game."""
TRIBES: Final = ("forest", "sea")
seed_of: Final = sa.select(games.c.seed).where(games.c.id == sa.bindparam("game"))


@dataclasses.dataclass(frozen=True)
class Size:
    """How large a run is."""

    games: int = 10
    instances: int = 2
    faults: bool = True
    hostile: float = 0.6
    """The probability that a player is hostile."""


@dataclasses.dataclass
class Report:
    """What a run came to."""

    seed: int
    games: int
    tokens: int
    broken: list[str]
    trace: str
    counts: dict[str, int]
    most_events: int
    """The most offers and undos that a single turn had."""


class RandomComputer:
    """A computer player that needs no thread and no time."""

    def __init__(self, rng: random.Random) -> None:
        self._rng: Final = rng

    async def choose(self, game: Game, level: int) -> str:
        """Any legal token."""
        await asyncio.sleep(self._rng.uniform(0, 0.2))
        return str(self._rng.choice(game.legal_moves))

    async def close(self) -> None:
        """Nothing to stop."""


class SeededChance(SecretChance):
    """Draws as in real games, from seeds that follow from the run's seed."""

    def __init__(self, rng: random.Random) -> None:
        self._rng: Final = rng

    def new_seed(self) -> bytes:
        """The next seed."""
        return self._rng.randbytes(32)


def simulate(seed: int, size: Size | None = None, programs: Sequence[Program] = ()) -> Report:
    """Run one seed. ``programs`` are tried by the hostile players before random ones."""
    database.prepare()
    logging.getLogger("cairn.server").setLevel(logging.CRITICAL)
    with _seeded(seed), _without_garbage_collection():
        return run_virtually(lambda: Scenario(seed, size or Size(), programs).run())


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Collect once after the run instead of hundreds of times within it."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()


@contextlib.contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Let everything random follow from the seed."""
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
    """The instances, players and faults of one run."""

    def __init__(self, seed: int, size: Size, programs: Sequence[Program]) -> None:
        self._seed: Final = seed
        self._size: Final = size
        self._programs: Final = list(programs)
        self._rng: Final = random.Random(f"scenario {seed}")
        self._faults: Final = DatabaseFaults(delay=self._rng.choice((0.0005, 0.002, 0.01)))
        self._referee: Final = Referee()
        self._players: Final[list[Player]] = []
        self._disturbed_until = 0.0

    async def run(self) -> Report:
        """Play all games to their end."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        track_tasks(loop)
        store = _RefereedStore(random.Random(f"database {self._seed}"), self._faults, self._referee)
        chance = SeededChance(random.Random(f"chance {self._seed}"))
        wall, computer = WallClock(), RandomComputer(random.Random(f"computer {self._seed}"))
        settings = Settings(
            data=NOWHERE,
            pages=NOWHERE,
            database="postgresql://simulated",
            public=True,
            traces=False,  # they use files and a thread
            speedups=False,
        )
        instances = [
            Instance(f"i{number}", store, settings, wall, chance, computer) for number in range(self._size.instances)
        ]
        for instance in instances:
            await instance.start()
        tables = [asyncio.create_task(self._game(number, instances, store)) for number in range(self._size.games)]
        chaos = asyncio.create_task(self._chaos(instances, wall)) if self._size.faults else None
        await asyncio.wait(tables, timeout=HORIZON)
        if chaos:
            chaos.cancel()
            await asyncio.gather(chaos, return_exceptions=True)
            await self._repair(instances)
        for player in self._players:
            player.has_left = True
        _, unfinished = await asyncio.wait(tables, timeout=LONGEST_END)
        for task in unfinished:
            task.cancel()
        outcomes = await asyncio.gather(*tables, return_exceptions=True)
        self._referee.ended()
        for instance in instances:
            await instance.kill()
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, Cut | TimeoutError):
                raise outcome
        files = self._referee.games.values()
        return Report(
            seed=self._seed,
            games=len(files),
            tokens=sum(file.decisions for file in files),
            broken=self._referee.broken,
            trace=self._referee.trace.hexdigest(),
            counts=dict(sorted(self._referee.counts.items())),
            most_events=max((file.most_events for file in files), default=0),
        )

    # --- Games

    async def _game(self, number: int, instances: Sequence[Instance], store: Store) -> None:
        rng = random.Random(f"game {self._seed} {number}")
        await asyncio.sleep(rng.uniform(0, 3))
        lines = [
            Line(
                random.Random(f"line {self._seed} {number} {seat}"),
                rng.choice((0.005, 0.05, 0.15)),
                f"10.0.{number}.{seat}",
            )
            for seat in range(3)
        ]
        rated = rng.random() < 0.7
        initial, increment = rng.choice((3, 6, 10)), rng.choice((0, 1, 2))
        wish = {
            "variant": rng.choice(("beginner", "standard", "expert")),
            "tribe": rng.choice((*TRIBES, None)),
            "clock": {"kind": "real-time", "initial": 1000 * initial, "increment": 1000 * increment},
            "rated": rated,
        }
        for seat, line in enumerate(lines[:2]):
            line.cookies["cairn_session"] = database.session_of(2 * number + seat)
        begun = await self._begin(lines, instances, wish, rng)
        game = begun["id"]
        tribes = [tribe for tribe in TRIBES if begun["players"][tribe]["id"] == begun["creator"]]
        mine = tribes[0]
        theirs = "sea" if mine == "forest" else "forest"
        self._referee.games[game] = file = GameFile(rated, initial, increment)
        file.revision, file.decider = begun["revision"], begun["now"]["decider"]
        file.board_revision, file.since = file.revision, asyncio.get_running_loop().time()
        seed: bytes = store.run(lambda connection: connection.execute(seed_of, {"game": game}).scalar_one())
        for secret in (seed.hex(), base64.b64encode(seed).decode(), base64.urlsafe_b64encode(seed).decode()):
            self._referee.secrets[secret] = game
        hostile = rng.random() < self._size.hostile
        one = Player(f"p{number}a", lines[0], mine, game, instances, self._referee)
        other: Player
        if hostile:
            program = self._programs.pop() if self._programs else Program.invented(rng)
            other = Hostile(f"p{number}b", lines[1], theirs, game, instances, self._referee, program=program)
        else:
            other = Player(f"p{number}b", lines[1], theirs, game, instances, self._referee)
        people = [
            one,
            other,
            *([Watcher(f"p{number}w", lines[2], "", game, instances, self._referee)] if number % 3 == 0 else []),
        ]
        for each in people:
            each.faults_allowed = self._is_disturbed
        self._players.extend(people)
        await asyncio.gather(*(each.run() for each in people))

    async def _begin(
        self, lines: Sequence[Line], instances: Sequence[Instance], wish: dict[str, Any], rng: random.Random
    ) -> dict[str, Any]:
        """Create and accept a challenge, as often as it takes."""
        while True:
            with contextlib.suppress(Cut, _Refused):
                living = [each for each in instances if each.alive]
                if not living:
                    raise Cut("no server")
                place = rng.choice(living)
                made = await self._ask(lines[0], place, "POST", "/api/challenges", wish, 201)
                name = made["challenge"]["id"]
                number = {"number": rng.randbytes(16).hex()}
                await self._ask(lines[0], place, "PUT", f"/api/challenges/{name}/number", number, 200)
                accept = {"number": rng.randbytes(16).hex()}
                begun = await self._ask(
                    lines[1], rng.choice(living), "POST", f"/api/challenges/{made['invite']}/accept", accept, 201
                )
                return {**begun["game"], "creator": made["challenge"]["creator"]["id"]}
            await asyncio.sleep(0.5)

    async def _ask(self, line: Line, place: Instance, method: str, path: str, body: object, status: int) -> Any:
        response = await line.request(place, method, path, body)
        if response.status != status:
            raise _Refused(f"{method} {path}: {response.status} {response.body[:300]!r}")
        return json.loads(response.body)

    # --- Faults

    def _is_disturbed(self) -> bool:
        return asyncio.get_running_loop().time() < self._disturbed_until

    def _disturb(self, seconds: float) -> None:
        """Allow for the consequences of a fault for some time."""
        self._disturbed_until = max(self._disturbed_until, asyncio.get_running_loop().time() + seconds)

    async def _chaos(self, instances: Sequence[Instance], wall: WallClock) -> None:
        """Let something go wrong every few seconds."""
        slow, lost = {"slow": 0.2}, {"lost_before": 0.1, "lost_after": 0.1}
        faults: list[Callable[[], Awaitable[None]]] = [
            lambda: self._kill(self._rng.choice(instances)),
            lambda: self._cut(instances),
            lambda: self._for_a_while(8, **slow),
            lambda: self._for_a_while(8, **lost),
            lambda: self._for_a_while(8, full=True),
            lambda: self._for_a_while(10, away=True),
            lambda: self._set_wall_clock(wall),
        ]
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / 6))
            await self._rng.choice(faults)()

    async def _repair(self, instances: Sequence[Instance]) -> None:
        """End all faults, except that the wall clock stays as it is."""
        healthy = DatabaseFaults(delay=self._faults.delay)
        for field in dataclasses.fields(healthy):
            setattr(self._faults, field.name, getattr(healthy, field.name))
        for instance in instances:
            if not instance.alive:
                await instance.kill()
                await instance.start()

    async def _kill(self, victim: Instance) -> None:
        if victim.alive:
            self._disturb(15)
            await victim.kill()
            await asyncio.sleep(self._rng.uniform(0.1, 3))
            await victim.start()

    async def _cut(self, instances: Sequence[Instance]) -> None:
        self._disturb(6)
        for socket in [socket for instance in instances for socket in instance.lines]:
            if self._rng.random() < 0.3:
                socket.cut(self._rng.choice((0.0, 1.0, 20.0)))

    async def _set_wall_clock(self, wall: WallClock) -> None:
        wall.offset += datetime.timedelta(seconds=self._rng.choice((-3600, -5, 5, 3600)))

    async def _for_a_while(self, disturbed: float, **changes: Any) -> None:
        before = dataclasses.replace(self._faults)
        seconds = self._rng.uniform(0.2, 3)
        self._disturb(disturbed + seconds)
        for name, value in changes.items():
            setattr(self._faults, name, value)
        await asyncio.sleep(seconds)
        for name in changes:
            setattr(self._faults, name, getattr(before, name))


class _Refused(Exception):
    """A request was refused."""


class _RefereedStore(Store):
    """A store whose commits the referee sees."""

    def __init__(self, rng: random.Random, faults: DatabaseFaults, referee: Referee) -> None:
        super().__init__(rng, faults)
        self._referee: Final = referee

    def appended(self, added: Sequence[Append]) -> None:
        """Appends were committed."""
        for append in added:
            self._referee.committed(append)
