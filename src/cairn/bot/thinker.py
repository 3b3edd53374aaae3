"""One engine shared by several games. It searches for one game at a time and is reopened after a failure."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Self

from cairn.engine import Engine, EngineError, Limit, Played, Stopper
from cairn.game import Game
from cairn.vocabulary import Tribe

MOST_FAILURES: Final = 3
"""The number of consecutive failures after which the bot gives up."""


class Closed(Exception):
    """The engine was closed."""


class Thinker:
    """Chooses tokens for a bot's games.

    >>> from cairn.engine import open_engine
    >>> with Thinker(lambda: open_engine("level:1")) as thinker:
    ...     game = Game.start("beginner", seed=1)
    ...     thinker.choose(game, lambda: 100).token in game.legal_moves
    True
    """

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        self._open_engine: Final = open_engine
        self._turn: Final = threading.Lock()
        self._stopper = Stopper()
        self._engine: Engine | None = open_engine()
        self._closed = False
        self.name: Final = self._engine.name
        """The engine's name."""

    def choose(self, game: Game, milliseconds: Callable[[], int]) -> Played:
        """Choose a token for the decider. When the engine is free, ``milliseconds`` is called to get the time limit.

        Raises :class:`~cairn.engine.EngineError` if the engine fails repeatedly, and :class:`Closed` after
        :meth:`close`.
        """
        for attempt in range(1, MOST_FAILURES + 1):
            with self._turn:
                if self._closed:
                    raise Closed
                try:
                    self._engine = self._engine or self._open_engine()
                    return self._engine.play(game, Limit(movetime_ms=milliseconds()), self._stopper)
                except EngineError:
                    self._engine = None
                    if attempt == MOST_FAILURES:
                        raise
        raise AssertionError("unreachable: the last attempt raises")

    def expected(self, game: Game, tribe: Tribe, milliseconds: Callable[[], int]) -> float:
        """A tribe's expected score, from 0 to 1, no matter which tribe decides."""
        expected = self.choose(game, milliseconds).score.expected
        return expected if game.decider is tribe else 1 - expected

    def close(self) -> None:
        """Stop the search and close the engine."""
        self._closed = True
        self._stopper.stop()
        with self._turn:
            if self._engine:
                self._engine.close()
                self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
