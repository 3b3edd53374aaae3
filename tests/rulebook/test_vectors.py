"""The rulebook reproduces the test vectors to the letter."""

from __future__ import annotations

import json
import pathlib
from typing import Any, Final

import pytest

from cairn import rulebook
from cairn.notation import read_position, read_token, write_position

DATA: Final = pathlib.Path(__file__).parent.parent / "data"
MOST_LEAVES: Final = 3000
"""Perft counts above this are left to faster implementations."""

Vector = dict[str, Any]


def vectors(name: str) -> list[Vector]:
    with (DATA / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def state(moment: rulebook.Moment) -> Vector:
    winner = None
    if moment.outcome:
        winner = moment.outcome.winner.value if moment.outcome.winner else "draw"
    return {
        "board": write_position(moment.setup),
        "phase": moment.phase.value,
        "decider": moment.decider.value if moment.decider else "none",
        "legal": [str(token) for token in rulebook.legal_tokens(moment)],
        "winner": winner,
    }


def expected(vector: Vector) -> Vector:
    return {key: vector[key] for key in ("board", "phase", "decider", "legal", "winner")}


def played(vector: Vector) -> rulebook.Game:
    game = rulebook.Game(read_position(vector["position"]))
    for token in vector["tokens"]:
        game.play(read_token(token))
    return game


@pytest.mark.parametrize("vector", vectors("games"), ids=lambda vector: vector["variant"])
def test_games(vector: Vector) -> None:
    game = rulebook.Game(read_position(vector["position"]))
    assert state(game.moment) == expected(vector["start"])
    for ply in vector["plies"]:
        game.play(read_token(ply["token"]))
        assert state(game.moment) == expected(ply)


@pytest.mark.parametrize("vector", vectors("powers"), ids=lambda vector: vector["tile"])
def test_powers(vector: Vector) -> None:
    moment = played(vector).moment
    assert state(moment) == expected(vector)
    for choice in vector["choices"]:
        assert state(rulebook.play(moment, read_token(choice["token"]))) == expected(choice)


@pytest.mark.parametrize("vector", vectors("special"), ids=lambda vector: ", ".join(vector["why"]))
def test_special(vector: Vector) -> None:
    assert state(played(vector).moment) == expected(vector)


def perft(moment: rulebook.Moment, length: int) -> int:
    tokens = rulebook.legal_tokens(moment)
    if length == 1:
        return len(tokens)
    return sum(perft(rulebook.play(moment, token), length - 1) for token in tokens)


@pytest.mark.parametrize("vector", vectors("perft"), ids=lambda vector: vector["position"])
def test_perft(vector: Vector) -> None:
    start = rulebook.begin(read_position(vector["position"]))
    counts = [count for count in vector["perft"] if count <= MOST_LEAVES]
    assert [perft(start, length) for length in range(1, len(counts) + 1)] == counts
