"""The builds of the native core for different processors give the same answers."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from cairn import _core
from harness.random_network import random_weights
from harness.vectors import read_vectors

NEEDS_V3 = pytest.mark.skipif(not _core.runs_v3(), reason="this processor cannot run the v3 build")
BUILDS = ["baseline", pytest.param("v3", marks=NEEDS_V3)]
START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
QUESTIONS = """
import base64, json, sys
from cairn import Board, _native
vectors = json.load(sys.stdin)
start = Board(vectors["start"])
network = _native.core.Network(base64.b64decode(vectors["network"]))


def search(position):
    # Thousands of evaluations, each from the sums of the one before.
    engine = _native.Engine(1, 1, network)
    ((score, depth, tokens),) = engine.search(Board(position), 3000, 0, 1, 0, 0, None)
    return [score, depth, [str(token) for token in tokens], engine.nodes]


print(json.dumps({
    "cpu": _native.cpu,
    "module": _native.core.__name__,
    "perft": [[Board(each["position"]).perft(n + 1) for n in range(len(each["perft"]))] for each in vectors["perft"]],
    "deep": [start.perft(depth) for depth in range(7)],
    "playouts": start.random_playouts(500, 1),
    "keys": [Board(each["position"]).key for each in vectors["perft"]],
    "estimates": [Board(each["position"]).estimate(network) for each in vectors["perft"]],
    "searches": [search(each["position"]) for each in vectors["perft"]],
}))
"""


def answers(build: str) -> dict[str, Any]:
    """Return the answers of a process that uses the given build."""
    network = base64.b64encode(random_weights(1)).decode()
    question = json.dumps({"start": START, "perft": read_vectors("perft"), "network": network})
    environment = {**os.environ, "CAIRN_CPU": build}
    command = [sys.executable, "-c", QUESTIONS]
    ran = subprocess.run(command, input=question, env=environment, capture_output=True, text=True, check=True)
    given: dict[str, Any] = json.loads(ran.stdout)
    return given


@pytest.mark.parametrize("build", BUILDS)
def test_a_build_reproduces_the_perft_vectors(build: str) -> None:
    given = answers(build)
    assert given["cpu"] == build
    assert given["module"] == ("cairn._core" if build == "baseline" else "cairn._core_v3")
    assert given["perft"] == [vector["perft"] for vector in read_vectors("perft")]
    assert given["deep"][:6] == [1, 8, 43, 336, 2442, 19301]


@NEEDS_V3
def test_both_builds_agree() -> None:
    baseline, v3 = answers("baseline"), answers("v3")
    assert len(set(v3["estimates"])) > len(v3["estimates"]) / 2
    for key in ("perft", "deep", "playouts", "keys", "estimates", "searches"):
        assert baseline[key] == v3[key]


def test_an_unknown_build_is_rejected() -> None:
    environment = {**os.environ, "CAIRN_CPU": "abacus"}
    command = [sys.executable, "-c", "import cairn"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "CAIRN_CPU is 'abacus'" in ran.stderr
