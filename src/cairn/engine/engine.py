"""What every computer player can do, whether it thinks here, elsewhere or not at all."""

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
    """An engine that does not start, died, does not answer, or breaks the protocol or the rules."""


class IllegalPlayError(EngineError):
    """An engine that played an illegal token."""


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A token worth considering, and how play would go on."""

    score: Score
    """For whoever decides now."""
    tokens: tuple[Token, ...]
    """At least the token itself."""

    @property
    def token(self) -> Token:
        """The first one."""
        return self.tokens[0]


@dataclasses.dataclass(frozen=True, slots=True)
class Analysis:
    """What was found at one depth."""

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
    """A token that was chosen, and why."""

    token: Token
    score: Score
    depth: int
    nodes: int
    line: tuple[Token, ...]
    """How play is expected to go on; begins with the token."""


class Engine(abc.ABC):
    """A computer player.

    It is asked about a :class:`~cairn.Game` at a moment when a tribe decides, and leaves that game alone. One engine
    works on one question at a time: a second one waits for the first.
    """

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """How the engine is called in records and tables."""

    @abc.abstractmethod
    def play(self, game: Game, limit: Limit = NO_LIMIT, stopper: Stopper | None = None) -> Played:
        """Choose a token. ``stopper`` lets another thread end the thinking early; something is chosen all the same.

        A level needs no limit, it has its own.

        :class:`~cairn.GameOverError` after the end of the game, ``ValueError`` where chance decides.
        """

    @abc.abstractmethod
    def search(
        self, game: Game, limit: Limit, lines: int, stopper: Stopper, report: Callable[[Analysis], object]
    ) -> None:
        """Look for the best ``lines`` tokens and report each finished depth, at least once: blocking :meth:`analyse`.

        What is reported last is what the search ended with.
        """

    def analyse(self, game: Game, limit: Limit | None = None, lines: int = 1) -> Stream[Analysis]:
        """What the engine thinks, again after each finished depth, while it goes on thinking in a thread of its own.

        Iterate over it with ``for`` or ``async for``; leaving the loop, its ``with`` or ``async with`` block, or
        calling ``stop`` on it ends the search at once. Without a limit, only that does.
        """
        require_decision(game)
        if lines < 1:
            raise ValueError(f"at least one line is analysed, not {lines}")
        stopper = Stopper()
        asked = game.copy()  # the caller may go on playing
        return Stream(functools.partial(self.search, asked, limit or Limit(), lines, stopper), stopper)

    def new_game(self) -> None:  # noqa: B027  # most engines remember nothing
        """Forget what was found in other games."""

    def close(self) -> None:  # noqa: B027  # most engines hold nothing
        """Give back what the engine holds; it cannot be used any more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def require_decision(game: Game) -> None:
    """Raise where no tribe decides: :class:`~cairn.GameOverError` after the end, ``ValueError`` before a draw."""
    if game.outcome is not None:
        raise GameOverError("the game is over: there is nothing to decide")
    if game.phase is Phase.DRAW:
        raise ValueError("chance draws a tile now, no engine decides")
