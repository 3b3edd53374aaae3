"""Count token sequences (perft) in chunks, so that a long count can be interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final

from cairn.board import Board
from cairn.engine.stopper import Stopper
from cairn.engine.threads import start_search
from cairn.vocabulary import Token

DEEPEST: Final = 99
"""The largest accepted depth. A higher limit would be useless, because a count this deep never finishes."""

PORTION: Final = 6
"""The maximum depth of one call to the core, which takes tens of milliseconds. A stop takes effect between calls."""


class CountStopped(Exception):
    """The count was stopped before it finished."""


def perft(board: Board, depth: int, stopper: Stopper | None = None) -> int:
    """The number of token sequences of length ``depth``, ignoring draws by repetition.

    Another thread can end the count through ``stopper``. The count then raises :class:`CountStopped`.

    >>> perft(Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"), 4)
    2442
    """
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"the depth must be a whole number from 0 to {DEEPEST}, not {depth}")
    if stopper and stopper.stopped_at is not None:
        raise CountStopped
    return board.perft(depth) if depth <= PORTION else sum(count for _, count in divide(board, depth, stopper))


def divide(board: Board, depth: int, stopper: Stopper | None = None) -> Iterator[tuple[Token, int]]:
    """Yield each legal token with the number of sequences that begin with it. Yields nothing for depth 0."""
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"the depth must be a whole number from 0 to {DEEPEST}, not {depth}")
    if depth == 0:
        return
    after = board.copy(history=False)
    for token in board.legal_moves:
        after.push(token)
        yield token, perft(after, depth - 1, stopper)
        after.pop()


class Counting:
    """A ``perft`` command that runs in a thread. A fast answer is returned directly; a slow answer is sent later."""

    name: Final = "count"

    def __init__(self, board: Board, depth: int, send: Callable[[str], object]) -> None:
        self._board: Final = board.copy(history=False)
        self._depth: Final = depth
        self._send: Final = send
        self._stopper: Final = Stopper()
        self._answering: Final = threading.Lock()
        self._answer: str | None = None
        self._awaited = True
        """While this is true, :meth:`soon` returns the answer, so it is not sent."""
        self._thread: Final = start_search(self._run, self._stopper)

    @property
    def over(self) -> bool:
        """Whether the answer has been given. Blocks while it is being sent, so that later output comes after it."""
        with self._answering:
            return self._answer is not None

    def soon(self, seconds: float) -> str | None:
        """The answer if it comes within ``seconds``; otherwise ``None``, and the answer is sent later."""
        self._thread.join(seconds)
        with self._answering:
            self._awaited = False
            return self._answer

    def stop(self) -> None:
        """Stop the count. The answer then says that the count was stopped."""
        self._stopper.stop()

    def wait(self) -> None:
        """Wait for the answer."""
        self._thread.join()

    def _run(self) -> None:
        try:
            answer = f"perft {self._depth} {perft(self._board, self._depth, self._stopper)}"
        except CountStopped:
            answer = "error perft was stopped"
        except Exception as error:  # noqa: BLE001  # the caller needs an answer in any case
            answer = f"error perft: {type(error).__name__}: {error}"
        with self._answering:
            self._answer = answer
            if not self._awaited:
                self._send(answer)
