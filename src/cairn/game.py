"""A game: a start position, the tokens played from there, repetition (G3) and declared endings."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Final

from cairn._native import Moments
from cairn.board import Board, require_several
from cairn.vocabulary import Decider, GameOverError, Outcome, Phase, Reason, Setup, Token, Variant


class Game:
    """A whole game, from its start position.

    Use it like a :class:`~cairn.Board`. In addition, a game is drawn by repetition (G3), and it can end by agreement,
    resignation, time or abandonment (:meth:`end`).

    >>> game = Game.start("beginner", seed=1)
    >>> while game.outcome is None:
    ...     game.push(game.legal_moves[0])  # the first legal move leads to a repetition
    >>> game.outcome.reason.rule
    'G3'
    >>> Game("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F", ["a1-a2"])
    Game('S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F', ['a1-a2'])
    """

    def __init__(self, position: str | Setup | Board, tokens: Iterable[Token | str] = ()) -> None:
        self.board = position.copy(history=False) if isinstance(position, Board) else Board(position)
        """The current moment. Push to the game and not to this board; otherwise the outcome is not updated."""
        self.declared: Outcome | None = None
        """The outcome declared with :meth:`end`."""
        self.start_text: Final = self.board.turn_start
        """The position at the start of the game, as text."""
        self._ended: Outcome | None = self.board.outcome
        """How the game ended on the board, if it did."""
        for token in require_several(tokens):
            self.push(token)

    @classmethod
    def start(cls, variant: Variant | str = Variant.BEGINNER, seed: int | None = None) -> Game:
        """A new game; see :meth:`cairn.Board.start`."""
        return cls(Board.start(variant, seed))

    @classmethod
    def of_moments(cls, start: str, moments: Moments, declared: Outcome | None) -> Game:
        """A game that began at ``start`` and has reached ``moments``. No tokens are replayed."""
        game = cls(start)
        game.board = Board(moments)
        game.declared = declared
        game._update_outcome()
        return game

    def push(self, token: Token | str) -> None:
        """Play a token. Raises :class:`~cairn.CairnError` if it cannot be played."""
        if not self.board.is_over and self.outcome is not None:
            raise GameOverError(f"{str(token)!r} cannot be played: the game is over ({self.outcome.reason.value})")
        self.board.push(token)
        self._update_outcome()

    def pop(self) -> Token:
        """Take back the last token and any declared end."""
        token = self.board.pop()
        self.declared = None
        self._update_outcome()
        return token

    def end(self, outcome: Outcome) -> None:
        """Declare how the game ended: by agreement, resignation, time or abandonment."""
        if outcome.reason in (Reason.SCORE, Reason.NO_ACTION, Reason.REPETITION):
            raise ValueError(f"{outcome.reason.value} is decided on the board and cannot be declared")
        if self.outcome is not None:
            raise GameOverError(f"the game is already over ({self.outcome.reason.value})")
        self.declared = outcome

    def copy(self) -> Game:
        """An independent game with the same start, tokens and declared end. No tokens are replayed."""
        game = copy.copy(self)
        game.board = self.board.copy()
        return game

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens played since the start."""
        return self.board.history

    @property
    def is_repetition(self) -> bool:
        """Whether the position at the start of this turn has occurred for the third time (G3)."""
        return self.board.is_repetition

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it is in progress."""
        return self._ended or self.declared

    @property
    def phase(self) -> Phase:
        """The kind of token that comes next."""
        return self.board.phase if self.outcome is None else Phase.OVER

    @property
    def decider(self) -> Decider:
        """Who chooses the next token; ``None`` when the game is over."""
        return self.board.decider if self.outcome is None else None

    @property
    def legal_moves(self) -> Sequence[Token]:
        """The tokens that can be pushed now, in ASCII order; empty when the game is over."""
        return tuple(self.board.legal_moves) if self.outcome is None else ()

    @property
    def last_turn(self) -> tuple[str, tuple[Token, ...]]:
        """The position at the start of the current or last turn, and the tokens played since."""
        if self.is_repetition and self.tokens:
            # The board has already begun the next turn, but the game ended in a draw before it.
            before = self.board.copy()
            last = before.pop()
            return before.turn_start, (*before.turn_tokens, last)
        return self.board.turn_start, self.board.turn_tokens

    def __repr__(self) -> str:
        tokens = [str(token) for token in self.tokens]
        return f"Game({self.start_text!r}, {tokens})" if tokens else f"Game({self.start_text!r})"

    def _update_outcome(self) -> None:
        """Update the cached outcome after every token."""
        self._ended = Outcome(None, Reason.REPETITION) if self.is_repetition else self.board.outcome
