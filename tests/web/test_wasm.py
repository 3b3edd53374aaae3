"""The core as WebAssembly: it reproduces the test vectors and gives the same answers as the native core.

Skipped unless ``make wasm`` or ``make pages`` has built it.
"""

from __future__ import annotations

import base64
import dataclasses
import itertools
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from cairn import CHANCE, FOREST, Game, MalformedError, Outcome, Reason, Record, fairness, read_record, write_record
from cairn._native import core
from cairn.engine import LEVELS, Limit, NativeEngine
from cairn.notation.records import Note
from cairn.puzzles import Goal, released
from cairn.server.game.choices import choices
from cairn.story import play
from cairn.vocabulary import TRIBES, Variant
from harness.positions import KINDS, text_of
from harness.random_network import random_weights
from harness.reviews import played_game
from harness.vectors import read_vectors
from harness.wasm.core import Request, WasmCore

LONGEST = 60
"""The maximum number of tokens in a random game."""


@pytest.fixture(scope="module")
def wasm() -> WasmCore:
    return WasmCore()


def shown(game: Game, effects: tuple[object, ...] | None = None) -> dict[str, Any]:
    """A moment of a game as the page sees it, computed by the native core."""
    outcome, decider = game.outcome, game.decider
    over = outcome is not None
    moment = {
        "position": game.board.text,
        "phase": game.phase.value,
        "decider": decider.value if decider else None,
        "active": game.board.active.value,
        "power": None if over else game.board.power_code,
        "focus": None if over else game.board.focus_name,
        "outcome": outcome and {"winner": outcome.winner and outcome.winner.value, "reason": outcome.reason.value},
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
def test_the_test_vectors_are_reproduced(wasm: WasmCore) -> None:
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


def without_words(error: MalformedError) -> list[dict[str, Any]]:
    """The faults as the core reports them, without the English sentences and places that Python adds."""
    return [{"kind": fault.kind, "details": dict(fault.details)} for fault in error.faults]


def found_faults(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"kind": fault["kind"], "details": fault["details"]} for fault in answer["faults"]]


def test_malformed_positions_have_the_same_faults(wasm: WasmCore) -> None:
    rejected = [each["text"] for each in read_vectors("reject")]
    for text, answer in zip(rejected, wasm.ask([{"position": text} for text in rejected]), strict=True):
        with pytest.raises(MalformedError) as caught:
            Game(text)
        assert found_faults(answer) == without_words(caught.value)
        assert [fault["field"] for fault in answer["faults"]] == [fault.field for fault in caught.value.faults]


def test_illegal_tokens_are_refused_with_the_reason(wasm: WasmCore) -> None:
    start = Game.start("beginner", seed=1).start_text
    tokens = {"a1-a5": "illegal-token", "pass": "illegal-token", "?AD": "illegal-token", "": "not-a-token",
              "nonsense": "not-a-token", "\N{SNOWMAN}": "not-a-token", "DR:pass": "not-a-power"}  # fmt: skip
    for token, kind in tokens.items():
        ((_, refused),) = wasm.ask([{"position": start, "tokens": [token]}])
        assert [fault["kind"] for fault in refused["faults"]] == [kind]


def test_records_are_read_and_written_as_in_python(wasm: WasmCore) -> None:
    rng = random.Random(3)
    texts = []
    for line in random_lines(3, 30):
        game = Game(line["position"], line["tokens"])
        if game.outcome is None and rng.random() < 0.5:
            game.end(Outcome(FOREST, Reason.RESIGNATION))
        notes = {index: Note((index % 256,), ('\u00e9 "quoted"',)) for index in range(0, len(game.tokens), 3)}
        texts.append(write_record(Record(game, {"Sea": 'a "b" \\ \u00fc', "Zeal": ""}, notes)))
    damaged = [text[:place] + rng.choice("x}{$1[\n\x00\u00e9") + text[place + 1 :] for text in texts
               for place in rng.sample(range(len(text)), 4)]  # fmt: skip
    sent = [text.encode() for text in [*texts, *damaged]] + [b"ab\xff", b"\xed\xa0\x80"]
    answers = wasm.ask([{"record": base64.b64encode(each).decode()} for each in sent])
    refused = 0
    for record, answer in zip(sent, answers, strict=True):
        if "faults" in answer:
            with pytest.raises(MalformedError) as caught:
                read_record(record)
            assert found_faults(answer) == without_words(caught.value)
            refused += 1
            continue
        read = read_record(record)
        assert answer["written"] == {"text": write_record(read)}
        assert answer["tokens"] == [str(token) for token in read.game.tokens]
        assert answer["moment"] == shown(read.game)["moment"]
        assert dict(answer["headers"]) == read.headers
    assert refused > 30


def test_a_key_gives_the_same_deal_as_on_the_server(wasm: WasmCore) -> None:
    rng = random.Random(2)
    deals = [(rng.randbytes(32), variant, first) for variant in Variant for first in (None, *TRIBES, None)]
    requests = [
        {"deal": {"key": key.hex(), "variant": variant.value, "first": first and first.value}}
        for key, variant, first in deals
    ]
    assert wasm.ask(requests) == [fairness.deal(*each) for each in deals]


@pytest.mark.slow
def test_levels_decide_as_in_python(wasm: WasmCore) -> None:
    requests = []
    for level in LEVELS[:8]:
        for seed, line in enumerate(random_lines(level.number, 6)):
            game = Game(line["position"], line["tokens"][:9])
            if game.outcome is None and game.phase.value != "draw":
                requests.append(
                    {
                        **line,
                        "tokens": line["tokens"][:9],
                        "level": level.number,
                        "seed": str(2**63 + seed),
                        "pauseEvery": 2 + seed,
                    }
                )
    assert len(requests) > 30
    for request, answer in zip(requests, wasm.ask(requests), strict=True):
        game = Game(request["position"], request["tokens"])
        played = NativeEngine(level=request["level"], seed=int(request["seed"])).play(game, Limit())
        line = {"score": played.score.value, "tokens": [str(token) for token in played.line]}
        assert answer == {"done": True, "depth": played.depth, "nodes": played.nodes, "lines": [line]}


@pytest.mark.slow
def test_a_network_gives_the_same_searches_as_in_python(wasm: WasmCore) -> None:
    weights = random_weights(1)
    network = core.Network(weights)
    lines = [{**line, "tokens": line["tokens"][:9], "nodes": 4_000} for line in random_lines(5, 40)]
    games = [Game(line["position"], line["tokens"]) for line in lines]
    lines = [
        line for line, game in zip(lines, games, strict=True) if game.outcome is None and game.decider is not CHANCE
    ]
    damaged, loaded, *answers = wasm.ask([*({"network": _base64(each)} for each in (weights[1:], weights)), *lines])
    assert (damaged, loaded) == (False, True)
    differing = 0
    for line, answer in zip(lines, answers, strict=True):
        game = Game(line["position"], line["tokens"])
        engine = core.Engine(core.LEVEL_MEGABYTES, 1, network)
        ((score, depth, tokens),) = engine.search(game.board, line["nodes"], 0, 1, 0, 0, None)
        found = {"score": score, "tokens": [str(token) for token in tokens]}
        assert answer == {"done": True, "depth": depth, "nodes": engine.nodes, "lines": [found]}
        plain = core.Engine(core.LEVEL_MEGABYTES, 1).search(game.board, line["nodes"], 0, 1, 0, 0, None)
        differing += plain != [(score, depth, tokens)]
    assert differing > len(answers) / 2
    (level,) = wasm.ask([{**lines[0], "level": 3, "seed": "1"}])
    _, with_network = wasm.ask([{"network": _base64(weights)}, {**lines[0], "level": 3, "seed": "1"}])
    assert with_network == level


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_a_search_ends_at_its_limit_or_when_it_is_stopped(wasm: WasmCore) -> None:
    start = Game.start("expert", seed=1).start_text
    whole, paused, stopped, over = wasm.ask(
        [
            {"position": start, "nodes": 40_000, "lines": 2},
            {"position": start, "nodes": 40_000, "lines": 2, "pauseEvery": 2},
            {"position": start, "nodes": 0, "pauseEvery": 5, "stopAfter": 2},
            {"position": "5/5/4S/5/2SFS - ---- - wdfm 0-0 S", "tokens": ["e3-d2"], "nodes": 100},
        ]
    )
    assert 20_000 < whole["nodes"] <= 40_001
    assert len(whole["lines"]) == 2
    assert paused == whole
    assert 0 < stopped["nodes"] < 40_000
    assert stopped["lines"][0]["tokens"]
    assert over is None


def test_the_decisions_and_chances_of_puzzles_are_judged_like_in_the_native_core(wasm: WasmCore) -> None:
    chosen = [puzzle for goal in Goal for puzzle in [each for each in released() if each.goal is goal][::20]]
    moments = [
        {
            "position": puzzle.position,
            "tokens": list(puzzle.tokens),
            "before": len(puzzle.tokens),
            "attacker": puzzle.attacker.value,
            "turns": puzzle.turns,
        }
        for puzzle in chosen
    ]
    methods = ["odds" if puzzle.goal is Goal.ODDS else "judge" for puzzle in chosen]
    answers = wasm.call(*([method, moment] for method, moment in zip(methods, moments, strict=True)))
    for puzzle, answer in zip(chosen, answers, strict=True):
        attacker = TRIBES.index(puzzle.attacker)
        if puzzle.goal is Goal.ODDS:
            chances = core.chances_by_token(puzzle.board, attacker, puzzle.turns, 10_000_000) or []
            exact = {str(token): Fraction(chance, core.CERTAIN_CHANCE) for token, chance in chances}
            assert {each["token"]: Fraction(*each["chance"]) for each in answer} == exact
            assert [each["token"] for each in answer if each["best"]] == [puzzle.solution[0]]
        else:
            judged = core.Solver(16).turns_by_token(puzzle.board, attacker, puzzle.turns, 0)
            assert answer["tokens"] == [{"token": str(token), "turns": turns} for token, turns in judged]
            assert (answer["decider"], answer["winner"], answer["turns"]) == (puzzle.decider.value, None, puzzle.turns)


def test_the_line_of_a_puzzle_is_followed_to_its_end(wasm: WasmCore) -> None:
    puzzle = next(each for each in released() if (each.goal, each.turns) == (Goal.WIN, 3))
    tokens = [*puzzle.tokens, *puzzle.solution]
    moment = {"before": len(puzzle.tokens), "attacker": puzzle.decider.value, "turns": 3, "position": puzzle.position}
    ended, wrong = wasm.call(["judge", {**moment, "tokens": tokens}], ["judge", {**moment, "tokens": ["a1-a9"]}])
    assert (ended["winner"], ended["decider"], ended["turns"], ended["tokens"]) == (puzzle.decider.value, None, 1, [])
    assert wrong is None


def test_reviews_and_retries_are_the_same_as_in_python(wasm: WasmCore) -> None:
    for seed in (3, 10):
        game = played_game(seed)
        winner = None if game.declared is None else [None, *TRIBES].index(game.declared.winner)
        reviewer = core.Reviewer(game.board, winner, 3_000)
        expected = json.loads(reviewer.assemble([reviewer.search(unit) for unit in range(len(reviewer.weights))]))
        tried = [
            (index, str(token))
            for index in [index for index, step in enumerate(expected["steps"]) if step["loss"]][:2]
            for token in Game(game.start_text, game.tokens[:index]).legal_moves
        ]
        record = base64.b64encode(write_record(Record(game)).encode()).decode()
        (found,) = wasm.ask([{"record": record, "review": {"nodes": 3_000, "retries": tried}}])
        assert found["review"] == expected
        assert found["retries"] == [json.loads(reviewer.retry(index, token)) for index, token in tried]
