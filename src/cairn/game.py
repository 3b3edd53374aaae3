"""A game: a start position, everything played since, and what only a whole game knows (G3, agreements)."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import Final

from cairn.board import Board, require_several
from cairn.rulebook.ending import REPETITIONS_TO_DRAW
from cairn.vocabulary import Decider, GameOverError, Outcome, Phase, Reason, Setup, Token, Variant


class Game:
    """A game from its first position on.

    It plays like a :class:`~cairn.Board` and, beyond it, draws by repetition (G3) and ends by agreement, resignation,
    time or abandonment (:meth:`end`).

    >>> game = Game.start("beginner", seed=1)
    >>> while game.outcome is None:
    ...     game.push(game.legal_moves[0])  # who always takes the first move goes round in circles
    >>> game.outcome.reason.rule
    'G3'
    >>> Game("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F", ["a1-a2"])
    Game('S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F', ['a1-a2'])
    """

    def __init__(self, position: str | Setup | Board, tokens: Iterable[Token | str] = ()) -> None:
        self.board: Final = position.copy(history=False) if isinstance(position, Board) else Board(position)
        """The moment that stands now. Push through the game, not through the board, so that it counts repetitions."""
        self.declared: Outcome | None = None
        """The outcome that was declared by :meth:`end`."""
        self._past_turns: Final[collections.Counter[str]] = collections.Counter([self.board.turn_start])
        self.start_text: Final = self.board.turn_start
        """The position that the game began with, as text."""
        self._ended: Outcome | None = self.board.outcome
        """How the game ended on the board."""
        for token in require_several(tokens):
            self.push(token)

    @classmethod
    def start(cls, variant: Variant | str = Variant.BEGINNER, seed: int | None = None) -> Game:
        """A new game: see :meth:`cairn.Board.start`."""
        return cls(Board.start(variant, seed))

    def push(self, token: Token | str) -> None:
        """Play a token; :class:`~cairn.CairnError` says why it cannot be played."""
        if not self.board.is_over and self.outcome is not None:
            raise GameOverError(f"{str(token)!r} cannot be played: the game is over ({self.outcome.reason.value})")
        self.board.push(token)
        if self._stands_at_turn_start():
            self._past_turns[self.board.text] += 1
        self._look_for_the_end()

    def pop(self) -> Token:
        """Take the last token back; what was declared about the end is taken back with it."""
        text, stood_at_turn_start = self.board.text, self._stands_at_turn_start()
        token = self.board.pop()
        if stood_at_turn_start:
            self._past_turns[text] -= 1
        self.declared = None
        self._look_for_the_end()
        return token

    def end(self, outcome: Outcome) -> None:
        """Declare how the game ended: agreement, resignation, time or abandonment."""
        if outcome.reason in (Reason.SCORE, Reason.NO_ACTION, Reason.REPETITION):
            raise ValueError(f"{outcome.reason.value} is decided on the board, it cannot be declared")
        if self.outcome is not None:
            raise GameOverError(f"the game is over already ({self.outcome.reason.value})")
        self.declared = outcome

    def copy(self) -> Game:
        """An independent game with the same start, tokens and declared end."""
        game = type(self)(self.start_text, self.tokens)
        game.declared = self.declared
        return game

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Everything played since the game began."""
        return self.board.history

    @property
    def is_repetition(self) -> bool:
        """Whether the position that stands at the start of this turn has come for the third time (G3)."""
        return self._stands_at_turn_start() and self._past_turns[self.board.text] >= REPETITIONS_TO_DRAW

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""
        return self._ended or self.declared

    @property
    def phase(self) -> Phase:
        """What is asked for now."""
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
        """The position at the start of the running or last turn, and the tokens played since."""
        if self.is_repetition and self.tokens:
            # The board has begun a turn that the draw forestalls; the last turn is the one before it.
            before = self.board.copy()
            last = before.pop()
            return before.turn_start, (*before.turn_tokens, last)
        return self.board.turn_start, self.board.turn_tokens

    def __repr__(self) -> str:
        tokens = [str(token) for token in self.tokens]
        return f"Game({self.start_text!r}, {tokens})" if tokens else f"Game({self.start_text!r})"

    def _look_for_the_end(self) -> None:
        """Called after every token, so that asking for the outcome costs nothing."""
        self._ended = Outcome(None, Reason.REPETITION) if self.is_repetition else self.board.outcome

    def _stands_at_turn_start(self) -> bool:
        return self.board.phase is Phase.ACTION
