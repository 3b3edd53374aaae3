"""Both implementations of the rules, the rulebook and the native core, seen through the same window."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import cairn
from cairn import rulebook
from cairn.notation import read_position, read_token, write_position
from cairn.vocabulary import Decider, Outcome, Phase, Token


class Disagreement(Exception):
    """Two answers to the same question."""


@dataclasses.dataclass(frozen=True)
class View:
    """All that can be seen of a moment, in the words of the notation."""

    position: str
    """The seven fields at the start of the turn."""
    tokens: list[str]
    """What was played since."""
    board: str
    """The seven fields now."""
    phase: str
    decider: str
    legal: list[str]
    winner: str | None

    @classmethod
    def of(  # the same conversions for both implementations
        cls,
        turn: tuple[str, Sequence[Token]],
        board: str,
        phase: Phase,
        decider: Decider,
        legal: Sequence[Token],
        outcome: Outcome | None,
    ) -> View:
        """What an implementation answered, as text."""
        start, tokens = turn
        who = decider.value if decider else "none"
        winner = None if outcome is None else outcome.winner.value if outcome.winner else "draw"
        return cls(
            start, [str(token) for token in tokens], board, phase.value, who, [str(each) for each in legal], winner
        )


class Implementation(Protocol):
    """A game that can be played on and looked at."""

    def push(self, token: str) -> None:
        """Play a token."""

    def view(self) -> View:
        """What can be seen now."""


class Rulebook:
    """The reference."""

    def __init__(self, position: str) -> None:
        self.game = rulebook.Game(read_position(position))

    def push(self, token: str) -> None:
        """Play a token."""
        self.game.play(read_token(token))

    def view(self) -> View:
        """What can be seen now."""
        moment = self.game.moment
        turn = (write_position(moment.turn_start), moment.tokens)
        board = write_position(moment.setup)
        return View.of(turn, board, moment.phase, moment.decider, self.game.legal_tokens(), moment.outcome)

    def perft(self, depth: int) -> int:
        """The number of token sequences of that length from here."""
        return _perft(self.game.moment, depth)


class Core:
    """The native core, through the public API."""

    def __init__(self, position: str) -> None:
        self.game = cairn.Game(position)

    def push(self, token: str) -> None:
        """Play a token, take it back, and play it again."""
        board, before = self.game.board, self.game.board.copy()
        self.game.push(token)
        self.game.pop()
        if board != before or board.key != before.key or board.text != before.text:
            raise Disagreement(f"taking {token} back did not restore {before!r} but gave {board!r}")
        self.game.push(token)
        if not board.is_ok():
            raise Disagreement(f"{token} left an inconsistent moment: {board!r} after {before!r}")

    def view(self) -> View:
        """What can be seen now."""
        game = self.game
        return View.of(game.last_turn, game.board.text, game.phase, game.decider, game.legal_moves, game.outcome)

    def perft(self, depth: int) -> int:
        """The number of token sequences of that length from here."""
        return self.game.board.perft(depth)


IMPLEMENTATIONS: Final = (Rulebook, Core)


def expect(found: object, expected: object, where: str) -> None:
    """Raise a :class:`Disagreement` unless both are equal."""
    if found != expected:
        raise Disagreement(f"{where}\n  expected {expected}\n  found    {found}")


def expect_view(implementation: Implementation, expected: View | Mapping[str, Any], where: str) -> None:
    """Compare what an implementation shows with a view, or with those keys of it that a vector has."""
    wanted = dataclasses.asdict(expected) if isinstance(expected, View) else expected
    found = dataclasses.asdict(implementation.view())
    for key in found.keys() & wanted.keys():
        expect(found[key], wanted[key], f"{type(implementation).__name__}, {where}: {key}")


def _perft(moment: rulebook.Moment, depth: int) -> int:
    if depth == 0:
        return 1
    tokens = rulebook.legal_tokens(moment)
    return len(tokens) if depth == 1 else sum(_perft(rulebook.play(moment, token), depth - 1) for token in tokens)
