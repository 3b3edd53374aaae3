"""The sample game on the home page."""

from __future__ import annotations

from cairn.server.web.lessons import home


def test_the_sample_game_is_played_to_the_end() -> None:
    outcome = home().now.outcome
    assert outcome is not None
    assert outcome.reason == "score"
