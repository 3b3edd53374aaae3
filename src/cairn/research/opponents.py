"""Opponents for environments in which a program plays one of the tribes."""

from __future__ import annotations

from typing import Any, Final, Protocol

from cairn._native import Engine as NativeSearch
from cairn._native import core
from cairn.engine.engine import Engine
from cairn.engine.levels import HIGHEST, LOWEST
from cairn.engine.limits import NO_LIMIT, Limit
from cairn.engine.spec import open_engine
from cairn.game import Game
from cairn.vocabulary import Token

SEEDS: Final = 2**63


class Opponent(Protocol):
    """Chooses tokens for the other tribe."""

    def choose(self, game: Game, generator: Any) -> Token:
        """Choose a token. All chance comes from the generator of the environment."""

    def close(self) -> None:
        """Release all resources."""


class RandomOpponent:
    """Plays random legal tokens."""

    def choose(self, game: Game, generator: Any) -> Token:
        """Choose a token."""
        legal = game.board.legal_moves
        return legal[int(generator.integers(len(legal)))]

    def close(self) -> None:
        """Do nothing."""


class LevelOpponent:
    """Plays at a level from 1 to 10."""

    def __init__(self, level: int) -> None:
        if not LOWEST <= level <= HIGHEST:
            raise ValueError(f"there is no level {level}: levels go from {LOWEST} to {HIGHEST}")
        self.level: Final = level
        self._search: Final = NativeSearch(core.LEVEL_MEGABYTES, 1)

    def choose(self, game: Game, generator: Any) -> Token:
        """Choose a token. A fresh seed for each choice lets the level vary its play."""
        self._search.arm()
        _, _, tokens, _ = self._search.play_level(game.board, self.level, int(generator.integers(SEEDS)), 0, 0, 0)
        return tokens[0]

    def close(self) -> None:
        """Do nothing."""


class EngineOpponent:
    """Lets any engine play, with a limit for each choice."""

    def __init__(self, engine: Engine, limit: Limit) -> None:
        self._engine: Final = engine
        self._limit: Final = limit

    def choose(self, game: Game, generator: Any) -> Token:
        """Choose a token."""
        return self._engine.play(game, self._limit).token

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()


def open_opponent(opponent: str | Engine, limit: Limit = NO_LIMIT) -> Opponent:
    """Open the opponent for a text such as ``level:3``, ``random`` or ``full``, or for an engine.

    All texts of :func:`cairn.engine.open_engine` are valid. Levels and ``random`` take their chance from the
    environment, unless they have a seed of their own.
    """
    if isinstance(opponent, Engine):
        return EngineOpponent(opponent, limit)
    if opponent == "random":
        return RandomOpponent()
    kind, _, level = opponent.partition(":")
    if kind == "level" and level.isdecimal():
        return LevelOpponent(int(level))
    return EngineOpponent(open_engine(opponent), limit)
