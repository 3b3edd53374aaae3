"""The sample game on the home page."""

from __future__ import annotations

import json
from pathlib import Path

import cairn


def test_the_sample_game_is_played_to_the_end(repository: Path) -> None:
    sample = json.loads((repository / "web" / "src" / "app" / "home" / "sample.json").read_text(encoding="utf-8"))
    game = cairn.Game(sample["position"])
    for token in sample["tokens"]:
        game.push(token)
    assert game.outcome is not None
    assert game.outcome.reason is cairn.Reason.SCORE
