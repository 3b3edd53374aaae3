"""The engine protocol: every command, every vector, and everything that could break it."""

from __future__ import annotations

import io
import itertools
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from cairn.engine import Protocol, serve
from cairn.engine.protocol import LONGEST_LINE

POSITION: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
DATA: Final = Path(__file__).parents[1] / "data"
KEYS: Final = ["position", "tokens", "board", "phase", "decider", "legal", "winner"]
COMPARED: Final = KEYS[2:]

Vector = dict[str, Any]


def vectors(name: str) -> list[Vector]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def ask(protocol: Protocol, line: str | bytes) -> list[str]:
    return list(protocol.answer(line if isinstance(line, bytes) else line.encode()))


def state(protocol: Protocol) -> Vector:
    (line,) = ask(protocol, "state")
    found: Vector = json.loads(line)
    assert list(found) == KEYS
    return found


def position(start: str, tokens: list[str]) -> str:
    return f"position {start} moves {' '.join(tokens)}" if tokens else f"position {start}"


def expected(vector: Vector) -> Vector:
    return {key: vector[key] for key in COMPARED}


def compared(found: Vector) -> Vector:
    return {key: found[key] for key in COMPARED}


@pytest.fixture
def protocol() -> Protocol:
    started = Protocol()
    assert ask(started, position(POSITION, [])) == []
    return started


def test_cep_introduces_the_engine() -> None:
    first, second, *options, last = ask(Protocol(), "cep")
    assert first.startswith("id name ")
    assert second.startswith("id version ")
    assert options == ["option name Seed type spin default 0 min 0 max 9223372036854775807"]
    assert last == "cepok"


def test_commands_without_an_answer_or_with_a_short_one(protocol: Protocol) -> None:
    assert ask(protocol, "isready") == ["readyok"]
    assert ask(protocol, "newgame") == []
    assert ask(protocol, "stop") == []
    assert ask(protocol, "") == []
    assert ask(protocol, " \t\r\n") == []
    assert ask(protocol, "  isready \r\n") == ["readyok"]
    assert ask(protocol, "quit") == []
    assert protocol.over


@pytest.mark.parametrize("vector", vectors("games"), ids=lambda vector: vector["variant"])
def test_state_follows_every_game(vector: Vector) -> None:
    protocol = Protocol()
    tokens: list[str] = []
    assert ask(protocol, position(vector["position"], tokens)) == []
    assert compared(state(protocol)) == expected(vector["start"])
    for ply in vector["plies"]:
        tokens.append(ply["token"])
        assert ask(protocol, position(vector["position"], tokens)) == []
        assert compared(state(protocol)) == expected(ply)


@pytest.mark.parametrize("name", ["powers", "special"])
def test_state_shows_every_rare_moment(name: str) -> None:
    for vector in vectors(name):
        protocol = Protocol()
        assert ask(protocol, position(vector["position"], vector["tokens"])) == []
        assert compared(state(protocol)) == expected(vector)
        for choice in vector.get("choices", ()):
            assert ask(protocol, position(vector["position"], [*vector["tokens"], choice["token"]])) == []
            assert compared(state(protocol)) == expected(choice)


def test_perft_counts_every_vector() -> None:
    protocol = Protocol()
    for vector in vectors("perft"):
        ask(protocol, position(vector["position"], []))
        for depth, count in enumerate(vector["perft"], start=1):
            assert ask(protocol, f"perft {depth}") == [f"perft {depth} {count}"]
    assert ask(protocol, "perft 0") == ["perft 0 1"]


def test_texts_that_are_no_position_are_refused_and_the_position_stays(protocol: Protocol) -> None:
    before = state(protocol)
    for vector in vectors("reject"):
        (answer,) = ask(protocol, f"position {vector['text']}")
        assert answer.startswith("error ")
        assert vector["at"] in answer
    assert state(protocol) == before


def test_the_last_turn_stays_when_a_game_is_drawn() -> None:
    vector = next(vector for vector in vectors("special") if vector["winner"] == "draw")
    protocol = Protocol()
    ask(protocol, position(vector["position"], vector["tokens"]))
    found = state(protocol)
    assert found["tokens"] == vector["tokens"][-1:]
    assert ask(protocol, "go") == ["error go: the game is over"]


def test_repetition_counts_from_the_position_that_was_named() -> None:
    vector = next(vector for vector in vectors("special") if vector["winner"] == "draw")
    protocol = Protocol()
    ask(protocol, position(vector["position"], vector["tokens"][:-1]))
    here = state(protocol)
    assert here["tokens"] == []
    ask(protocol, position(here["position"], vector["tokens"][-1:]))
    assert state(protocol)["winner"] is None


def test_ten_thousand_pairs_of_growing_games() -> None:
    protocol = Protocol()
    pairs = 0
    for vector in itertools.cycle(vectors("games")):
        tokens: list[str] = []
        for ply in [vector["start"], *vector["plies"]]:
            tokens += [ply["token"]] if "token" in ply else []
            assert ask(protocol, position(vector["position"], tokens)) == []
            (line,) = ask(protocol, "state")
            assert f'"board":"{ply["board"]}"' in line
            pairs += 1
        if pairs >= 10_000:
            break
    assert pairs >= 10_000


def test_any_jump_between_texts_of_a_game_equals_a_fresh_start() -> None:
    chance = random.Random(5)
    protocol = Protocol()
    chosen = vectors("games")[-3:]
    for _ in range(300):
        vector = chance.choice(chosen)
        tokens = [ply["token"] for ply in vector["plies"]][: chance.randrange(len(vector["plies"]) + 1)]
        if chance.random() < 0.3:
            tokens.append(chance.choice(["a1-a1", "pass", "", "?AD", "zz"]))
        fresh = Protocol()
        answer = ask(protocol, position(vector["position"], tokens))
        assert answer == ask(fresh, position(vector["position"], tokens))
        if not answer:
            assert ask(protocol, "state") == ask(fresh, "state")


def test_an_illegal_move_plays_none_of_the_new_ones(protocol: Protocol) -> None:
    ask(protocol, position(POSITION, ["a1-a2"]))
    before = state(protocol)
    (answer,) = ask(protocol, position(POSITION, ["a1-a2", "a5-b4", "c1-c5"]))
    assert answer.startswith("error position: move 3: 'c1-c5' is not legal")
    assert state(protocol) == before
    assert ask(protocol, position(POSITION, ["a1-a2", "a5-b4"])) == []
    assert len(state(protocol)["legal"]) > 1


def test_position_start_deals() -> None:
    first, second = Protocol(), Protocol()
    for protocol in (first, second):
        assert ask(protocol, "position start expert seed 7") == []
    assert state(first) == state(second)
    token = state(first)["legal"][0]
    assert ask(first, f"position start expert seed 7 moves {token}") == []
    assert state(first)["board"] != state(second)["board"]
    seen = set()
    for _ in range(40):
        assert ask(first, "position start beginner") == []
        seen.add(state(first)["board"])
    assert len(seen) > 1


def test_go_plays_a_legal_token_and_the_same_one_again(protocol: Protocol) -> None:
    chosen = set()
    for seed in range(30):
        assert ask(protocol, f"setoption name seed value {seed}") == []
        info, best = ask(protocol, "go movetime 100 nodes 5 depth 3")
        assert ask(protocol, "go")[-1] == best
        word, token = best.split()
        assert word == "bestmove"
        assert token in state(protocol)["legal"]
        assert info == f"info depth 1 score points 0 nodes 1 nps 0 time 0 pv {token}"
        chosen.add(token)
    assert len(chosen) > 1


def test_an_infinite_search_answers_when_it_is_stopped(protocol: Protocol) -> None:
    (info,) = ask(protocol, "go infinite")
    assert info.startswith("info ")
    assert ask(protocol, "isready") == ["readyok"]
    assert ask(protocol, "newgame") == ["error newgame: a search is going on; stop it first"]
    (best,) = ask(protocol, "stop")
    assert best.startswith("bestmove ")
    assert ask(protocol, "stop") == []


def test_go_does_not_draw_tiles() -> None:
    vector = next(game for game in vectors("games") if any(ply["phase"] == "draw" for ply in game["plies"]))
    until = next(index for index, ply in enumerate(vector["plies"], start=1) if ply["phase"] == "draw")
    protocol = Protocol()
    ask(protocol, position(vector["position"], [ply["token"] for ply in vector["plies"][:until]]))
    assert ask(protocol, "go") == ["error go: chance draws a tile, not the engine"]


BAD: Final = [
    "xyzzy", "CEP", "cep now", "isready?", "isready now", "quit now", "stop it", "newgame x", "state x",
    "perft", "perft -1", "perft 1.5", "perft ٣", "perft 1_0", "perft 100", "perft 3 4", "perft " + "9" * 5000,
    "go x", "go depth", "go depth 0", "go depth x", "go depth 1 depth 2", "go infinite infinite", "go movetime -5",
    "setoption", "setoption name Seed", "setoption name Seed value", "setoption name Seed value x",
    "setoption name Seed value -1", "setoption name Seed value 9223372036854775808", "setoption name Hash value 1",
    "setoption value 1 name Seed", "position", "position start", "position start huge", "position start beginner seed",
    "position start beginner seed -1", "position start beginner 5", "position startbeginner", "position moves a1-a2",
    f"position {POSITION} move a1-a2", f"position {POSITION}  moves a1-a2", f"position {POSITION} moves a1-a2 a1-a2",
    f"position {POSITION} moves " + "DR:" * 9000 + "use", f"position {POSITION} moves \x00", f"position {POSITION}\x00",
    f"position {POSITION} moves é", "\x00", "\x1b[2J", "st\rate", "\u2028", "é", "{" * 9999,
]  # fmt: skip


@pytest.mark.parametrize("line", BAD, ids=lambda line: ascii(line[:30]))
def test_a_bad_command_answers_one_error_and_changes_nothing(protocol: Protocol, line: str) -> None:
    before = ask(protocol, "state"), ask(protocol, "go")
    (answer,) = ask(protocol, line)
    assert answer.startswith("error ")
    assert answer.isprintable()
    assert len(answer) < 1100
    assert (ask(protocol, "state"), ask(protocol, "go")) == before
    assert not protocol.over


@pytest.mark.parametrize("line", [b"\xff\xfe", b"state\xff", b"\xed\xa0\x80", bytes(range(128, 256))])
def test_bytes_that_are_no_text_are_one_error(protocol: Protocol, line: bytes) -> None:
    (answer,) = ask(protocol, line)
    assert answer.startswith("error the line is not UTF-8")


def test_without_a_position_there_is_nothing_to_tell() -> None:
    for command in ("state", "perft 1", "go"):
        (answer,) = ask(Protocol(), command)
        assert answer == f"error {command.split()[0]}: there is no position yet; name one with position"


def served(commands: bytes) -> list[str]:
    answers = io.BytesIO()
    serve(io.BytesIO(commands), answers)
    return answers.getvalue().decode().splitlines()


def test_a_line_that_is_too_long_is_skipped_to_its_end() -> None:
    too_long = b"position " + b"x" * (5 * LONGEST_LINE) + b"\nisready\n"
    answer, ready = served(too_long)
    assert answer == f"error the line is longer than {LONGEST_LINE} bytes"
    assert ready == "readyok"
    fits = b"perft " + b"x" * (LONGEST_LINE - 6)
    assert served(fits + b"\r\nisready")[0].startswith("error perft")
    for end in (b"\nisready\n", b"\r\nisready\n", b"x\nisready\n", b"xx\nisready\n", b"x\r\nisready\n"):
        assert len(served(fits + end)) == 2


def test_the_last_line_needs_no_end_and_nothing_is_read_after_quit() -> None:
    assert served(b"isready") == ["readyok"]
    assert served(b"quit\nisready\n") == []
    assert served(b"") == []


def test_noise_gets_at_most_one_error_for_each_line() -> None:
    chance = random.Random(11)
    for _ in range(200):
        noise = chance.randbytes(200).replace(b"\n", b" ")
        assert all(line.startswith("error ") for line in served(noise))


ENGINE: Final = [sys.executable, "-c", "from cairn.cli import main; main()", "engine"]


def test_a_real_process_plays_a_whole_game() -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout

        def tell(line: str) -> None:
            assert process.stdin
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()

        def hear() -> str:
            assert process.stdout
            return process.stdout.readline().decode().rstrip("\n")

        tell("cep")
        while hear() != "cepok":
            pass
        tokens: list[str] = []
        for _ in range(400):
            tell(position("start beginner seed 1", tokens))
            tell("state")
            found = json.loads(hear())
            if found["phase"] == "over":
                break
            if found["phase"] == "draw":
                tokens.append(found["legal"][0])
                continue
            tell("go movetime 10")
            assert hear().startswith("info ")
            tokens.append(hear().removeprefix("bestmove "))
        assert len(tokens) > 10
        tell("quit")
        assert process.wait(timeout=30) == 0


def test_a_real_process_ends_with_its_input_and_quietly_when_nobody_listens() -> None:
    ended = subprocess.run(ENGINE, input=b"isready\n", capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"readyok\n", b"")
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        try:
            process.stdin.write(b"isready\n" * 1000)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 0
