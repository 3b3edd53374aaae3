"""The settings of an arena: players, number of games, starts and limits."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.arena.rating import Pairing
from cairn.arena.sprt import Sprt
from cairn.engine import Limit
from cairn.engine.limits import NO_LIMIT

LONGEST_GAME: Final = 2_000
"""The maximum length of a game in tokens; longer games are drawn."""
PATIENCE_S: Final = 600.0
"""How many seconds a player may take if there is no time limit. After that, the player counts as hung."""

GRACE_S: Final = 15.0
"""Extra seconds before a player counts as hung, so that the engine's own timeout, which gives a more specific error,
comes first."""


DEFAULT_MOVETIME_MS: Final = 100
DEFAULT_PAIRS: Final = 50


class ArenaError(Exception):
    """The arena cannot continue. The message is for people."""


def limit_for(players: Sequence[str], movetime_ms: int | None, nodes: int | None, depth: int | None) -> Limit:
    """The requested limit. Without one, levels use their own limits, and other engines get 100 ms.

    >>> limit_for(["level:1", "random"], None, None, None).is_endless
    True
    """
    limit = Limit(movetime_ms, nodes, depth)
    if limit.is_endless and not all(map(has_own_limit, players)):
        return Limit(movetime_ms=DEFAULT_MOVETIME_MS)
    return limit


def has_own_limit(player: str) -> bool:
    """Whether a player needs no limit.

    >>> has_own_limit("level:4"), has_own_limit("full")
    (True, False)
    """
    return player.startswith(("level:", "random", "greedy"))


def pairs_for(pairs: int | None, games: int | None) -> int:
    """The number of pairs, from the option ``--pairs`` or ``--games``."""
    if games is None:
        return DEFAULT_PAIRS if pairs is None else pairs
    if pairs is not None or games % 2:
        raise ArenaError("games are played in pairs: use --pairs, or --games with an even number")
    return games // 2


@dataclasses.dataclass(frozen=True, slots=True)
class Job:
    """One game in a pair."""

    pairing: Pairing
    pair: int
    """The number of the pair. In every pairing, pairs with the same number have the same start and draws."""
    swapped: bool
    """Whether the first player leads Sea, as in the second game of a pair."""

    @property
    def forest(self) -> int:
        """The player who leads Forest."""
        return self.pairing[self.swapped]

    @property
    def sea(self) -> int:
        """The player who leads Sea."""
        return self.pairing[not self.swapped]

    def to_json(self) -> dict[str, Any]:
        """The game as plain data."""
        return {"pairing": list(self.pairing), "pair": self.pair, "swapped": self.swapped}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        """The inverse of :meth:`to_json`."""
        first, second = data["pairing"]
        return cls((int(first), int(second)), int(data["pair"]), bool(data["swapped"]))


@dataclasses.dataclass(frozen=True, slots=True)
class ArenaSettings:
    """Everything that determines the games. Without a time limit, the same settings give the same games."""

    players: tuple[str, ...]
    """Engine texts in the format of :func:`cairn.engine.open_engine`."""
    limit: Limit
    seed: int = 1
    pairs: int = 50
    """Pairs of games per pairing. This is the only setting that may change when an arena is resumed."""
    opening_plies: int = 0
    """The number of random tokens before the players take over. Both games in a pair have the same tokens."""
    longest: int = LONGEST_GAME
    sprt: Sprt | None = None
    pairings: tuple[Pairing, ...] = ()
    """The pairings; if empty, every player plays every other player."""
    free_levels: bool = False
    """Whether the limit applies only to players without limits of their own. Otherwise it is also an upper bound for
    levels."""
    build: str = ""
    """Anything else that must not change when an arena is resumed, such as the version of the engine."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ArenaError("an arena needs two players or more")
        if self.sprt and len(self.players) != 2:
            raise ArenaError("sprt needs exactly two players")
        if self.pairs < 1 or self.opening_plies < 0 or self.longest < 1:
            raise ArenaError("pairs and the longest game must be at least 1, and opening plies must be at least 0")
        if not self.pairings:
            numbers = range(len(self.players))
            object.__setattr__(self, "pairings", tuple(itertools.combinations(numbers, 2)))

    @property
    def names(self) -> tuple[str, ...]:
        """The players' engine texts. Repeated texts are numbered."""
        seen: dict[str, int] = {}
        names = []
        for player in self.players:
            seen[player] = seen.get(player, 0) + 1
            names.append(player if seen[player] == 1 else f"{player} ({seen[player]})")
        return tuple(names)

    @property
    def games(self) -> int:
        """The number of games if the arena is not stopped early."""
        return 2 * self.pairs * len(self.pairings)

    def jobs(self) -> Iterator[Job]:
        """All games, in an order that lets all pairings progress at the same pace."""
        for pair in range(self.pairs):
            for pairing in self.pairings:
                yield Job(pairing, pair, swapped=False)
                yield Job(pairing, pair, swapped=True)

    def limit_of(self, player: int) -> Limit:
        """The limit of a player's decisions."""
        return NO_LIMIT if self.free_levels and has_own_limit(self.players[player]) else self.limit

    @property
    def patience_s(self) -> float:
        """The number of seconds after which a player that does not answer counts as hung."""
        allowed = [self.allowed_ms(player) for player in range(len(self.players))]
        return PATIENCE_S if None in allowed else max(each or 0.0 for each in allowed) / 1000 + GRACE_S

    def allowed_ms(self, player: int) -> float | None:
        """How many milliseconds a player may take before it forfeits. This includes a margin for a busy machine."""
        movetime_ms = self.limit_of(player).movetime_ms
        return None if movetime_ms is None else 2 * movetime_ms + 1_000

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data."""
        data = dataclasses.asdict(self)
        if not self.free_levels:
            del data["free_levels"]  # journals from before this setting do not have it
        return data | {"players": list(self.players), "pairings": [list(pairing) for pairing in self.pairings]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ArenaSettings:
        """The inverse of :meth:`to_json`."""
        return cls(
            **{
                **data,
                "players": tuple(data["players"]),
                "limit": Limit(**data["limit"]),
                "sprt": Sprt(**data["sprt"]) if data["sprt"] else None,
                "pairings": tuple((int(first), int(second)) for first, second in data["pairings"]),
            }
        )
