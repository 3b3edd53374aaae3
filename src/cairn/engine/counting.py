"""Counting token sequences (perft) in portions, so that a long count can be interrupted or stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final

from cairn.board import Board
from cairn.engine.stopper import Stopper
from cairn.engine.threads import start_search
from cairn.vocabulary import Token

DEEPEST: Final = 99
"""No count of that depth will ever end, so nobody needs a deeper one."""

PORTION: Final = 6
"""The core counts so deep at a time, some hundredths of a second; Python hears an interruption only in between."""


class CountStopped(Exception):
    """A count that was stopped before it was done."""


def perft(board: Board, depth: int, stopper: Stopper | None = None) -> int:
    """The number of token sequences of that length from here, draws by repetition ignored.

    ``stopper`` lets another thread end it with :class:`CountStopped`.

    >>> perft(Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"), 4)
    2442
    """
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"a depth is a whole number from 0 to {DEEPEST}, not {depth}")
    if stopper and stopper.stopped_at is not None:
        raise CountStopped
    return board.perft(depth) if depth <= PORTION else sum(count for _, count in divide(board, depth, stopper))


def divide(board: Board, depth: int, stopper: Stopper | None = None) -> Iterator[tuple[Token, int]]:
    """For each legal token how many of the sequences begin with it; none for depth 0."""
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"a depth is a whole number from 0 to {DEEPEST}, not {depth}")
    if depth == 0:
        return
    after = board.copy(history=False)
    for token in board.legal_moves:
        after.push(token)
        yield token, perft(after, depth - 1, stopper)
        after.pop()


class Counting:
    """A count that runs beside the conversation of the protocol; its one answer comes at once, or is sent later."""

    name: Final = "count"

    def __init__(self, board: Board, depth: int, send: Callable[[str], object]) -> None:
        self._board: Final = board.copy(history=False)
        self._depth: Final = depth
        self._send: Final = send
        self._stopper: Final = Stopper()
        self._answering: Final = threading.Lock()
        self._answer: str | None = None
        self._awaited = True
        """Whether somebody waits in :meth:`soon`."""
        self._thread: Final = start_search(self._run, self._stopper)

    @property
    def over(self) -> bool:
        """Whether the answer was given. While it is being sent, this waits: what comes next is sent after it."""
        with self._answering:
            return self._answer is not None

    def soon(self, seconds: float) -> str | None:
        """The answer, if it comes that soon; otherwise ``None``, and it is sent when it comes."""
        self._thread.join(seconds)
        with self._answering:
            self._awaited = False
            return self._answer

    def stop(self) -> None:
        """End the count, which then answers that it was stopped."""
        self._stopper.stop()

    def wait(self) -> None:
        """Wait until the answer was given."""
        self._thread.join()

    def _run(self) -> None:
        try:
            answer = f"perft {self._depth} {perft(self._board, self._depth, self._stopper)}"
        except CountStopped:
            answer = "error perft was stopped"
        except Exception as error:  # noqa: BLE001  # whatever happened, somebody waits for an answer
            answer = f"error perft: {type(error).__name__}: {error}"
        with self._answering:
            self._answer = answer
            if not self._awaited:
                self._send(answer)
