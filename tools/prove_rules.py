"""Replays every vector in tests/data through both implementations of the rules; the first difference ends it.

``prove_rules.py`` prints a line for each file, with what was compared. ``fuzz.py`` goes where no vector is.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import cairn
from side_by_side import IMPLEMENTATIONS, Core, Disagreement, Rulebook, expect, expect_view

DATA: Final = Path(__file__).parents[1] / "tests" / "data"

Vector = dict[str, Any]
Implementation = type[Rulebook] | type[Core]


def replay_game(make: Implementation, vector: Vector) -> int:
    """A whole game, compared after each token; how many moments."""
    played = make(vector["position"])
    expect_view(played, vector["start"], f"start of {vector['position']}")
    for number, ply in enumerate(vector["plies"], start=1):
        played.push(ply["token"])
        expect_view(played, _moment(ply), f"{vector['position']} after token {number}, {ply['token']}")
    return 1 + len(vector["plies"])


def replay_power(make: Implementation, vector: Vector) -> int:
    """A choice of a power, and what each option leads to; how many moments."""
    where = f"{vector['position']} after {' '.join(vector['tokens'])}"
    expect_view(_after(make, vector), _moment(vector), where)
    for choice in vector["choices"]:
        played = _after(make, vector)
        played.push(choice["token"])
        expect_view(played, _moment(choice), f"{where} {choice['token']}")
    return 1 + len(vector["choices"])


def replay_special(make: Implementation, vector: Vector) -> int:
    """A rare moment; one moment."""
    where = f"{vector['position']} after {' '.join(vector['tokens'])} ({', '.join(vector['why'])})"
    expect_view(_after(make, vector), _moment(vector), where)
    return 1


def count(make: Implementation, vector: Vector) -> int:
    """The perft counts of a position; how many counts."""
    position = make(vector["position"])
    for depth, expected in enumerate(vector["perft"], start=1):
        expect(position.perft(depth), expected, f"{make.__name__}, perft {depth} of {vector['position']}")
    return len(vector["perft"])


def reject(make: Implementation, vector: Vector) -> int:
    """A text that is no position, and the field that is wrong with it; one text."""
    where = f"{make.__name__}, {vector['text']!r}"
    try:
        make(vector["text"])
    except cairn.MalformedError as error:
        expect(vector["at"] in {fault.field for fault in error.faults}, True, f"{where}: {error} names {vector['at']}")
        return 1
    raise Disagreement(f"{where} is accepted, but its {vector['at']} is wrong")


FILES: Final[dict[str, tuple[Callable[[Implementation, Vector], int], str]]] = {
    "games.jsonl": (replay_game, "moments"),
    "powers.jsonl": (replay_power, "moments"),
    "special.jsonl": (replay_special, "moments"),
    "perft.jsonl": (count, "counts"),
    "reject.jsonl": (reject, "texts"),
}


def prove() -> Iterator[str]:
    """Compare everything; a line for each file and implementation."""
    for name, (replay, unit) in FILES.items():
        vectors = [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
        for make in IMPLEMENTATIONS:
            begin = time.perf_counter()
            compared = sum(replay(make, vector) for vector in vectors)
            seconds = time.perf_counter() - begin
            what = f"{len(vectors):4} vectors, {compared:5} {unit}"
            yield f"{name:14} {make.__name__:9} {what}, all equal ({seconds:.1f} s)"


def _after(make: Implementation, vector: Vector) -> Rulebook | Core:
    played = make(vector["position"])
    for token in vector["tokens"]:
        played.push(token)
    return played


def _moment(vector: Vector) -> Vector:
    """What a vector says about the present moment: its position and tokens are how the moment was reached."""
    return {key: vector[key] for key in ("board", "phase", "decider", "legal", "winner")}


def main() -> int:
    """Print the lines; 1 at the first difference."""
    try:
        for line in prove():
            print(line, flush=True)
    except Disagreement as difference:
        print(difference, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
