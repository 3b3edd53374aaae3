"""The steps of a game: each token with its effects, as the pages show them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from cairn.board import Board
from cairn.game import Game
from cairn.server.game.names import SCHEMA, DeciderName, PhaseName, TribeName, decider_name, tribe_name
from cairn.story import Effect, play
from cairn.vocabulary import Phase, Token


# A dataclass with slots: games in memory hold hundreds of steps each.
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


def play_steps(game: Game, tokens: Iterable[Token | str], *, turn: int | None = None) -> list[Step]:
    """Play the tokens on ``game`` and return their steps.

    ``turn`` is the number of the current turn; it is counted if omitted.
    """
    turn = turn_number(game) if turn is None else turn
    steps = []
    for token in tokens:
        active, phase, by = game.board.active, game.phase, game.decider
        effects = play(game, token)
        steps.append(
            Step(
                token=str(token),
                by=decider_name(by) or "chance",  # never None: the token was legal
                active=tribe_name(active),
                turn=turn,
                phase=phase.value,
                effects=effects,
                position=game.board.text,
            )
        )
        turn += game.phase is Phase.ACTION
    return steps


def turn_number(game: Game) -> int:
    """The number of the current turn, starting at 1; of the last turn if the game has ended on the board."""
    board = Board(game.start_text)
    begun = 0
    for token in game.tokens:
        begun += board.phase is Phase.ACTION
        board.push(token)
    if board.phase is Phase.ACTION and not game.is_repetition:
        begun += 1
    return max(begun, 1)  # a tribe without an action in the first position loses in turn 1
