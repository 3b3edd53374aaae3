"""The tables in a run: which kind of game is played at each table, and by whom."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import dataclasses
import json
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import sqlalchemy as sa

from cairn import fairness
from cairn.bot.links import Links
from cairn.record import read_record
from cairn.server.storage.tables import games
from harness.simulation import database
from harness.simulation.database import Store
from harness.simulation.hostile import Hostile
from harness.simulation.instance import Instance
from harness.simulation.network import Cut, Line
from harness.simulation.players import Manner, Player, Watcher
from harness.simulation.programs import STALL, STALL_SLOWLY, TAKE_BACK, Program
from harness.simulation.referee import GameFile, Referee

LATEST_BEGIN: Final = 1.5
"""Virtual seconds within which all tables start creating their games."""
LONGEST_WAIT: Final = 60.0
"""The virtual time, in seconds, by which every game must have started. All faults end long before that."""
LATENCIES: Final = (0.005, 0.05, 0.15)
WATCHED: Final = 4
"""One game in this many has a watcher."""
SEALED: Final = 3
"""One game in this many has sealed draws. The game's number decides, so random choices stay the same."""
RARELY: Final = 0.02
"""The probability of resigning, per decision, for players who are supposed to keep playing."""
TRIBES: Final = ("forest", "sea")
_SEED: Final = sa.select(games.c.seed).where(games.c.id == sa.bindparam("game"))


@dataclasses.dataclass(frozen=True)
class Plan:
    """The kind of game to play at a table."""

    initial: int
    """The initial time on each clock, in seconds."""
    increment: int
    latencies: tuple[float, ...]
    manners: tuple[Manner, Manner]
    program: Program | None = None
    """The second player's program; ``None`` if that player is honest."""

    @classmethod
    def invented(cls, rng: random.Random, hostile: float, special: float, programs: list[Program]) -> Plan:
        """Usually a short game, because faults and races occur within single turns; sometimes a special one.

        ``hostile`` and ``special`` are probabilities. Hostile players use the ``programs`` first, then random ones.
        """
        if programs or rng.random() >= special:
            attacks = rng.random() < hostile
            program = (programs.pop() if programs else Program.invented(rng)) if attacks else None
            return cls._short(rng, program)
        purpose = rng.random()
        if purpose < 0.5:
            manners = _manner(rng, RARELY, agrees=0.9), _manner(rng, RARELY)
            return cls(4, 3, LATENCIES, manners, TAKE_BACK)
        if purpose < 0.75:  # played to the end
            quick = Manner(thinks=0.02, resigns=0.0, agrees=0.0)
            return cls(8, 1, LATENCIES[:1], (quick, quick))
        if purpose < 0.92:
            program = STALL if purpose < 0.84 else STALL_SLOWLY
            return cls(10, 0, LATENCIES[:1], (_manner(rng, RARELY), _manner(rng, RARELY)), program)
        claims = Manner(thinks=0.1, resigns=0.0, agrees=0.5, claims=True)
        walks_away = dataclasses.replace(claims, claims=False, walks_away=0.5)
        return cls(90, 0, LATENCIES, (claims, walks_away))

    @classmethod
    def _short(cls, rng: random.Random, program: Program | None) -> Plan:
        resigns = rng.choice((0.1, 0.3, 0.5))
        manners = _manner(rng, resigns), _manner(rng, resigns)
        return cls(rng.choice((2, 2, 4)), rng.choice((0, 1, 2)), LATENCIES, manners, program)


def _manner(rng: random.Random, resigns: float, agrees: float | None = None) -> Manner:
    chosen = rng.choice((0.1, 0.5, 0.9)) if agrees is None else agrees
    return Manner(rng.choice((0.02, 0.1, 0.4)), resigns, chosen)


class Table:
    """One game, from its challenge to its end, with its players and watchers."""

    def __init__(
        self, seed: int, number: int, instances: Sequence[Instance], store: Store, referee: Referee, plan: Plan
    ) -> None:
        self._number: Final = number
        self._instances: Final = instances
        self._store: Final = store
        self._referee: Final = referee
        self._plan: Final = plan
        self._rng: Final = random.Random(f"game {seed} {number}")
        self._lines: Final = [
            Line(
                random.Random(f"line {seed} {number} {seat}"),
                self._rng.choice(plan.latencies),
                f"10.0.{number}.{seat}",
            )
            for seat in range(3)
        ]
        for seat, line in enumerate(self._lines[:2]):
            line.cookies["cairn_session"] = database.session_of(2 * number + seat)
        self.people: list[Player] = []
        self._sealed: Final = number % SEALED == SEALED - 1
        self._links: list[Links] = []
        """With sealed draws: the creator's links, then the opponent's."""

    async def play(self, faults_felt: Callable[[], bool]) -> None:
        """Start the game and play it to the end."""
        await asyncio.sleep(self._rng.uniform(0, LATEST_BEGIN))
        begun = await self._begin()
        self._register(begun)
        self.people = self._seated(begun)
        for each in self.people:
            each.faults_allowed = faults_felt
        await asyncio.gather(*(each.run() for each in self.people))
        if self._sealed:
            with contextlib.suppress(Cut, _Refused):
                await self._verify(begun["id"])

    async def _verify(self, game: str) -> None:
        """Verify the draws as the players would, if the record is available."""
        living = [each for each in self._instances if each.alive]
        if not living:
            raise Cut("no server")
        response = await self._lines[0].request(living[0], "GET", f"/api/games/{game}/record", None)
        if response.status != 200:
            raise _Refused(f"{response.status}")
        record = read_record(response.body.decode())
        if "Seed" not in record.headers:
            return
        self._referee.counts["sealed: verified"] += 1
        found = [str(each) for each in fairness.verify(record) if each.verdict is not fairness.Verdict.RIGHT]
        for links in self._links:
            found += links.objections(record)
        if found:
            self._referee.violate("sealed draws can be verified", game, "; ".join(found))

    def _register(self, begun: dict[str, Any]) -> None:
        """Tell the referee about the game."""
        game = begun["id"]
        file = GameFile(self._plan.initial, self._plan.increment)
        file.revision, file.sealed = begun["revision"], self._sealed
        file.decider = next(iter(begun["now"]["owed"]), begun["now"]["decider"])
        # The clock starts when the game is stored, even if the response is slow.
        file.board_revision = file.revision
        file.since = file.seen = self._store.created[game]
        seed: bytes = self._store.read(lambda connection: connection.execute(_SEED, {"game": game}).scalar_one())
        file.secrets = seed.hex(), base64.b64encode(seed).decode(), base64.urlsafe_b64encode(seed).decode()
        self._referee.begun(game, file)

    def _seated(self, begun: dict[str, Any]) -> list[Player]:
        (mine,) = (tribe for tribe in TRIBES if begun["players"][tribe]["id"] == begun["creator"])
        theirs = "sea" if mine == "forest" else "forest"
        game, instances, referee, program = begun["id"], self._instances, self._referee, self._plan.program
        one, other = self._plan.manners
        name = f"p{self._number}"
        people = [Player(f"{name}a", self._lines[0], mine, game, instances, referee, one)]
        if program:
            rest = (f"{name}b", self._lines[1], theirs, game, instances, referee, other)
            people.append(Hostile(*rest, program=program))
        else:
            people.append(Player(f"{name}b", self._lines[1], theirs, game, instances, referee, other))
        for player, links in zip(people, self._links, strict=False):
            player.links = links
        if self._number % WATCHED == 0:
            people.append(Watcher(f"{name}w", self._lines[2], "", game, instances, referee, one))
        return people

    async def _begin(self) -> dict[str, Any]:
        """Create and accept a challenge, retrying until that succeeds. Raises :class:`Cut` if it takes too long."""
        clock = {"kind": "real-time", "initial": 1000 * self._plan.initial, "increment": 1000 * self._plan.increment}
        body = {
            "variant": self._rng.choice(("beginner", "standard", "expert")),
            "tribe": self._rng.choice((*TRIBES, None)),
            "clock": clock,
            "rated": self._rng.random() < 0.7,
            "sealed": self._sealed,
        }
        while asyncio.get_running_loop().time() < LONGEST_WAIT:
            with contextlib.suppress(Cut, _Refused):
                made = await self._ask(0, "POST", "/api/challenges", body, 201)
                name = made["challenge"]["id"]
                if self._sealed:
                    self._links = [Links(name, self._rng.randbytes(32)) for _ in TRIBES]
                await self._ask(0, "PUT", f"/api/challenges/{name}/number", self._a_number(0), 200)
                begun = await self._ask(1, "POST", f"/api/challenges/{made['invite']}/accept", self._a_number(1), 201)
                return {**begun["game"], "creator": made["challenge"]["creator"]["id"]}
            await asyncio.sleep(0.5)
        raise Cut("the game did not start")

    def _a_number(self, seat: int) -> dict[str, object]:
        if self._links:
            return {"number": self._links[seat].anchor, "sealed": True}
        return {"number": self._rng.randbytes(16).hex()}

    async def _ask(self, seat: int, method: str, path: str, body: object, status: int) -> Any:
        living = [each for each in self._instances if each.alive]
        if not living:
            raise Cut("no server")
        response = await self._lines[seat].request(self._rng.choice(living), method, path, body)
        if response.status != status:
            raise _Refused(f"{method} {path}: {response.status} {response.body[:300]!r}")
        return json.loads(response.body)


class _Refused(Exception):
    """A request was refused."""
