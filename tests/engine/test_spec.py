"""Engines opened from a text specification."""

from __future__ import annotations

import shlex
import sys

import pytest

from cairn import Game
from cairn.engine import EngineError, ExternalEngine, Limit, NativeEngine, RandomEngine, open_engine


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("full", NativeEngine, "Cairn"),
        ("full,threads=2,hash=16", NativeEngine, "Cairn"),
        ("full,network=none", NativeEngine, "Cairn"),
        ("full,hash=16,network=released", NativeEngine, "Cairn"),
        ("level:4", NativeEngine, "Cairn level 4"),
        ("level:10,seed=3", NativeEngine, "Cairn level 10"),
        ("random", RandomEngine, "random"),
        ("random,seed=3", RandomEngine, "random"),
    ],
)
def test_every_kind_of_engine_can_be_opened(text: str, kind: type, name: str) -> None:
    with open_engine(text) as engine:
        assert isinstance(engine, kind)
        assert engine.name == name
        game = Game.start("standard", seed=1)
        assert engine.play(game, Limit(nodes=500)).token in game.legal_moves


def test_a_command_opens_an_external_engine() -> None:
    command = shlex.join([sys.executable, "-c", "from cairn.cli import main; main()", "engine"])
    with open_engine(f"cmd:{command}") as engine:
        assert isinstance(engine, ExternalEngine)
        assert engine.name == "Cairn"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "expected something like full"),
        ("Full", "expected something like full"),
        ("full:2", "expected something like full"),
        ("level", "the level must be a whole number from 1 to 10, not ''"),
        ("level:0", "not '0'"),
        ("level:4.5", "not '4.5'"),
        ("level:4,threads=2", "'threads' is not one of this engine's settings: seed"),
        ("full,seed=2", "'seed' is not one of this engine's settings: threads, hash"),
        ("full,threads=0", "threads must be a whole number from 1 to 64, not '0'"),
        ("full,threads", "threads must be a whole number"),
        ("full,hash=1,hash=2", "hash appears twice"),
        ("full,network=none,network=none", "network appears twice"),
        ("full,network=/nowhere/weights", "cannot read the network /nowhere/weights: No such file or directory"),
        (f"full,network={__file__}", "not a file of network weights"),
        ("level:4,network=none", "'network' is not one of this engine's settings: seed"),
        ("random,", "'' is not one of this engine's settings"),
        ("cmd:", "expected a command after cmd:"),
        ("cmd:'open", "No closing quotation"),
    ],
)
def test_invalid_engine_texts_are_rejected(text: str, part: str) -> None:
    with pytest.raises(ValueError, match=r"^engine '|^engine \"") as caught:
        open_engine(text)
    assert part in str(caught.value)


def test_an_unknown_program_is_reported() -> None:
    with pytest.raises(EngineError, match=r"^\./nowhere cannot be started: "):
        open_engine("cmd:./nowhere --flag")
