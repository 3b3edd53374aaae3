"""Short versions of the long-running tests in ``tools/prove_online.py``, with small sizes and no speed requirements."""

from __future__ import annotations

import asyncio
import json
import math
import random
from pathlib import Path

import pytest

from cairn.game import Game
from harness.load import costs, cuts, growth, kills, malformed, races, report, secrecy, traffic

pytestmark = [
    pytest.mark.usefixtures("preloaded_servers"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # connections that are cut on purpose
]


@pytest.mark.slow
@pytest.mark.proof
def test_the_load_test_finds_no_faults() -> None:
    # Each of the 40 games gets a token every 1/8 s: 16 tokens per game, because the run ends just before the 17th.
    size = traffic.Size(games=40, watchers=10, rate=320, seconds=1.998, rounds=1, round_seconds=0.5)
    outcome = asyncio.run(traffic.prove(size, lambda _: None))
    assert outcome.faults == []
    assert outcome.sockets == 2 * 40 + 10
    # On a slow machine, tokens arrive late, but they still count. Only lost tokens would be missing here.
    assert outcome.tokens == len(outcome.latencies) == 16 * 40
    assert min(outcome.latencies) > 0
    assert len(outcome.fast) == len(outcome.echo) == 1
    assert outcome.fast[0] * size.round_seconds >= 1
    assert outcome.echo[0] * size.round_seconds >= 1
    assert 1 < outcome.memory[0] < 4_096  # MiB


def test_the_statistics_of_the_load_test_are_correct() -> None:
    outcome = traffic.TrafficResult(tokens=200, seconds=4.0, latencies=[each / 1_000 for each in range(200, 0, -1)])
    assert outcome.rate == 50
    assert outcome.percentile(0.5) == pytest.approx(101)
    assert outcome.percentile(0.99) == pytest.approx(199)
    assert outcome.percentile(1) == pytest.approx(200)
    outcome = traffic.TrafficResult(fast=[10, 30, 8], echo=[20, 30, 10])
    assert outcome.ratio == pytest.approx(0.8)
    assert math.isnan(traffic.TrafficResult().ratio)


@pytest.mark.slow
@pytest.mark.proof
def test_the_growth_test_finds_no_faults() -> None:
    size = growth.Size(processes=(2,), games=3, rounds=1, round_seconds=0.5, rate=30, seconds=0.999)
    outcome = asyncio.run(growth.prove(size, lambda _: None))
    assert outcome.faults == []
    (point,) = outcome.points
    assert len(point.fast) == 2  # measured once in increasing and once in decreasing order
    assert min(point.fast) > 0
    assert len(point.latencies) == 2 * 2 * 30
    assert min(point.latencies) > 0


def test_the_growth_test_compares_throughput_with_linear_scaling() -> None:
    outcome = growth.GrowthResult([growth.Point(4, fast=[300, 280, 10]), growth.Point(1, fast=[90, 100, 110])])
    assert outcome.efficiency(outcome.points[0]) == pytest.approx(0.7)
    assert outcome.efficiency(outcome.points[1]) == 1


@pytest.mark.slow
@pytest.mark.proof
def test_the_cost_test_finds_no_faults() -> None:
    size = costs.Size(games=(3,), lengths=(200,), loads=2, rounds=2, restarts=1)
    outcome = asyncio.run(costs.prove(size, lambda _: None))
    assert outcome.faults == []
    for point in (*outcome.games, *outcome.lengths):
        assert min(point.restart, point.restart_seconds) > 0


def test_the_cost_test_fits_a_line() -> None:
    points = [
        costs.Point(at, token=1.0, load=2 + at / 100, restart=5.0, restart_seconds=1.0) for at in (50, 500, 5_000)
    ]
    assert costs.line(points, lambda point: point.load) == pytest.approx((2, 0.01))
    assert costs.line(points, lambda point: point.token) == pytest.approx((1, 0))


def test_a_long_game_can_be_uploaded() -> None:
    body = costs.long_game(600, random.Random(1))
    assert len(body["tokens"]) == 600
    assert Game(body["position"], body["tokens"]).outcome is None


@pytest.mark.slow
@pytest.mark.proof
def test_the_race_test_finds_no_faults() -> None:
    outcome = asyncio.run(races.prove(races.Size(submissions=60, connections=5, rounds=4)))
    assert outcome.faults == []
    assert (outcome.submissions, outcome.revisions) == (60, 5)
    assert outcome.won_by_socket + outcome.won_by_http == outcome.revisions


@pytest.mark.slow
@pytest.mark.proof
def test_the_test_of_cut_connections_finds_no_faults() -> None:
    # A slow machine may take a long time, but in the end the player and the server must have the same game.
    outcome = asyncio.run(cuts.prove(cuts.Size(cuts=20, games=2, equal_seconds=30)))
    assert outcome.faults == []
    assert outcome.cuts >= 20
    assert outcome.pending > 0


@pytest.mark.slow
@pytest.mark.proof
def test_the_test_of_malformed_messages_finds_no_faults() -> None:
    outcome = asyncio.run(malformed.prove(malformed.Size(by_socket=400, by_http=100)))
    assert outcome.faults == []
    assert (outcome.by_socket, outcome.by_http) == (400, 100)
    assert outcome.answers > 0
    assert outcome.tokens > 0


@pytest.mark.slow
@pytest.mark.proof
def test_the_test_of_killed_servers_finds_no_faults() -> None:
    outcome = asyncio.run(kills.prove(kills.Size(kills=2, games=3, most_tokens=3, playable_seconds=60)))
    assert outcome.faults == []
    assert outcome.kills == 2
    assert outcome.acknowledged > 0


@pytest.mark.slow
@pytest.mark.proof
def test_the_secrecy_test_finds_no_faults() -> None:
    outcome = asyncio.run(secrecy.prove(secrecy.Size(games=1)))
    assert outcome.faults == []
    assert outcome.pairs == 1
    assert outcome.messages > 6
    assert outcome.answers > 0


def test_a_leaked_secret_is_detected() -> None:
    outcome = secrecy.SecrecyResult()
    seed = bytes(range(32))
    plain = secrecy.Seen(sockets=[["one"]], secrets=[seed], tokens=["a seat's"])
    for leak in (seed.hex(), "a seat's"):
        secrecy.compare(plain, secrecy.Seen([["one"]], raw=[leak], secrets=[seed], tokens=["a seat's"]), outcome)
    secrecy.compare(plain, secrecy.Seen([["other"]]), outcome)
    assert len(outcome.faults) == 3


def test_a_seed_always_gives_the_same_malformed_messages() -> None:
    sent = [[malformed.some_text(random.Random(seed)) for _ in range(3)] for seed in (1, 1, 2)]
    assert sent[0] == sent[1] != sent[2]


def test_an_interrupted_long_running_test_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "PROGRESS", tmp_path)
    size = cuts.Size()
    report.Progress("cuts", size, cuts.CutResult()).add(cuts.CutResult(cuts=5, slowest=0.5, faults=["one"]), 2)
    again = report.Progress("cuts", size, cuts.CutResult())
    again.add(cuts.CutResult(cuts=6, slowest=0.25), 3)
    assert again.outcome == cuts.CutResult(cuts=11, slowest=0.5, faults=["one"])
    assert (again.batches, again.seconds) == (2, 5)
    assert json.loads((tmp_path / "cuts.json").read_text())["batches"] == 2
    assert report.Progress("cuts", cuts.Size(seed=2), cuts.CutResult()).batches == 0
