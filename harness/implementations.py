"""The implementations of the rules, behind one small interface.

Each implementation plays tokens from a position and reports its state in the format of the protocol's ``state``
command. The same test can therefore run on all implementations, and any two can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol, TypedDict

import cairn
from cairn import rulebook
from cairn.notation import read_position, read_token, write_position
from cairn.vocabulary import Decider, Outcome, Phase, Token


class State(TypedDict):
    """A moment of a game as text, with the keys and values of the protocol's ``state`` command."""

    position: str
    """The text of the position at the start of the current turn, or of the last turn if the game is over."""
    tokens: list[str]
    """The tokens played since ``position``."""
    board: str
    """The text of the current position."""
    phase: str
    decider: str
    legal: list[str]
    winner: str | None


class Implementation(Protocol):
    """A game that starts from a given position."""

    def __init__(self, position: str) -> None:
        """Raises :class:`cairn.MalformedError` if the position is not valid."""

    def push(self, token: Token) -> None:
        """Play a token. If it cannot be played, raises :class:`cairn.CairnError` and leaves the game unchanged."""

    def state(self) -> State:
        """The current moment."""

    def reason(self) -> str | None:
        """Why the game ended, or ``None`` if it is not over."""

    def perft(self, length: int) -> int:
        """The number of token sequences of the given length from here."""


class RulebookGame:
    """The reference: the rules as readable Python."""

    def __init__(self, position: str) -> None:
        self.game: Final = rulebook.ReferenceGame(read_position(position))
        self._legal: tuple[rulebook.Moment | None, list[Token]] = (None, [])

    @property
    def moment(self) -> rulebook.Moment:
        """The current moment, in the rulebook's representation."""
        return self.game.moment

    def push(self, token: Token) -> None:
        self.game.play(token)

    def state(self) -> State:
        moment = self.moment
        turn = write_position(moment.turn_start), moment.tokens
        return _state(turn, write_position(moment.setup), moment.phase, moment.decider, self.legal(), moment.outcome)

    def legal(self) -> Sequence[Token]:
        """The legal tokens, computed once per moment."""
        if self._legal[0] is not self.moment:
            self._legal = self.moment, self.game.legal_tokens()
        return self._legal[1]

    def reason(self) -> str | None:
        return self.game.outcome.reason.value if self.game.outcome else None

    def perft(self, length: int) -> int:
        return _perft(self.moment, length)


class CoreGame:
    """The native core, through the public API."""

    def __init__(self, position: str) -> None:
        self.game: Final = cairn.Game(position)

    def push(self, token: Token) -> None:
        self.game.push(token)

    def state(self) -> State:
        game = self.game
        return _state(game.last_turn, game.board.text, game.phase, game.decider, game.legal_moves, game.outcome)

    def reason(self) -> str | None:
        return self.game.outcome.reason.value if self.game.outcome else None

    def perft(self, length: int) -> int:
        return self.game.board.perft(length)


IMPLEMENTATIONS: Final[dict[str, type[Implementation]]] = {"rulebook": RulebookGame, "core": CoreGame}


def played(make: type[Implementation], position: str, tokens: Iterable[str]) -> Implementation:
    """Start a game with the implementation ``make``, play ``tokens`` and return the game."""
    game = make(position)
    for token in tokens:
        game.push(read_token(token))
    return game


def _state(
    turn: tuple[str, Sequence[Token]],
    board: str,
    phase: Phase,
    decider: Decider,
    legal: Sequence[Token],
    outcome: Outcome | None,
) -> State:
    position, tokens = turn
    return State(
        position=position,
        tokens=[str(token) for token in tokens],
        board=board,
        phase=phase.value,
        decider=decider.value if decider else "none",
        legal=[str(token) for token in legal],
        winner=(outcome.winner.value if outcome.winner else "draw") if outcome else None,
    )


def _perft(moment: rulebook.Moment, length: int) -> int:
    if length == 0:
        return 1
    tokens = rulebook.legal_tokens(moment)
    return len(tokens) if length == 1 else sum(_perft(rulebook.play(moment, token), length - 1) for token in tokens)
