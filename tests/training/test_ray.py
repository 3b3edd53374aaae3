"""Self-play and the gate on a Ray cluster on this machine. ``make prove-ray`` installs Ray and runs the tests."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn.cluster import ClusterError
from cairn.engine.network import RELEASED, open_network, weights_of
from cairn.training.gate import play_gate
from cairn.training.self_play import play_games, play_games_on_ray
from cairn.training.settings import GateSettings, SelfPlaySettings

GAMES = SelfPlaySettings(games=10, nodes=60, shards=4)


@pytest.fixture
def address() -> Iterator[str]:
    ray = pytest.importorskip("ray", reason="Ray is not installed. Run: make prove-ray")
    warnings.simplefilter("ignore")
    ray.init(num_cpus=2, include_dashboard=False)
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


@pytest.mark.filterwarnings("ignore")  # Ray does not close all of its sockets and files
def test_a_ray_cluster_plays_the_same_training_games(address: str, tmp_path: Path) -> None:
    counts: list[int] = []
    here = play_games(tmp_path / "here", GAMES, 5, open_network(), 2, lambda _: None)
    there = play_games_on_ray(tmp_path / "there", GAMES, 5, weights_of(RELEASED), address, counts.append)
    assert [file.read_bytes() for file in there] == [file.read_bytes() for file in here]
    assert (counts[0], counts[-1]) == (0, 10)
    # A file that was interrupted is played again, and the others are not.
    contents = there[0].read_bytes()
    there[0].write_bytes(b"")
    play_games(there[0].parent, SelfPlaySettings(games=4, nodes=60, shards=4), 5, open_network(), 1, lambda _: None)
    assert there[0].read_bytes() != contents
    counts.clear()
    play_games_on_ray(tmp_path / "there", GAMES, 5, weights_of(RELEASED), address, counts.append)
    assert there[0].read_bytes() == contents
    assert counts == [7, 10]


@pytest.mark.filterwarnings("ignore")
def test_a_gate_on_a_ray_cluster_is_the_same(address: str, tmp_path: Path) -> None:
    settings, found = GateSettings(nodes=60, pairs=2), []
    for name, ray in (("here", ""), ("there", address)):
        candidate = tmp_path / name / "network.bin"
        candidate.parent.mkdir()
        candidate.write_bytes(weights_of(RELEASED) or b"")
        standings = play_gate(candidate, "none", settings, 1, 1, ray, lambda _: None)
        found.append((standings.games, standings.estimate()))
    assert found[0] == found[1]


def test_self_play_on_ray_says_which_package_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install 'cairn-game\[ray\]'"):
        play_games_on_ray(tmp_path, GAMES, 5, None, "auto", lambda _: None)
