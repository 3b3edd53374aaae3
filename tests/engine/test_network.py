"""The released network: its file, its model card, and what happens without it."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from cairn import Game
from cairn._native import core
from cairn.engine import Limit, NativeEngine
from cairn.engine import network as released
from cairn.engine.network import FILE, NONE, RELEASED, open_network

WEIGHTS = Path(released.__file__).with_name(FILE)
CARD = Path(__file__).parents[2] / "docs" / "network.md"


def test_the_model_card_describes_the_released_weights() -> None:
    assert hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() in CARD.read_text(encoding="utf-8")


def test_the_weights_are_small_enough_for_the_browser() -> None:
    assert len(gzip.compress(WEIGHTS.read_bytes())) <= 280_000


def test_the_engine_uses_the_released_weights_at_full_strength_but_not_in_levels() -> None:
    game = Game.start("expert", seed=5)
    network = open_network(RELEASED)
    assert network is not None
    assert network.hash == core.Network(WEIGHTS.read_bytes()).hash
    limit = Limit(nodes=20_000)
    default, named, plain = (
        engine.play(game, limit)
        for engine in (NativeEngine(), NativeEngine(network=RELEASED), NativeEngine(network=NONE))
    )
    assert default == named
    assert default.score != plain.score
    assert NativeEngine(level=3, seed=1).play(game) == NativeEngine(level=3, seed=1, network=NONE).play(game)


def test_without_weights_the_engine_uses_the_hand_made_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    game, limit = Game.start("expert", seed=5), Limit(nodes=20_000)
    plain = NativeEngine(network=NONE).play(game, limit)
    monkeypatch.setattr(released, "FILE", "missing.bin")
    open_network.cache_clear()
    try:
        assert NativeEngine().play(game, limit) == plain
    finally:
        open_network.cache_clear()


def test_both_players_judge_a_position_alike_after_a_half_turn() -> None:
    network = open_network(RELEASED)
    forest = Game("S1S1S/5/2F2/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 1-0 F").board
    sea = Game("S3S/5/2S2/5/F1F1F b3CD,d3CG DRMD (ADCSPSSA) wofm 0-1 S").board
    assert forest.estimate(network) == sea.estimate(network)
