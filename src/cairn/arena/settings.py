"""What is played: by whom, how often, from which starts, under which limits."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.arena.rating import Pairing
from cairn.arena.sprt import Sprt
from cairn.engine import Limit

LONGEST_GAME: Final = 2_000
"""In tokens; then it is a draw."""
PATIENCE_S: Final = 600.0
"""How long a player may be silent where no time limit says it: then it counts as hung."""

GRACE_S: Final = 15.0
"""So much longer, so that an engine's own time limit for a silent program, which knows more to say, comes first."""


DEFAULT_MOVETIME_MS: Final = 100
DEFAULT_PAIRS: Final = 50


class ArenaError(Exception):
    """A sentence for people: why the arena cannot go on."""


def limit_for(players: Sequence[str], movetime_ms: int | None, nodes: int | None, depth: int | None) -> Limit:
    """The limit that was asked for; if none was, levels keep their own and others get a tenth of a second.

    >>> limit_for(["level:1", "random"], None, None, None).is_endless
    True
    """
    limit = Limit(movetime_ms, nodes, depth)
    if limit.is_endless and not all(player.startswith(("level:", "random")) for player in players):
        return Limit(movetime_ms=DEFAULT_MOVETIME_MS)
    return limit


def pairs_for(pairs: int | None, games: int | None) -> int:
    """How many pairs are meant by one of the two numbers."""
    if games is None:
        return DEFAULT_PAIRS if pairs is None else pairs
    if pairs is not None or games % 2:
        raise ArenaError("games are played in pairs: ask for pairs, or for an even number of games")
    return games // 2


@dataclasses.dataclass(frozen=True, slots=True)
class Job:
    """One game of a pair."""

    pairing: Pairing
    pair: int
    """Which start and which draws; the same number means the same ones in every pairing."""
    swapped: bool
    """In the first game of a pair the first player plays Forest, in the second game Sea."""

    @property
    def forest(self) -> int:
        """Who plays Forest."""
        return self.pairing[self.swapped]

    @property
    def sea(self) -> int:
        """Who plays Sea."""
        return self.pairing[not self.swapped]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"pairing": list(self.pairing), "pair": self.pair, "swapped": self.swapped}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        """The job that :meth:`to_json` told."""
        first, second = data["pairing"]
        return cls((int(first), int(second)), int(data["pair"]), bool(data["swapped"]))


@dataclasses.dataclass(frozen=True, slots=True)
class ArenaSettings:
    """Everything that decides which games are played. The same settings and limits other than time: the same games."""

    players: tuple[str, ...]
    """Engine texts, as :func:`cairn.engine.open_engine` reads them."""
    limit: Limit
    seed: int = 1
    pairs: int = 50
    """Of each pairing. The only setting that may be raised later."""
    opening_plies: int = 0
    """So many random tokens before the players take over; the same in both games of a pair."""
    longest: int = LONGEST_GAME
    sprt: Sprt | None = None
    pairings: tuple[Pairing, ...] = ()
    """Who meets whom; left empty, everybody meets everybody."""
    build: str = ""
    """What else has to stay the same for results to be comparable, such as the version of the engine."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ArenaError("an arena needs two players or more")
        if self.sprt and len(self.players) != 2:
            raise ArenaError("sprt compares two players, not more")
        if self.pairs < 1 or self.opening_plies < 0 or self.longest < 1:
            raise ArenaError("pairs and the longest game are numbers from 1, opening plies from 0")
        if not self.pairings:
            numbers = range(len(self.players))
            object.__setattr__(self, "pairings", tuple(itertools.combinations(numbers, 2)))

    @property
    def names(self) -> tuple[str, ...]:
        """The players' texts; who comes twice gets a number."""
        seen: dict[str, int] = {}
        names = []
        for player in self.players:
            seen[player] = seen.get(player, 0) + 1
            names.append(player if seen[player] == 1 else f"{player} ({seen[player]})")
        return tuple(names)

    @property
    def games(self) -> int:
        """How many are played if nothing ends the arena before."""
        return 2 * self.pairs * len(self.pairings)

    def jobs(self) -> Iterator[Job]:
        """All games, so ordered that every pairing gets on at the same pace."""
        for pair in range(self.pairs):
            for pairing in self.pairings:
                yield Job(pairing, pair, swapped=False)
                yield Job(pairing, pair, swapped=True)

    @property
    def patience_s(self) -> float:
        """How many seconds a player may be silent before it is taken for hung."""
        allowed = self.allowed_ms
        return PATIENCE_S if allowed is None else allowed / 1000 + GRACE_S

    @property
    def allowed_ms(self) -> float | None:
        """More than this is a gross excess of the time limit: a busy machine alone does not cause it."""
        return None if self.limit.movetime_ms is None else 2 * self.limit.movetime_ms + 1_000

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        data = dataclasses.asdict(self)
        return data | {"players": list(self.players), "pairings": [list(pairing) for pairing in self.pairings]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ArenaSettings:
        """The settings that :meth:`to_json` told."""
        return cls(
            **{
                **data,
                "players": tuple(data["players"]),
                "limit": Limit(**data["limit"]),
                "sprt": Sprt(**data["sprt"]) if data["sprt"] else None,
                "pairings": tuple((int(first), int(second)) for first, second in data["pairings"]),
            }
        )
