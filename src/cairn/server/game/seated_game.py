"""A game between two seats, and its steps. The core does the work; this module converts to and from Python's types.

The core knows who has to decide, holds turns until they are confirmed, draws tiles, and knows which tokens can be taken
back. The web app uses the same code, compiled to WebAssembly, for local games without a server.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Final

from cairn import _native
from cairn.board import Board, require_several
from cairn.game import Game
from cairn.notation.faults import encode
from cairn.refusal import error_of
from cairn.server.game.header import OnlineTerms
from cairn.server.game.names import SCHEMA, DeciderName, PhaseName, TribeName
from cairn.server.game.seats import Seat, Seats
from cairn.story import Effect, effects_of
from cairn.vocabulary import CHANCE, FOREST, SEA, TRIBES, Decider, Outcome, Phase, Reason, Setup, Token, Tribe

_PHASES: Final = tuple(Phase)
_DECIDERS: Final[tuple[Decider, ...]] = (FOREST, SEA, CHANCE, None)
_WINNERS: Final = (None, FOREST, SEA)
_TRIBES: Final[dict[str | None, Tribe | None]] = {None: None, **{tribe.value: tribe for tribe in TRIBES}}
ONE_SCREEN: Final = Seats(Seat("person"), Seat("person"))


# Slots save memory, because each game in memory has hundreds of steps.
@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """One token of a game and its effects."""

    __pydantic_config__ = SCHEMA

    token: str
    by: DeciderName
    """The tribe that decided, or chance."""
    active: TribeName
    """The tribe whose turn it was."""
    turn: int
    """The number of the turn, starting at 1."""
    phase: PhaseName
    """The phase in which the token was played."""
    effects: tuple[Effect, ...]
    position: str
    """The position after the token, as text with seven fields, even in the middle of a turn."""


class SeatedGame(_native.SeatedGame):
    """A game between two seats."""

    def __init__(
        self,
        position: str | Setup | Board,
        seats: Seats = ONE_SCREEN,
        online: OnlineTerms | None = None,
        declared: Outcome | None = None,
    ) -> None:
        board = Board(position)
        levels = (seats.forest.level or 0, seats.sea.level or 0)
        super().__init__(board, _code_of(declared), levels, online is not None, online is not None and online.rated)
        self.start_text: Final = board.turn_start
        """The position at the start of the game, as text."""

    # --- Changes

    def play(self, token: str, key: bytes | None, *, hold: bool = False) -> list[Step]:
        """Play a token and draw the tile if one is due. Raises :class:`~cairn.CairnError` if the token is refused.

        With ``hold``, a draw and the end of the player's own turn wait for a confirmation. Without a key, nothing is
        drawn yet.
        """
        fault, steps = self.play_token(encode(token), hold or key is None, key or b"")
        if fault:
            raise error_of(fault, token)
        if key is None and not hold:
            self.follow_confirmation()
        return _steps(steps)

    def draw(self, key: bytes) -> list[Step]:
        """Draw tiles while chance decides and no confirmation is pending."""
        return _steps(self.draw_tiles(key))

    def follow(self, token: str, *, hold: bool = False) -> Step:
        """Play a token from a log, in which draws are separate tokens. With ``hold``, the turn or draw is held."""
        fault, steps = self.follow_token(encode(token), hold)
        if fault:
            raise error_of(fault, token)
        (step,) = _steps(steps)
        return step

    def follow_all(self, tokens: Iterable[Token | str]) -> list[Step]:
        """Play tokens without holding turns or draws. Raises :class:`~cairn.CairnError` for the first refused token."""
        return [self.follow(str(token)) for token in require_several(tokens)]

    def end(self, outcome: Outcome) -> None:
        """Declare how the game ended. Raises ``ValueError`` if it is over or cannot end that way."""
        if not self.declare(_code_of(outcome)):
            raise ValueError(f"the game cannot end by {outcome.reason.value}")

    # --- Queries

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it is in progress."""
        code = self.outcome_code
        return _outcome_of(code) if code else None

    @property
    def declared(self) -> Outcome | None:
        """How the game ended, if that was declared."""
        code = self.declared_code
        return _outcome_of(code) if code else None

    @property
    def phase(self) -> Phase:
        """The kind of token that comes next."""
        return _PHASES[self.phase_number]

    @property
    def decider(self) -> Decider:
        """Who chooses the next token; ``None`` when the game is over."""
        return _DECIDERS[self.decider_number]

    @property
    def held(self) -> Tribe | None:
        """The tribe that has to confirm its completed turn or the next tile draw."""
        return _TRIBES[self.held_name]

    @property
    def to_move(self) -> Tribe | None:
        """The tribe that has to decide or confirm; ``None`` when the game is over."""
        return _TRIBES[self.to_move_name]

    @property
    def board(self) -> Board:
        """A copy of the current moment, with its history."""
        return Board(self.moments)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens played since the start."""
        return self.moments.history

    @property
    def legal_moves(self) -> Sequence[Token]:
        """The tokens that can be played now, in ASCII order; empty when the game is over."""
        return () if self.is_over else tuple(self.moments.legal_moves)

    def copy(self) -> Game:
        """An independent game with the same start, tokens and declared end. No token is replayed."""
        return Game.of_moments(self.start_text, self.moments, self.declared)


def _steps(rows: Iterable[tuple[str, DeciderName, TribeName, int, PhaseName, tuple[int, ...], str]]) -> list[Step]:
    return [
        Step(token, by, active, turn, phase, effects_of(effects), position)
        for token, by, active, turn, phase, effects, position in rows
    ]


def _code_of(outcome: Outcome | None) -> tuple[int, str] | None:
    return (_WINNERS.index(outcome.winner), outcome.reason.value) if outcome else None


def _outcome_of(code: tuple[int, str]) -> Outcome:
    winner, reason = code
    return Outcome(_WINNERS[winner], Reason(reason))
