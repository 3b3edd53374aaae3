"""Every implementation reproduces the printed examples and clarifications, and this project's rulings."""

from __future__ import annotations

import pytest

from harness.implementations import IMPLEMENTATIONS, Implementation, played
from tests.examples import EXAMPLES, Example


@pytest.mark.parametrize("make", IMPLEMENTATIONS.values(), ids=IMPLEMENTATIONS)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_implementation_reproduces_an_example(make: type[Implementation], example: Example) -> None:
    state = played(make, example.position, example.tokens.split()).state()
    assert state["board"] == example.board
    assert (state["phase"], state["decider"]) == (example.phase, example.decider)
    assert state["winner"] == example.winner
    if example.legal is not None:
        assert state["legal"] == example.legal.split()


def test_example_names_are_unique() -> None:
    names = [example.name for example in EXAMPLES]
    assert len(set(names)) == len(names)
