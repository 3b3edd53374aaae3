"""The interface that all computer players implement."""

from __future__ import annotations

import abc
import dataclasses
import functools
from collections.abc import Callable
from types import TracebackType
from typing import Self

from cairn.engine.limits import NO_LIMIT, Limit
from cairn.engine.score import Score
from cairn.engine.stopper import Stopper
from cairn.engine.stream import Stream
from cairn.game import Game
from cairn.vocabulary import GameOverError, Phase, Token


class EngineError(RuntimeError):
    """An engine failed to start, died, did not answer, or broke the protocol or the rules."""


class IllegalPlayError(EngineError):
    """An engine played an illegal token."""


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A candidate token and its expected continuation."""

    score: Score
    """From the point of view of the decider."""
    tokens: tuple[Token, ...]
    """At least one token."""

    @property
    def token(self) -> Token:
        """The first token."""
        return self.tokens[0]


@dataclasses.dataclass(frozen=True, slots=True)
class Analysis:
    """The result of one search depth."""

    depth: int
    nodes: int
    """Tokens tried so far."""
    time_ms: int
    """Milliseconds since the search began."""
    lines: tuple[Line, ...]
    """The best tokens, best first; at least one."""

    @property
    def best(self) -> Line:
        """The first line."""
        return self.lines[0]


@dataclasses.dataclass(frozen=True, slots=True)
class Played:
    """A chosen token, with its score and line."""

    token: Token
    score: Score
    depth: int
    nodes: int
    line: tuple[Token, ...]
    """The expected continuation, beginning with the token."""


class Engine(abc.ABC):
    """A computer player.

    Its methods take a :class:`~cairn.Game` in which a tribe decides next, and do not change it. An engine runs one
    search at a time; a second call waits for the first.
    """

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The engine's name in records and tables."""

    @abc.abstractmethod
    def play(self, game: Game, limit: Limit = NO_LIMIT, stopper: Stopper | None = None) -> Played:
        """Choose a token. If another thread ends the search early through ``stopper``, a token is still chosen.

        ``limit`` is optional, because an engine set to a level already has a limit.

        Raises :class:`~cairn.GameOverError` if the game is over, and ``ValueError`` if a tile has to be drawn.
        """

    @abc.abstractmethod
    def search(
        self, game: Game, limit: Limit, lines: int, stopper: Stopper, report: Callable[[Analysis], object]
    ) -> None:
        """Find the ``lines`` best tokens and call ``report`` for each finished depth, at least once. Blocks.

        The last report is the final result.
        """

    def analyse(self, game: Game, limit: Limit | None = None, lines: int = 1) -> Stream[Analysis]:
        """Search in a thread and yield the result of each finished depth.

        Iterate with ``for`` or ``async for``. Leaving the loop or its ``with`` or ``async with`` block ends the search
        immediately, and so does a call to ``stop``. A search without a limit must be ended in one of these ways.
        """
        require_decision(game)
        if lines < 1:
            raise ValueError(f"the number of lines must be at least 1, not {lines}")
        stopper = Stopper()
        asked = game.copy()  # the caller may continue the game
        return Stream(functools.partial(self.search, asked, limit or Limit(), lines, stopper), stopper)

    def new_game(self) -> None:  # noqa: B027  # most engines keep no state
        """Forget the results of other games."""

    def close(self) -> None:  # noqa: B027  # most engines hold no resources
        """Release the engine's resources. The engine cannot be used afterwards."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def require_decision(game: Game) -> None:
    """Raise :class:`~cairn.GameOverError` if the game is over, and ``ValueError`` if a tile has to be drawn."""
    if game.outcome is not None:
        raise GameOverError("the game is over: there is nothing to decide")
    if game.phase is Phase.DRAW:
        raise ValueError("the next token is a tile draw, which an engine cannot choose")
