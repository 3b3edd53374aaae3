"""Solves the race to the first megalith from every beginner start, and checks the results with other programs.

``cairn_openings`` computes the exact results for all positions of the race; its tables are in ``build/openings/race``,
so that an interrupted run can be resumed. Then the solver, which uses the core's rules and searches from one position
at a time, checks all 16 starts up to ``--solver-turns`` turns, and the positions that the passes stored as samples. A
plain search over the Python rulebook checks the samples with the shortest trees. The results are recorded in
``docs/results/openings.md``.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import hashlib
import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cairn import Board, _native, rulebook
from cairn.engine import solver
from cairn.engine.solver import SolverResult
from cairn.notation import read_position
from cairn.puzzles.proof import RulebookSearch, TooLongError
from cairn.vocabulary import Tribe

ROOT: Final = Path(__file__).parents[1]
PROGRAM: Final = ROOT / "build" / "openings" / "cairn_openings"
FOLDER: Final = ROOT / "build" / "openings" / "race"
CHECKS: Final = FOLDER / "checks.jsonl"
RESULTS: Final = ROOT / "docs" / "results" / "openings.md"
MOST_TURNS: Final = 1_000
TURNS: Final = 22
PILOT_TURNS: Final = 10
SOLVER_TURNS: Final = 16
WIN_TURNS: Final = 19
SAMPLE_TURNS: Final = 12
RULEBOOK_NODES: Final = 3_000
# The letters of the faces, by tile; a number from 0 to 15 has one bit for each tile, the add tile in the lowest one.
FACES: Final = ("wb", "od", "fe", "me")


@dataclasses.dataclass(frozen=True)
class Pass:
    """One pass of the program, which decides the positions with one more turn."""

    turns: int
    decided: int
    open: int
    positions: int
    complete: bool
    seconds: float
    cpu_seconds: float
    checked: int
    table_bytes: int
    peak_bytes: int
    starts: tuple[int, ...]
    """The number of turns, by faces; -1 if open."""
    samples: tuple[str, ...]


@dataclasses.dataclass
class Checks:
    """What the other programs have confirmed."""

    starts: int = 0
    wins: int = 0
    samples: int = 0
    by_rulebook: int = 0
    wrong: list[str] = dataclasses.field(default_factory=list)


def faces_of(number: int) -> str:
    """The faces of a start as in the notation, such as ``wofm``."""
    return "".join(letters[number >> tile & 1] for tile, letters in enumerate(FACES))


def start_with(number: int) -> str:
    """A start of the race: at two all, the first megalith ends the game, and no other tile matters until then."""
    return f"S1S1S/5/5/5/F1F1F b3CG,d3CD ---- - {faces_of(number)} 2-2 F"


STARTS: Final = tuple(start_with(number) for number in range(16))


def expected(turns: int, within: int) -> tuple[SolverResult, int]:
    """What the solver must find within a number of turns if a pass decided the position, or none did (-1)."""
    if not 0 <= turns <= within:
        return SolverResult.NOT_WITHIN, within
    return (SolverResult.WIN if turns % 2 else SolverResult.LOSS), turns


def in_words(turns: int, last: Pass) -> str:
    """The result for a start with Forest to move."""
    if turns >= 0:
        return f"{'Forest' if turns % 2 else 'Sea'} forces the first megalith in {turns} turns"
    return "nobody can force the first megalith" + ("" if last.complete else f" within {last.turns} turns")


def read_passes(path: Path) -> list[Pass]:
    """The passes in the program's journal."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Pass(**{**line, "starts": tuple(line["starts"]), "samples": tuple(line["samples"])}) for line in lines]


def read_winning(path: Path) -> list[tuple[str, ...]]:
    """The first turns that win, by start."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [tuple(line["winning"]) for line in lines]


def rulebook_fault(position: str, turns: int, nodes: int) -> str | None:
    """What is wrong with a sample according to the rulebook. Raises ``TooLongError`` if the tree is too large."""
    moment = rulebook.begin(read_position(position))
    winner = Tribe.FOREST if turns % 2 else Tribe.SEA
    search = RulebookSearch(winner, nodes)
    if not search.wins(moment, turns):
        return f"{position}: the rulebook does not find a win of {winner.value} within {turns} turns"
    if turns and search.wins(moment, turns - 1):
        return f"{position}: the rulebook finds a win of {winner.value} within {turns - 1} turns already"
    return None


def solver_fault(position: str, turns: int, within: int) -> str | None:
    """What is wrong with a result according to the solver."""
    board = Board(position)
    if board.outcome is not None:  # T1
        right = turns == 0 and board.outcome.winner is Tribe.SEA
        return None if right else f"{position}: the game is over, not decided in {turns} turns"
    solution = solver.solve(board, within)
    if (solution.result, solution.turns) == expected(turns, within):
        return None
    found = f"{solution.result.value} {solution.turns}"
    return f"{position}: the solver finds {found}, not {expected(turns, within)[0].value} {turns}"


def win_fault(position: str, turns: int, winning: tuple[str, ...]) -> str | None:
    """What is wrong with a won start: one of the first turns must lose for the enemy in exactly one turn fewer."""
    for tokens in winning:
        board = Board(position, tokens.split())
        if solver_fault(board.text, turns - 1, turns - 1) is None:
            return None
    return f"{position}: the solver finds no first turn that wins in {turns} turns"


def check_all(
    passes: list[Pass], winning: list[tuple[str, ...]], options: argparse.Namespace, deadline: float
) -> Checks:
    """Check the starts and the samples, with what earlier runs have already confirmed."""
    mark = hashlib.sha256(Path(str(_native.core.__file__)).read_bytes()).hexdigest()[:16]
    confirmed = set(CHECKS.read_text(encoding="utf-8").splitlines()) if CHECKS.exists() else set()
    checks = Checks()
    with CHECKS.open("a", encoding="utf-8") as journal:
        for kind, position, turns, within in work(passes, options):
            result, number = expected(turns, within)
            line = json.dumps([mark, kind, position, result.value, number])
            if line not in confirmed:
                if time.monotonic() > deadline:
                    continue
                try:
                    if kind == "by_rulebook":
                        fault = rulebook_fault(position, turns, options.nodes)
                    elif kind == "wins":
                        fault = win_fault(position, turns, winning[STARTS.index(position)])
                    else:
                        fault = solver_fault(position, turns, within)
                except TooLongError:
                    continue
                if fault:
                    checks.wrong.append(fault)
                    continue
                journal.write(line + "\n")
                journal.flush()
            setattr(checks, kind, getattr(checks, kind) + 1)
            print(f"prove-openings: {kind} {position} {turns}: confirmed", flush=True)
    return checks


def work(passes: list[Pass], options: argparse.Namespace) -> Iterator[tuple[str, str, int, int]]:
    """What to check: the kind, the position, the pass that decided it, and the turns to search."""
    for each in passes:
        if each.turns <= options.sample_turns:
            for sample in each.samples:
                yield "samples", sample, each.turns, max(each.turns, 1)
        if each.turns <= 3:
            for sample in each.samples:
                yield "by_rulebook", sample, each.turns, each.turns
    within = min(options.solver_turns, passes[-1].turns)
    if within > 0:
        for number, turns in enumerate(passes[-1].starts):
            yield "starts", start_with(number), turns, within
    for number, turns in enumerate(passes[-1].starts):
        if turns % 2 and 1 < turns <= options.win_turns:
            yield "wins", start_with(number), turns, turns


def main() -> int:
    """Solve the race and check the results. The exit code is 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, default=MOST_TURNS, help="turns to solve (default: until all is decided)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="threads (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed for the positions to check (default: %(default)s)")
    parser.add_argument(
        "--solver-turns", type=int, default=SOLVER_TURNS, help="turns for the solver, per start (default: %(default)s)"
    )
    parser.add_argument(
        "--win-turns", type=int, default=WIN_TURNS, help="longest wins for the solver (default: %(default)s)"
    )
    parser.add_argument(
        "--sample-turns", type=int, default=SAMPLE_TURNS, help="longest samples for the solver (default: %(default)s)"
    )
    parser.add_argument(
        "--nodes", type=int, default=RULEBOOK_NODES, help="limit for the rulebook, per sample (default: %(default)s)"
    )
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no further check after this time")
    options = parser.parse_args()
    deadline = time.monotonic() + options.seconds
    command = [PROGRAM, FOLDER, "--turns", options.turns, "--threads", options.threads, "--seed", options.seed]
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program saves its tables and ends
    failed = subprocess.run([str(word) for word in command], check=False).returncode
    signal.signal(signal.SIGINT, handler)
    if failed:
        return 1
    passes = read_passes(FOLDER / "passes.jsonl")
    if passes[-1].turns < options.turns and not passes[-1].complete:
        print("prove-openings: stopped early; run it again to continue")
        return 1
    winning = read_winning(FOLDER / "starts.jsonl")
    checks = check_all(passes, winning, options, deadline)
    for line in checks.wrong:
        print(f"prove-openings: {line}", file=sys.stderr)
    for number, turns in enumerate(passes[-1].starts):
        print(f"prove-openings: {faces_of(number)}: {in_words(turns, passes[-1])}")
    print(f"prove-openings: {checks.starts} starts, {checks.samples} samples confirmed, {len(checks.wrong)} wrong")
    if not checks.wrong and checks.starts == len(passes[-1].starts):
        RESULTS.write_text(report(passes, winning, checks, options), encoding="utf-8")
    return 1 if checks.wrong else 0


def forecast(passes: list[Pass]) -> str:
    """How long 22 turns take according to the first ten."""
    pilot = [each for each in passes if each.turns <= PILOT_TURNS]
    spent = sum(each.cpu_seconds for each in pilot)
    longer = max(each.cpu_seconds for each in pilot[-2:])
    whole_run = spent + (TURNS - pilot[-1].turns) * longer
    text = f"after {pilot[-1].turns} turns ({spent / 3600:.2f} hours), the forecast for {TURNS} turns was "
    text += f"{whole_run / 3600:.2f} hours, with {longer:.0f} s for each further pass, the longer of the last two."
    whole = [each for each in passes if each.turns <= TURNS]
    if whole[-1].turns == TURNS:
        text += f" In fact, {TURNS} turns took {sum(each.cpu_seconds for each in whole) / 3600:.2f} hours."
    return text


def processor() -> str:
    """The processor's name."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def report(passes: list[Pass], winning: list[tuple[str, ...]], checks: Checks, options: argparse.Namespace) -> str:
    """The page for docs/results."""
    git: Any = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=40", "--dirty=, with changes"]
    commit = subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()
    last = passes[-1]
    within = min(options.solver_turns, last.turns)
    starts = "".join(
        f"| `{faces_of(n)}` | {in_words(turns, last)} | {', '.join(f'`{turn}`' for turn in winning[n])} |\n"
        for n, turns in enumerate(last.starts)
    )
    rows = "".join(
        f"| {each.turns} | {each.decided:,} | {each.open:,} | {each.cpu_seconds:,.0f} |\n" for each in passes
    )
    wins = f" It also found the shortest wins from {checks.wins} starts." if checks.wins else ""
    exact = (
        f"No further turn changes anything after {last.turns} turns, so these results hold for any number of turns."
        if last.complete
        else f"The tables cover {last.turns} turns."
    )
    return f"""# Openings: the race to the first megalith

Which tribe can force the first megalith from each of the 16 classes of beginner starts? {exact}
[docs/solver.md](../solver.md#openings) explains the method.

| faces, Forest begins | result | first turns that win |
|---|---|---|
{starts}
If Sea begins, the result is that of the start with the other face of the add tile, with the tribes swapped.

- commit: `{commit}`
- command: `make prove-openings OPENINGS_FLAGS="--turns {options.turns} --threads {options.threads}"`
- seed: {options.seed}
- date: {datetime.datetime.now(tz=datetime.UTC).date().isoformat()}
- machine: {processor()}, {options.threads} of {os.cpu_count()} threads
- memory: {last.table_bytes / 1e9:.2f} GB for the tables, {max(each.peak_bytes for each in passes) / 1e9:.2f} GB at most
- time: {sum(each.cpu_seconds for each in passes) / 3600:.2f} hours of one core
- forecast: {forecast(passes)}

## Checks

- After each pass, the core's rules confirmed it at {last.checked:,} random positions.
- The solver, which searches from one position at a time with the core's rules, confirmed all {checks.starts} starts
  within {within} turns, and the exact number of turns of {checks.samples} samples.{wins}
- A plain search over the Python rulebook confirmed {checks.by_rulebook} of the samples.

## Passes

The tables hold {last.positions:,} positions, one for each pair of symmetric ones, without those in which the tribe to
move has a shaman in its last row and leaves the field at once. Odd passes find wins of the tribe to move, even passes
its losses.

| turns | decided | open | CPU time (s) |
|---:|---:|---:|---:|
{rows}"""


if __name__ == "__main__":
    sys.exit(main())
