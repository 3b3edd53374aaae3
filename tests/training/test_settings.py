"""The configuration of training."""

from __future__ import annotations

from pathlib import Path

import pytest

from cairn.training.settings import TrainingError, TrainingSettings, read_settings

EXAMPLE = Path(__file__).parents[2] / "docs" / "training.toml"


def test_the_documented_example_lists_every_key_with_its_default() -> None:
    assert read_settings(EXAMPLE) == TrainingSettings()
    text = EXAMPLE.read_text(encoding="utf-8")
    for settings in (TrainingSettings(), TrainingSettings().self_play, TrainingSettings().fit, TrainingSettings().gate):
        for name in settings.__slots__:
            assert f"\n{name} = " in text or f"\n[{name}]" in text


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("seed = ", "Invalid value"),
        ("sead = 1", "unknown key sead"),
        ("seed = 'one'", "seed must be of type int"),
        ("seed = true", "seed must be of type int"),
        ("seed = -1", "must not be negative"),
        ("fit = 3", "fit must be a table"),
        ("[fit]\nepoch = 3", "fit: unknown key epoch"),
        ("[fit]\nscore_weight = 1.5", "score_weight must be from 0 to 1"),
        ("generations = 0", "at least one generation"),
        ("[self_play]\ngames = 3\nshards = 4", "one game per shard"),
    ],
)
def test_an_invalid_configuration_is_rejected(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TrainingError, match=r"settings\.toml: ") as caught:
        read_settings(path)
    assert part in str(caught.value)
