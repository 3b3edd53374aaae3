"""Runs the search that a ``go`` command starts.

The search runs in its own thread, sends its results, and finally sends one ``bestmove``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from cairn.engine.engine import Analysis
from cairn.engine.info import write_infos, write_played
from cairn.engine.limits import Limit
from cairn.engine.native import NativeEngine
from cairn.engine.stopper import Stopper
from cairn.engine.threads import start_search
from cairn.game import Game

Send = Callable[[str], object]
"""Sends a line, without its line ending, to the program that drives the engine."""


class SearchSession:
    """A search started by ``go``. Do not change ``game`` until the search is over."""

    name: Final = "search"

    def __init__(
        self, engine: NativeEngine, game: Game, limit: Limit, lines: int, send: Send, *, infinite: bool
    ) -> None:
        self._engine: Final = engine
        self._game: Final = game
        self._limit: Final = limit
        self._lines: Final = lines
        self._send: Final = send
        self._stopper: Final = Stopper()
        self._released: Final = threading.Event()
        """Whether ``bestmove`` may be sent. After ``go infinite``, it may be sent only once the search is stopped."""
        if not infinite:
            self._released.set()
        self._answering: Final = threading.Lock()
        self._over = False
        self._thread: Final = start_search(self._run, self._stopper)

    @property
    def over(self) -> bool:
        """Whether ``bestmove`` has been sent. Blocks while it is being sent, so that later output comes after it."""
        with self._answering:
            return self._over

    def stop(self) -> None:
        """Stop the search. Its thread then sends ``bestmove``."""
        self._stopper.stop()
        self._released.set()

    def wait(self) -> None:
        """Wait for ``bestmove``."""
        self._thread.join()

    def _run(self) -> None:
        best = str(self._game.legal_moves[0])
        try:
            best = self._play_level() if self._engine.level else self._search()
        except Exception as error:  # noqa: BLE001  # the caller is waiting for an answer
            message = " ".join(str(error).split())  # an answer is one line
            self._send(f"error go: {type(error).__name__}: {message}")
        self._released.wait()
        with self._answering:
            self._over = True
            self._send(f"bestmove {best}")

    def _search(self) -> str:
        last: list[Analysis] = []

        def report(analysis: Analysis) -> None:
            last[:] = [analysis]
            for line in write_infos(analysis, ranked=self._lines > 1):
                self._send(line)

        self._engine.search(self._game, self._limit, self._lines, self._stopper, report)
        return str(last[0].best.token)

    def _play_level(self) -> str:
        began = time.perf_counter()
        played = self._engine.play(self._game, self._limit, self._stopper)
        self._send(write_played(played, int((time.perf_counter() - began) * 1000)))
        return str(played.token)
