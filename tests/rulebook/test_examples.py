"""The worked examples of the printed rulebooks, their clarifications, and this project's rulings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

import pytest
from tests.examples import EXAMPLES, Example

from cairn import rulebook
from cairn.notation import read_position, read_token, write_position


class State(TypedDict):
    """What every implementation can say about a moment, as text."""

    board: str
    phase: str
    decider: str
    legal: list[str]
    winner: str | None


Implementation = Callable[[str, list[str]], State]
"""Plays tokens from a position and says where that leads."""


def play_by_the_rulebook(position: str, tokens: list[str]) -> State:
    game = rulebook.Game(read_position(position))
    for token in tokens:
        game.play(read_token(token))
    winner = None
    if game.outcome:
        winner = game.outcome.winner.value if game.outcome.winner else "draw"
    return State(
        board=write_position(game.moment.setup),
        phase=game.phase.value,
        decider=game.decider.value if game.decider else "none",
        legal=[str(token) for token in game.legal_tokens()],
        winner=winner,
    )


@pytest.fixture(params=[play_by_the_rulebook])
def implementation(request: pytest.FixtureRequest) -> Implementation:
    chosen: Implementation = request.param
    return chosen


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example(implementation: Implementation, example: Example) -> None:
    state = implementation(example.position, example.tokens.split())
    assert state["board"] == example.board
    assert (state["phase"], state["decider"]) == (example.phase, example.decider)
    assert state["winner"] == example.winner
    if example.legal is not None:
        assert state["legal"] == example.legal.split()


def test_names_are_unique() -> None:
    names = [example.name for example in EXAMPLES]
    assert len(set(names)) == len(names)
