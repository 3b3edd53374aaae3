"""The core as WebAssembly: it reproduces the vectors and gives the same answers as the native core.

Skipped unless ``make wasm`` has built it.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn import Game
from cairn.engine import LEVELS, Limit, NativeEngine
from cairn.server.game.choices import choices
from cairn.story import play
from harness.positions import KINDS, text_of
from harness.vectors import read_vectors

Request = dict[str, Any]
LONGEST = 60
"""The most tokens in a random game."""


class WasmCore:
    """The core in a Node process."""

    def __init__(self, repository: Path) -> None:
        module = repository / "web" / "core" / "cairn.wasm"
        if not module.exists():
            pytest.skip("make wasm has not been run")
        node = Path(sys.executable).with_name("node")
        script = repository / "tests" / "web" / "replay_core.ts"
        self._command = [str(node), "--disable-warning=ExperimentalWarning", str(script), str(module)]

    def ask(self, requests: list[Request]) -> list[Any]:
        """The answer to each request."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        ran = subprocess.run(self._command, input=lines, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        answers = [json.loads(line) for line in ran.stdout.splitlines()]
        assert len(answers) == len(requests)
        return answers


@pytest.fixture(scope="module")
def wasm(repository: Path) -> WasmCore:
    return WasmCore(repository)


def shown(game: Game, effects: tuple[object, ...] | None = None) -> dict[str, Any]:
    """A moment of a game as the page sees it, computed by the native core."""
    over = game.outcome is not None
    decider, winner = game.decider, game.outcome.winner if game.outcome else None
    moment = {
        "position": game.board.text,
        "phase": game.phase.value,
        "decider": decider.value if decider else None,
        "active": game.board.active.value,
        "power": None if over else game.board.power_code,
        "focus": None if over else game.board.focus_name,
        "winner": winner.value if winner else None,
        "choices": [] if over else [dataclasses.asdict(choice) for choice in choices(game.board)],
    }
    legal = [str(token) for token in game.legal_moves]
    if effects is None:
        return {"moment": moment, "legal": legal}
    return {"effects": [dataclasses.asdict(each) for each in effects], "moment": moment, "legal": legal}  # type: ignore[call-overload]


def random_lines(seed: int, count: int) -> Iterator[Request]:
    """Random games from all kinds of positions."""
    rng = random.Random(seed)
    for kind in itertools.islice(itertools.cycle(KINDS), count):
        game = Game(text_of(KINDS[kind](rng)))
        while game.outcome is None and len(game.tokens) < LONGEST:
            game.push(rng.choice(game.legal_moves))
        yield {"position": game.start_text, "tokens": [str(token) for token in game.tokens]}


@pytest.mark.slow
def test_moments_choices_and_effects_equal_those_of_the_native_core(wasm: WasmCore) -> None:
    requests = [*random_lines(1, 120)]
    requests += [{"position": each["position"], "tokens": each["tokens"]} for each in read_vectors("special")]
    requests += [{"position": each["position"], "tokens": each["tokens"]} for each in read_vectors("powers")]
    kinds = set[str]()
    for request, answer in zip(requests, wasm.ask(requests), strict=True):
        game = Game(request["position"])
        expected = [shown(game)]
        for token in request["tokens"]:
            expected.append(shown(game, play(game, token)))
            kinds.update(effect["kind"] for effect in expected[-1]["effects"])
        assert answer == expected
    assert len(kinds) == 19


@pytest.mark.slow
def test_the_vectors_are_reproduced(wasm: WasmCore) -> None:
    games = read_vectors("games")
    requests = [{"position": each["position"], "tokens": [ply["token"] for ply in each["plies"]]} for each in games]
    for game, answer in zip(games, wasm.ask(requests), strict=True):
        for ply, found in zip([game["start"], *game["plies"]], answer, strict=True):
            moment = found["moment"]
            assert (moment["position"], moment["phase"], found["legal"]) == (ply["board"], ply["phase"], ply["legal"])
            assert (moment["decider"] or "none") == ply["decider"]
    perft = [(each["position"], depth, count) for each in read_vectors("perft") for depth, count in
             enumerate(each["perft"], 1) if count < 100_000]  # fmt: skip
    counted = wasm.ask([{"position": position, "perft": depth} for position, depth, _ in perft])
    assert counted == [count for _, _, count in perft]
    assert len(perft) > 50


def test_malformed_positions_and_illegal_tokens_are_refused(wasm: WasmCore) -> None:
    rejected = [each["text"] for each in read_vectors("reject")]
    assert wasm.ask([{"position": text} for text in rejected]) == [None] * len(rejected)
    start = Game.start("beginner", seed=1).start_text
    for token in ("a1-a5", "pass", "?AD", "", "nonsense", "\N{SNOWMAN}"):
        ((_, refused),) = wasm.ask([{"position": start, "tokens": [token]}])
        assert refused is None


@pytest.mark.slow
def test_levels_decide_as_in_python(wasm: WasmCore) -> None:
    requests = []
    for level in LEVELS[:8]:
        for seed, line in enumerate(random_lines(level.number, 6)):
            game = Game(line["position"], line["tokens"][:9])
            if game.outcome is None and game.phase.value != "draw":
                requests.append(
                    {**line, "tokens": line["tokens"][:9], "level": level.number, "seed": str(2**63 + seed)}
                )
    assert len(requests) > 30
    for request, answer in zip(requests, wasm.ask(requests), strict=True):
        game = Game(request["position"], request["tokens"])
        played = NativeEngine(level=request["level"], seed=int(request["seed"])).play(game, Limit())
        line = {"score": played.score.value, "tokens": [str(token) for token in played.line]}
        assert answer == {"depth": played.depth, "nodes": played.nodes, "line": line}


def test_a_search_ends_at_its_limit_or_when_told_to_stop(wasm: WasmCore) -> None:
    start = Game.start("expert", seed=1).start_text
    whole, stopped, over = wasm.ask(
        [
            {"position": start, "nodes": 40_000, "lines": 2},
            {"position": start, "nodes": 0, "stopAfter": 10},
            {"position": "5/5/4S/5/2SFS - ---- - wdfm 0-0 S", "tokens": ["e3-d2"], "nodes": 100},
        ]
    )
    assert 20_000 < whole["nodes"] <= 40_001
    assert len(whole["lines"]) == 2
    assert 0 < stopped["nodes"] <= 512 * 12
    assert stopped["lines"][0]["tokens"]
    assert over is None
