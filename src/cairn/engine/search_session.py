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
from cairn.engine.limits import Limit, Request
from cairn.engine.native import NativeEngine
from cairn.engine.stopper import Stopper
from cairn.engine.threads import start_search
from cairn.game import Game
from cairn.vocabulary import TRIBES, Token

Send = Callable[[str], object]
"""Sends a line, without its line ending, to the program that drives the engine."""


class SearchSession:
    """A search started by ``go``. Do not change ``game`` until the search is over."""

    name: Final = "search"

    def __init__(
        self, engine: NativeEngine, game: Game, request: Request, lines: int, send: Send, *, names_reply: bool
    ) -> None:
        self._engine: Final = engine
        self._game: Final = game
        self._request: Final = request
        self._lines: Final = lines
        self._names_reply: Final = names_reply
        self._send: Final = send
        self._stopper: Final = Stopper()
        self._released: Final = threading.Event()
        """Whether ``bestmove`` may be sent: after ``go infinite`` only once the search is stopped, and after
        ``go ponder`` only once the search is stopped or the expected token was played."""
        self._pondering = request.ponder
        if not request.infinite and not request.ponder:
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

    def ponder_hit(self) -> bool:
        """Tell the search that the token on which it ponders was played. Returns whether it was pondering."""
        if not self._pondering:
            return False
        self._pondering = False
        if not self._engine.level:
            self._engine.ponder_hit(self._request.limit, TRIBES[self._game.board.decider_number])
        self._released.set()
        return True

    def wait(self) -> None:
        """Wait for ``bestmove``."""
        self._thread.join()

    def _run(self) -> None:
        line: tuple[Token, ...] = (self._game.legal_moves[0],)
        try:
            line = self._play_level() if self._engine.level else self._search()
        except Exception as error:  # noqa: BLE001  # the caller is waiting for an answer
            message = " ".join(str(error).split())  # an answer is one line
            self._send(f"error go: {type(error).__name__}: {message}")
        self._released.wait()
        with self._answering:
            self._over = True
            self._send(f"bestmove {line[0]}{self._reply(line)}")

    def _reply(self, line: tuple[Token, ...]) -> str:
        """The token on which to ponder: the next one of the line, if the enemy decides next."""
        if not self._names_reply or len(line) == 1:
            return ""
        after = self._game.copy()
        after.push(line[0])
        return f" ponder {line[1]}" if after.decider in TRIBES and after.decider is not self._game.decider else ""

    def _search(self) -> tuple[Token, ...]:
        last: list[Analysis] = []

        def report(analysis: Analysis) -> None:
            last[:] = [analysis]
            for line in write_infos(analysis, ranked=self._lines > 1):
                self._send(line)

        limit = self._request.limit
        if self._request.ponder:
            limit = Limit(nodes=limit.nodes, depth=limit.depth)  # the time begins with ponderhit
        self._engine.search(self._game, limit, self._lines, self._stopper, report)
        return last[0].best.tokens

    def _play_level(self) -> tuple[Token, ...]:
        began = time.perf_counter()
        played = self._engine.play(self._game, self._request.limit, self._stopper)
        self._send(write_played(played, int((time.perf_counter() - began) * 1000)))
        return played.line
