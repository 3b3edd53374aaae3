"""The fuzzing seeds: valid and invalid texts from ``tests/data``."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Final

import cairn
from cairn.notation.records import Note

DATA: Final = Path(__file__).parents[2] / "tests" / "data"
MOST_GAMES: Final = 12

WORDS: Final[dict[str, list[bytes]]] = {
    "position": [b"/", b"F", b"S", b"5", b"-", b"--", b"(", b")", b",", b"b3CG", b"DR", b"wofm", b" ", b"0-0", b"\x00"],
    "token": [b"+b1", b"a1-out", b"=DR", b"?AD", b"xc1", b"b3~c4", b"b3/d3", b"flip-add", b"b3=DR", b"DR:", b"PS:use",
              b"stop", b"Tc3", b"pass", b"-", b"\n"],
    "record": [b"[", b'"]\n', b'"', b"\\", b"{", b"}", b"$1", b"$", b"*", b"=", b"1 F ", b"\r\n", b"\xef\xbb\xbf",
               b'[Reason "time"]\n', b'[Result "F"]\n', b"\nF\n"],
    "protocol": [b"cep\n", b"isready\n", b"state\n", b"go ", b"infinite\n", b"depth 3\n", b"perft 1\n", b"stop\n",
                 b"newgame\n", b"setoption name Seed value 5\n", b"position start expert seed 3 moves ", b" moves ",
                 b"position ", b"\n", b"\xff"],
}  # fmt: skip
"""Typical fragments of each kind of text."""


def _vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@functools.cache
def seeds(target: str) -> tuple[bytes, ...]:
    """Return the seed texts for a target."""
    texts = {"position": _positions, "token": _tokens, "record": _records, "protocol": _conversations}[target]()
    return tuple(text.encode() for text in texts)


def _positions() -> list[str]:
    return [vector["position"] for vector in _vectors("perft")] + [vector["text"] for vector in _vectors("reject")]


def _tokens() -> list[str]:
    """Positions, each with a token that is legal in it."""
    boards = [cairn.Board(vector["position"]) for vector in _vectors("perft")]
    return [f"{board}\n{board.legal_moves[-1]}" for board in boards if board.legal_moves]


def _games() -> list[tuple[str, list[str]]]:
    games = sorted(_vectors("games"), key=lambda vector: len(vector["plies"]))[:MOST_GAMES]
    return [(vector["position"], [ply["token"] for ply in vector["plies"]]) for vector in games]


def _records() -> list[str]:
    records = []
    for number, (position, tokens) in enumerate(_games()):
        game = cairn.Game(position, tokens)
        if game.outcome is None and number % 2:
            game.end(cairn.Outcome(cairn.SEA, cairn.Reason.RESIGNATION))
        headers = {"Variant": "expert", "Sea": 'a "b" \\', "Other": "é"}
        records.append(cairn.write_record(cairn.Record(game, headers, {0: Note((1, 2), ("well", "played\n"))})))
    return records


def _conversations() -> list[str]:
    start = "cep\nisready\nnewgame\nposition start standard seed 4\nstate\nperft 1\ngo depth 2\n"
    games = [
        f"position {position} moves {' '.join(tokens)}\nstate\ngo infinite\nstop\n" for position, tokens in _games()
    ]
    return [start, *games]
