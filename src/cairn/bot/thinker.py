"""One engine shared by several games. It searches for one game at a time and is reopened after a failure."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final, Self

from cairn.engine import Engine, EngineError, Limit, Played, Stopper
from cairn.game import Game
from cairn.vocabulary import Tribe

MOST_FAILURES: Final = 3
"""The number of consecutive failures after which the bot gives up."""
SECONDS_BETWEEN_STOPS: Final = 0.02


class Closed(Exception):
    """The engine was closed."""


class Thinker:
    """Chooses tokens for a bot's games.

    >>> from cairn.engine import open_engine
    >>> with Thinker(lambda: open_engine("level:1")) as thinker:
    ...     game = Game.start("beginner", seed=1)
    ...     thinker.choose(game, lambda: Limit(movetime_ms=100)).token in game.legal_moves
    True
    """

    def __init__(self, open_engine: Callable[[], Engine], *, ponders: bool = False) -> None:
        self._open_engine: Final = open_engine
        self._ponders: Final = ponders
        self._pondering: tuple[threading.Thread, Stopper] | None = None
        self._pondering_lock: Final = threading.Lock()
        self._turn: Final = threading.Lock()
        self._stopper = Stopper()
        self._engine: Engine | None = open_engine()
        self._closed = False
        self.name: Final = self._engine.name
        """The engine's name."""

    def choose(self, game: Game, limit: Callable[[], Limit]) -> Played:
        """Choose a token for the decider. When the engine is free, ``limit`` is called to get the limit.

        Raises :class:`~cairn.engine.EngineError` if the engine fails repeatedly, and :class:`Closed` after
        :meth:`close`.
        """
        for attempt in range(1, MOST_FAILURES + 1):
            with self._turn_to_search():
                if self._closed:
                    raise Closed
                try:
                    self._engine = self._engine or self._open_engine()
                    return self._engine.play(game, limit(), self._stopper)
                except EngineError:
                    self._engine = None
                    if attempt == MOST_FAILURES:
                        raise
        raise AssertionError("unreachable: the last attempt raises")

    @contextlib.contextmanager
    def _turn_to_search(self) -> Iterator[None]:
        """Wait for the engine. Another game may begin to ponder in the meantime, so stop that again."""
        self.stop_pondering()
        while not self._turn.acquire(timeout=SECONDS_BETWEEN_STOPS):
            self.stop_pondering()
        try:
            yield
        finally:
            self._turn.release()

    def ponder(self, game: Game) -> None:
        """Search a game in the background until the next choice, which then begins with what was found.

        Does nothing if the engine is busy with another game, or plays at a level, which uses no earlier results.
        """
        if not self._ponders:
            return
        self.stop_pondering()
        stopper = Stopper()
        thread = threading.Thread(target=self._ponder, args=(game, stopper), name="ponder", daemon=True)
        with self._pondering_lock:
            if self._closed or self._pondering or self._turn.locked():
                return
            self._pondering = (thread, stopper)
            thread.start()

    def stop_pondering(self) -> None:
        """Stop searching in the background, and wait until the engine is free."""
        with self._pondering_lock:
            pondering, self._pondering = self._pondering, None
        if pondering:
            thread, stopper = pondering
            stopper.stop()
            thread.join()

    def _ponder(self, game: Game, stopper: Stopper) -> None:
        with self._turn:
            if self._engine is None or self._closed:
                return
            try:
                self._engine.search(game, Limit(), 1, stopper, lambda _: None)
            except EngineError:
                self._engine = None  # the next choice opens it again

    def expected(self, game: Game, tribe: Tribe, limit: Callable[[], Limit]) -> float:
        """A tribe's expected score, from 0 to 1, no matter which tribe decides."""
        expected = self.choose(game, limit).score.expected
        return expected if game.decider is tribe else 1 - expected

    def close(self) -> None:
        """Stop the search and close the engine."""
        self._closed = True
        self._stopper.stop()
        self.stop_pondering()
        with self._turn:
            if self._engine:
                self._engine.close()
                self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
