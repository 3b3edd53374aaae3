"""The board: one point in a game. Tokens can be played and taken back."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Final

from cairn import rulebook, svg
from cairn._native import Moments
from cairn.notation import read_position, write_position
from cairn.notation.position import setup_of
from cairn.vocabulary import (
    CHANCE,
    FOREST,
    POINTS_TO_WIN,
    SEA,
    TRIBES,
    Decider,
    Megalith,
    Outcome,
    Phase,
    Reason,
    Setup,
    Space,
    Token,
    Tribe,
    Variant,
    megalith_of,
    space_of,
)

_PHASES: Final = tuple(Phase)
_DECIDERS: Final[tuple[Decider, ...]] = (FOREST, SEA, CHANCE, None)


def require_several(tokens: Iterable[Token | str]) -> Iterable[Token | str]:
    """Return the tokens. Raise ``TypeError`` for a single string, whose letters would otherwise be taken for tokens."""
    if isinstance(tokens, str):
        raise TypeError(f"expected a list of tokens such as {tokens.split()}, not the string {tokens!r}")
    return tokens


class Board(Moments):
    """One point in a game, with the tokens that led to it.

    A board follows all rules except the draw by repetition (G3), which depends on the whole game; see
    :class:`cairn.Game`. Two boards are equal if they are at the same moment: they have the same seven fields, the same
    phase, and the same state of the turn wherever it affects the rest of the game. Earlier tokens do not matter.

    >>> board = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    >>> board.push("+d1")
    >>> board
    Board('S1S1S/5/5/5/F1FFF b3CG,d3CD DRMD (ADCSPSSA) bofm 0-0 S')
    >>> "a5-a4" in board.legal_moves
    True
    >>> board.pop()
    Add(space=d1)
    """

    def __init__(self, position: str | Setup | Moments, tokens: Iterable[Token | str] = ()) -> None:
        """Create a board at ``position`` (notation, a set-up, or a board to copy) and play ``tokens``.

        Raises :class:`~cairn.MalformedError` with every fault in the position, or the error for the first token that
        cannot be played.
        """
        if isinstance(position, Moments):
            super().__init__(position)
        else:
            if isinstance(position, Setup):
                position.check()
                position = write_position(position)
            elif not isinstance(position, str):
                raise TypeError(f"expected a position as text, Setup or Board, not {type(position).__name__}")
            try:
                super().__init__(position)
            except ValueError:
                read_position(position)  # raises an error that lists the faults
                raise
        for token in require_several(tokens):
            self.push(token)

    @classmethod
    def start(cls, variant: Variant | str = Variant.BEGINNER, seed: int | None = None) -> Board:
        """Deal a starting position (S1-S5). The same seed always gives the same position.

        >>> Board.start("expert", seed=7) == Board.start("expert", seed=7)
        True

        Without a seed, the starting position is random. Raises ``ValueError`` for an unknown variant or a negative
        seed.
        """
        if variant not in {*Variant, *(each.value for each in Variant)}:
            raise ValueError(f"expected a variant ({', '.join(each.value for each in Variant)}), not {variant!r}")
        if seed is not None and not isinstance(seed, int):
            raise TypeError(f"expected a non-negative whole number as the seed, not {type(seed).__name__}")
        if seed is not None and seed < 0:
            raise ValueError(f"expected a non-negative whole number as the seed, not {seed}")
        return cls(rulebook.deal(Variant(variant), random.Random(seed)))

    @property
    def phase(self) -> Phase:
        """The kind of token that comes next."""
        return _PHASES[self.phase_number]

    @property
    def decider(self) -> Decider:
        """Who chooses the next token: a tribe, :data:`cairn.CHANCE`, or ``None`` when the game is over."""
        return _DECIDERS[self.decider_number]

    @property
    def active(self) -> Tribe:
        """The tribe whose turn it is; after the end of the game, the tribe whose turn it was or would have been."""
        return TRIBES[self.active_number]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by score or because the active player has no legal action."""
        return self.winner_number != 0

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it is in progress."""
        if not self.is_over:
            return None
        winner = TRIBES[self.winner_number - 1]
        by_score = self.scores[winner] == POINTS_TO_WIN
        return Outcome(winner, Reason.SCORE if by_score else Reason.NO_ACTION)

    @property
    def power(self) -> Megalith | None:
        """In phase POWER, the megalith whose power is being applied; otherwise ``None``."""
        return megalith_of(self.power_code) if self.power_code else None

    @property
    def focus(self) -> Space | None:
        """In phase POWER, the space of :attr:`power`; in phase BUILD, the space to build on; otherwise ``None``."""
        return space_of(self.focus_name) if self.focus_name else None

    @property
    def setup(self) -> Setup:
        """The seven fields of the current position, as a :class:`Setup`."""
        return setup_of(self.text)

    @property
    def scores(self) -> dict[Tribe, int]:
        """The scores of both tribes."""
        return dict(zip(TRIBES, self.points, strict=True))

    def copy(self, *, history: bool = True) -> Board:
        """An independent copy at the same moment. Without ``history``, the copy has only the tokens of this turn."""
        board = type(self)(self)
        if not history:
            board.forget_history()
        return board

    def __eq__(self, other: object) -> bool:
        return self.same_moment(other) if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        """The hash of the moment. Do not push to a board that is in a set or used as a dict key."""
        return self.key

    def __repr__(self) -> str:
        tokens = ", ".join(repr(str(token)) for token in self.turn_tokens)
        return f"Board({self.turn_start!r}, [{tokens}])" if tokens else f"Board({self.turn_start!r})"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.turn_start, [str(token) for token in self.turn_tokens])

    def _repr_svg_(self) -> str:
        return svg.board(self.setup, last=self.turn_tokens)
