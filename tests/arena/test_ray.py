"""Arena tests on a Ray cluster with two nodes on this machine. ``make prove-ray`` installs Ray and runs the tests."""

from __future__ import annotations

import functools
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.arena import ArenaError, play_on_ray, run
from cairn.arena.ray_pool import RemoteWorker
from tests.arena.players import games_of, play, rogue, settings


def test_the_error_says_which_package_to_install_if_ray_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    wanted = settings("random", "random")
    with pytest.raises(ArenaError, match=r"pip install 'cairn-game\[ray\]'"):
        next(play_on_ray(wanted, list(wanted.jobs()), jobs=None, address="auto"))


@pytest.fixture
def cluster() -> Iterator[Any]:
    pytest.importorskip("ray", reason="Ray is not installed. Run: make prove-ray")
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    made.shutdown()


# Ray does not close all of its sockets and files, so the garbage collector warns about them.
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_plays_the_same_games(cluster: Any, tmp_path: Path) -> None:
    import ray

    warnings.simplefilter("ignore")
    wanted = settings("random", "level:1", rogue("crash"), pairs=2)
    there = tmp_path / "there"
    pool = functools.partial(play_on_ray, jobs=None, address=cluster.address)
    standings = run(wanted, there / "arena.jsonl", there / "arena.cairn", pool)
    assert standings.games == 12
    assert dict(standings.forfeits) == {(2, "crash"): 8}
    play(wanted, tmp_path / "here")
    games = [
        games_of([json.loads(line) for line in (folder / "arena.jsonl").read_text().splitlines()[1:]])
        for folder in (there, tmp_path / "here")
    ]
    assert games[0] == games[1]

    # The workers are spread over both nodes.
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        actor = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(RemoteWorker)
        workers = [actor.remote(wanted.to_json()) for _ in range(2)]
        assert len(set(ray.get([worker.where.remote() for worker in workers]))) == 2
        for worker in workers:
            ray.kill(worker)
    finally:
        ray.shutdown()
    with pytest.raises(ArenaError, match="level:12 cannot play"):
        next(play_on_ray(settings("random", "level:12"), list(wanted.jobs()), jobs=1, address=cluster.address))


@pytest.mark.filterwarnings("ignore")
def test_a_lost_machine_does_not_lose_games(cluster: Any) -> None:
    warnings.simplefilter("ignore")
    lost = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    wanted = settings("random", "level:1", pairs=10)
    jobs = list(wanted.jobs())
    finished = []
    for result in play_on_ray(wanted, jobs, jobs=3, address=cluster.address):
        finished.append(result.job)
        if len(finished) == 3:
            cluster.remove_node(lost, allow_graceful=False)
    assert sorted(finished, key=jobs.index) == jobs
