"""The engine protocol: every command, every test vector, and malformed or badly timed input."""

from __future__ import annotations

import io
import itertools
import json
import queue
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from cairn import Board, Game
from cairn.engine import Limit, NativeEngine, Protocol, serve
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


GUARD: Final = 5.0
"""The time in seconds within which a finished or stopped search must answer, even on a slow machine."""
INFO: Final = re.compile(
    r"info depth (\d+)(?: multipv (\d+))? score (?:points -?\d+|win \d+|loss \d+) nodes \d+ nps \d+ time \d+ pv (.+)"
)


class Driver:
    """A protocol and the output of its searches."""

    def __init__(self) -> None:
        self.output: queue.Queue[str] = queue.Queue()
        self.protocol = Protocol(self.output.put)
        assert self.ask(position(POSITION, [])) == []

    def ask(self, line: str) -> list[str]:
        return ask(self.protocol, line)

    def until_best(self) -> tuple[list[str], str]:
        """Return the info lines of a search and its best move, after checking their form."""
        infos: list[str] = []
        while INFO.fullmatch(line := self.output.get(timeout=GUARD)):
            infos.append(line)
        word, token = line.split()
        assert word == "bestmove"
        assert infos
        return infos, token

    def go(self, rest: str = "") -> tuple[list[str], str]:
        assert self.ask(f"go {rest}") == []
        return self.until_best()


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
    assert options == [
        "option name Threads type spin default 1 min 1 max 64",
        "option name Hash type spin default 64 min 1 max 65536",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Level type spin default 0 min 0 max 10",
        "option name Seed type spin default 0 min 0 max 9223372036854775807",
        "option name Ponder type spin default 0 min 0 max 1",
    ]
    assert last == "cepok"


def test_simple_commands_answer_with_at_most_one_line(protocol: Protocol) -> None:
    assert ask(protocol, "isready") == ["readyok"]
    assert ask(protocol, "newgame") == []
    assert ask(protocol, "stop") == []
    assert ask(protocol, "") == []
    assert ask(protocol, " \t\r\n") == []
    assert ask(protocol, "  isready \r\n") == ["readyok"]
    assert ask(protocol, "quit") == []
    assert protocol.over


@pytest.mark.parametrize("vector", vectors("games"), ids=lambda vector: vector["variant"])
def test_state_matches_every_game_vector(vector: Vector) -> None:
    protocol = Protocol()
    tokens: list[str] = []
    assert ask(protocol, position(vector["position"], tokens)) == []
    assert compared(state(protocol)) == expected(vector["start"])
    for ply in vector["plies"]:
        tokens.append(ply["token"])
        assert ask(protocol, position(vector["position"], tokens)) == []
        assert compared(state(protocol)) == expected(ply)


@pytest.mark.parametrize("name", ["powers", "special"])
def test_state_matches_every_rare_moment(name: str) -> None:
    for vector in vectors(name):
        protocol = Protocol()
        assert ask(protocol, position(vector["position"], vector["tokens"])) == []
        assert compared(state(protocol)) == expected(vector)
        for choice in vector.get("choices", ()):
            assert ask(protocol, position(vector["position"], [*vector["tokens"], choice["token"]])) == []
            assert compared(state(protocol)) == expected(choice)


def test_perft_matches_every_vector() -> None:
    protocol = Protocol()
    for vector in vectors("perft"):
        ask(protocol, position(vector["position"], []))
        for depth, count in enumerate(vector["perft"], start=1):
            assert ask(protocol, f"perft {depth}") == [f"perft {depth} {count}"]
    assert ask(protocol, "perft 0") == ["perft 0 1"]


def test_a_malformed_position_is_rejected_and_the_current_position_stays(protocol: Protocol) -> None:
    before = state(protocol)
    for vector in vectors("reject"):
        (answer,) = ask(protocol, f"position {vector['text']}")
        assert answer.startswith("error ")
        assert vector["at"] in answer
    assert state(protocol) == before


def test_state_keeps_the_last_turn_of_a_drawn_game() -> None:
    vector = next(vector for vector in vectors("special") if vector["winner"] == "draw")
    protocol = Protocol()
    ask(protocol, position(vector["position"], vector["tokens"]))
    found = state(protocol)
    assert found["tokens"] == vector["tokens"][-1:]
    assert ask(protocol, "go") == ["error go: the game is over"]


def test_repetition_counts_from_the_position_in_the_command() -> None:
    vector = next(vector for vector in vectors("special") if vector["winner"] == "draw")
    protocol = Protocol()
    ask(protocol, position(vector["position"], vector["tokens"][:-1]))
    here = state(protocol)
    assert here["tokens"] == []
    ask(protocol, position(here["position"], vector["tokens"][-1:]))
    assert state(protocol)["winner"] is None


def test_state_is_right_after_each_of_ten_thousand_position_commands() -> None:
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


def test_a_position_command_does_not_depend_on_earlier_commands() -> None:
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


def test_an_illegal_move_rolls_back_the_position_command(protocol: Protocol) -> None:
    ask(protocol, position(POSITION, ["a1-a2"]))
    before = state(protocol)
    (answer,) = ask(protocol, position(POSITION, ["a1-a2", "a5-b4", "c1-c5"]))
    assert answer.startswith("error position: move 3: 'c1-c5' is not legal")
    assert state(protocol) == before
    assert ask(protocol, position(POSITION, ["a1-a2", "a5-b4"])) == []
    assert len(state(protocol)["legal"]) > 1


def test_position_start_deals_a_game() -> None:
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


def test_go_reports_each_depth_and_then_a_legal_token() -> None:
    driver = Driver()
    infos, token = driver.go("depth 5")
    found = [INFO.fullmatch(info) for info in infos]
    assert [int(match[1]) for match in found if match] == [1, 2, 3, 4, 5]
    assert found[-1]
    assert found[-1][3].split()[0] == token
    assert token in state(driver.protocol)["legal"]


@pytest.mark.parametrize("limit", ["nodes 1", "nodes 2000", "movetime 1", "movetime 20 nodes 100000000", "depth 2", ""])
def test_every_limit_ends_a_search(limit: str) -> None:
    driver = Driver()
    _, token = driver.go(limit)
    assert token in state(driver.protocol)["legal"]


def test_a_search_after_newgame_is_reproducible() -> None:
    driver = Driver()

    def without_times(infos: list[str]) -> list[str]:
        return [re.sub(r"nps \d+ time \d+ ", "", info) for info in infos]

    first, best = driver.go("nodes 20000")
    driver.go("nodes 30000")
    driver.ask("newgame")
    again, best_again = driver.go("nodes 20000")
    assert (without_times(first), best) == (without_times(again), best_again)


def test_multiple_lines_are_ranked() -> None:
    driver = Driver()
    driver.ask("setoption name MultiPV value 3")
    infos, token = driver.go("depth 3")
    last = [INFO.fullmatch(info) for info in infos[-3:]]
    assert [match[2] for match in last if match] == ["1", "2", "3"]
    starts = [match[3].split()[0] for match in last if match]
    assert len(set(starts)) == 3
    assert starts[0] == token


def test_a_search_can_use_several_threads_and_more_lines_than_tokens() -> None:
    driver = Driver()
    for setting in ("MultiPV value 256", "threads value 3", "hash value 1"):
        assert driver.ask(f"setoption name {setting}") == []
    infos, _ = driver.go("depth 2")
    # All lines are sent once more at the end if another thread has searched more nodes since the last report.
    assert len(infos) / len(state(driver.protocol)["legal"]) in (2, 3)


@pytest.mark.parametrize("level", [0, 3])
def test_any_limit_that_can_be_read_can_be_searched(level: int) -> None:
    driver = Driver()
    assert driver.ask(f"setoption name Level value {level}") == []
    huge = 2**63 - 1
    for limit in (f"depth {2**31} nodes 2000", f"depth {huge} nodes 2000", f"nodes {huge} movetime {huge} depth 2"):
        infos, token = driver.go(limit)
        assert infos
        assert token in map(str, Game(POSITION).legal_moves)


def test_an_error_during_a_search_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError("incompatible arguments\n  1. search(self)\n")

    monkeypatch.setattr(NativeEngine, "search", fail)
    driver = Driver()
    assert driver.ask("go depth 2") == []
    assert driver.output.get(timeout=GUARD) == "error go: TypeError: incompatible arguments 1. search(self)"
    assert driver.output.get(timeout=GUARD).startswith("bestmove ")


@pytest.mark.parametrize("limit", ["nodes 3000", "depth 3"])
def test_the_last_info_line_counts_all_nodes(limit: str) -> None:
    infos, token = Driver().go(limit)
    word, number = limit.split()
    played = NativeEngine().play(
        Game(POSITION), Limit(nodes=int(number)) if word == "nodes" else Limit(depth=int(number))
    )
    assert f" nodes {played.nodes} " in infos[-1]
    assert f" pv {token}" in infos[-1]


def test_a_long_perft_is_stopped_like_a_search() -> None:
    driver = Driver()
    assert driver.ask("perft 3") == ["perft 3 336"]
    for _ in range(3):
        assert driver.ask("perft 99") == []
        assert driver.ask("isready") == ["readyok"]
        assert state(driver.protocol)["decider"] == "forest"
        for command in ("perft 1", "go", "newgame", position(POSITION, ["a1-a2"])):
            assert driver.ask(command) == [f"error {command.split()[0]}: a count is running; stop it first"]
        assert driver.ask("stop") == []
        assert driver.output.get(timeout=GUARD) == "error perft was stopped"
        assert driver.ask("perft 1") == ["perft 1 8"]
    assert driver.ask("stop") == []
    assert driver.output.empty()


def test_a_slow_perft_is_answered_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.engine.protocol.SOON", 0.0)
    driver = Driver()
    answered = driver.ask("perft 7")
    assert (answered or [driver.output.get(timeout=GUARD)]) == [f"perft 7 {Board(POSITION).perft(7)}"]
    assert driver.ask(position(POSITION, ["a1-a2"])) == []


def test_a_levels_choice_depends_only_on_its_seed() -> None:
    chosen = set()
    for seed in range(12):
        tokens = set()
        for before in ("", "depth 6"):
            driver = Driver()
            if before:
                driver.go(before)
            for setting in ("Level value 1", f"Seed value {seed}"):
                assert driver.ask(f"setoption name {setting}") == []
            (info,), token = driver.go("movetime 2000")
            assert info.endswith(f" pv {token}") or f" pv {token} " in info
            tokens.add(token)
        assert len(tokens) == 1
        chosen |= tokens
    assert len(chosen) > 1


@pytest.mark.parametrize("level", [0, 2])
def test_an_infinite_search_answers_when_it_is_stopped(level: int) -> None:
    driver = Driver()
    driver.ask(f"setoption name Level value {level}")
    assert driver.ask("go infinite") == []
    assert driver.output.get(timeout=GUARD).startswith("info ")
    assert driver.ask("isready") == ["readyok"]
    assert driver.ask("cep")[-1] == "cepok"
    assert state(driver.protocol)["decider"] == "forest"
    for command in ("newgame", "go", "perft 1", "setoption name Seed value 1", position(POSITION, ["a1-a2"])):
        assert driver.ask(command) == [f"error {command.split()[0]}: a search is running; stop it first"]
    assert driver.ask("stop") == []
    driver.protocol.close()
    output = [driver.output.get_nowait() for _ in range(driver.output.qsize())]
    assert [line.split()[0] for line in output].count("bestmove") == 1
    assert driver.ask("stop") == []
    assert driver.output.empty()


def test_a_depth_limit_does_not_end_an_infinite_search() -> None:
    driver = Driver()
    driver.ask("go infinite depth 1")
    assert driver.output.get(timeout=GUARD).startswith("info depth 1 ")
    with pytest.raises(queue.Empty):
        driver.output.get(timeout=0.2)
    driver.ask("stop")
    assert driver.output.get(timeout=GUARD).startswith("bestmove ")


def test_stop_right_after_go_is_never_lost_and_each_go_has_one_answer() -> None:
    driver = Driver()
    for _ in range(200):
        assert driver.ask("go infinite") == []
        assert driver.ask("stop") == []
        driver.until_best()
        # After bestmove, the next command is accepted immediately.
        assert driver.ask(position(POSITION, [])) == []
    assert driver.output.empty()


def test_random_commands_during_searches_do_not_lose_a_bestmove() -> None:
    chance = random.Random(3)
    driver = Driver()
    accepted = 0
    commands = [
        "go nodes 3000",
        "go infinite",
        "stop",
        "isready",
        "state",
        "newgame",
        "go depth 2",
        "setoption name Hash value 2",
    ]
    for _ in range(600):
        command = chance.choice(commands)
        answer = driver.ask(command)
        rejected = answer[:1] and answer[0].startswith("error ")
        assert not rejected or answer[0].endswith("stop it first")
        accepted += command.startswith("go") and not rejected
    driver.protocol.close()
    output = [driver.output.get_nowait() for _ in range(driver.output.qsize())]
    assert sum(line.startswith("bestmove ") for line in output) == accepted > 0
    assert all(INFO.fullmatch(line) or line.startswith("bestmove ") for line in output)


def test_go_does_not_draw_tiles() -> None:
    vector = next(game for game in vectors("games") if any(ply["phase"] == "draw" for ply in game["plies"]))
    until = next(index for index, ply in enumerate(vector["plies"], start=1) if ply["phase"] == "draw")
    protocol = Protocol()
    ask(protocol, position(vector["position"], [ply["token"] for ply in vector["plies"][:until]]))
    assert ask(protocol, "go") == ["error go: the next token is a tile draw, which an engine cannot choose"]


BAD: Final = [
    "xyzzy", "CEP", "cep now", "isready?", "isready now", "quit now", "stop it", "newgame x", "state x",
    "perft", "perft -1", "perft 1.5", "perft ٣", "perft 1_0", "perft 100", "perft 3 4", "perft " + "9" * 5000,
    "go x", "go depth", "go depth 0", "go depth x", "go depth 1 depth 2", "go infinite infinite", "go movetime -5",
    "setoption", "setoption name Seed", "setoption name Seed value", "setoption name Seed value x",
    "setoption name Seed value -1", "setoption name Seed value 9223372036854775808", "setoption name Hash value 0",
    "setoption name Level value 11", "setoption name Threads value 65", "setoption name Clear Hash value 1",
    "setoption value 1 name Seed", "position", "position start", "position start huge", "position start beginner seed",
    "position start beginner seed -1", "position start beginner 5", "position startbeginner", "position moves a1-a2",
    f"position {POSITION} move a1-a2", f"position {POSITION}  moves a1-a2", f"position {POSITION} moves a1-a2 a1-a2",
    f"position {POSITION} moves " + "DR:" * 9000 + "use", f"position {POSITION} moves \x00", f"position {POSITION}\x00",
    f"position {POSITION} moves é", "\x00", "\x1b[2J", "st\rate", "\u2028", "é", "{" * 9999,
]  # fmt: skip


@pytest.mark.parametrize("line", BAD, ids=lambda line: ascii(line[:30]))
def test_a_bad_command_gets_one_error_and_changes_nothing(protocol: Protocol, line: str) -> None:
    before = ask(protocol, "state")
    (answer,) = ask(protocol, line)
    assert answer.startswith("error ")
    assert answer.isprintable()
    assert len(answer) < 1100
    assert ask(protocol, "state") == before
    assert not protocol.over


@pytest.mark.parametrize("line", [b"\xff\xfe", b"state\xff", b"\xed\xa0\x80", bytes(range(128, 256))])
def test_bytes_that_are_not_utf_8_get_one_error(protocol: Protocol, line: bytes) -> None:
    (answer,) = ask(protocol, line)
    assert answer.startswith("error the line is not UTF-8")


def test_state_perft_and_go_need_a_position() -> None:
    for command in ("state", "perft 1", "go"):
        (answer,) = ask(Protocol(), command)
        assert answer == f"error {command.split()[0]}: there is no position yet; set one with the position command"


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


def test_the_last_line_does_not_need_a_line_break_and_nothing_is_read_after_quit() -> None:
    assert served(b"isready") == ["readyok"]
    assert served(b"quit\nisready\n") == []
    assert served(b"") == []


def test_noise_gets_at_most_one_error_per_line() -> None:
    chance = random.Random(11)
    for _ in range(200):
        noise = chance.randbytes(200).replace(b"\n", b" ")
        assert all(line.startswith("error ") for line in served(noise))


ENGINE: Final = [sys.executable, "-c", "from cairn.cli import main; main()", "engine"]


@pytest.mark.slow
def test_a_real_process_plays_a_whole_game() -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout

        def send(line: str) -> None:
            assert process.stdin
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()

        def receive() -> str:
            assert process.stdout
            return process.stdout.readline().decode().rstrip("\n")

        send("cep")
        while receive() != "cepok":
            pass
        tokens: list[str] = []
        for _ in range(400):
            send(position("start beginner seed 1", tokens))
            send("state")
            found = json.loads(receive())
            if found["phase"] == "over":
                break
            if found["phase"] == "draw":
                tokens.append(found["legal"][0])
                continue
            send("go movetime 10")
            while (output := receive()).startswith("info "):
                pass
            tokens.append(output.removeprefix("bestmove "))
        assert len(tokens) > 10
        send("quit")
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize("ending", [b"quit\n", b"", b"stop\nisready\n"])
def test_a_real_process_stops_counting_before_it_ends(ending: bytes) -> None:
    typed = f"position {POSITION}\nperft 99\n".encode() + ending
    ended = subprocess.run(ENGINE, input=typed, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert set(ended.stdout.decode().splitlines()) - {"readyok"} == {"error perft was stopped"}


@pytest.mark.parametrize("ending", [b"quit\n", b""])
def test_a_real_process_sends_bestmove_before_it_ends(ending: bytes) -> None:
    typed = f"position {POSITION}\ngo infinite\n".encode() + ending
    ended = subprocess.run(ENGINE, input=typed, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    lines = ended.stdout.decode().splitlines()
    assert lines[-1].startswith("bestmove ")
    assert all(line.startswith("info ") for line in lines[:-1])


def test_a_real_process_exits_when_its_input_ends_or_its_output_is_closed() -> None:
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
