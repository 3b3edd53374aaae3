"""One engine that several games share: it thinks about one at a time, and is opened again if it breaks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Self

from cairn.engine import Engine, EngineError, Limit, Played, Stopper
from cairn.game import Game
from cairn.vocabulary import Tribe

MOST_FAILURES: Final = 3
"""So often in a row an engine may break before one gives up."""


class Closed(Exception):
    """Nobody thinks any more."""


class Thinker:
    """Chooses tokens for the games of a bot.

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
        """How the engine calls itself."""

    def choose(self, game: Game, milliseconds: Callable[[], int]) -> Played:
        """A token for whoever decides. How long it may take is asked for when it is this game's turn.

        :class:`~cairn.engine.EngineError` if the engine breaks again and again, :class:`Closed` after the end.
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
        raise AssertionError("there is a last attempt")

    def expected(self, game: Game, tribe: Tribe, milliseconds: Callable[[], int]) -> float:
        """Which share of the game a tribe can expect, from 0 to 1, whoever decides now."""
        expected = self.choose(game, milliseconds).score.expected
        return expected if game.decider is tribe else 1 - expected

    def close(self) -> None:
        """End thinking, and the engine."""
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
