"""Write and parse the ``info`` lines of the protocol."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Final

from cairn.board import Board
from cairn.engine.engine import Analysis, Line, Played
from cairn.engine.numbers import read_number
from cairn.engine.score import Score
from cairn.vocabulary import CairnError, Token


@dataclasses.dataclass(frozen=True, slots=True)
class Info:
    """The contents of an ``info`` line that describes a line of play."""

    depth: int
    rank: int
    """1 for the best line, 2 for the next one, ..."""
    nodes: int
    time_ms: int
    line: Line


def write_infos(analysis: Analysis, *, ranked: bool) -> Iterator[str]:
    """An ``info`` line for each line of play, with its rank if ``ranked``."""
    for rank, line in enumerate(analysis.lines, start=1):
        place = f" multipv {rank}" if ranked else ""
        yield _write(f"{analysis.depth}{place}", line.score, analysis.nodes, analysis.time_ms, line.tokens)


def write_played(played: Played, time_ms: int) -> str:
    """The ``info`` line for a chosen token."""
    return _write(str(played.depth), played.score, played.nodes, time_ms, played.line)


def _write(depth: str, score: Score, nodes: int, time_ms: int, tokens: tuple[Token, ...]) -> str:
    speed = nodes * 1000 // max(time_ms, 1)
    return f"info depth {depth} score {score} nodes {nodes} nps {speed} time {time_ms} pv {' '.join(map(str, tokens))}"


_NUMBERS: Final = ("depth", "multipv", "nodes", "nps", "time")


def read_info(text: str, board: Board) -> Info | None:
    """Parse the words after ``info``; ``None`` if they contain no line of play, for example in ``info string``.

    Unknown words are skipped, and a line of play is truncated at its first illegal token. Raises ``ValueError`` if a
    number or a score is not valid, or if the first token of the line is illegal.
    """
    numbers: dict[str, int] = {}
    score: Score | None = None
    tokens: tuple[Token, ...] = ()
    words = iter(text.split())
    for word in words:
        if word == "string":
            break
        if word in _NUMBERS:
            value = next(words, "nothing")
            number = read_number(value, lowest=0)
            if number is None:
                raise ValueError(f"expected a whole number after {word}, not {value[:40]!r}")
            numbers[word] = number
        elif word == "score":
            score = Score.read(" ".join(itertools.islice(words, 2)))
        elif word == "pv":
            tokens = _legal_part(words, board)
    if score is None or not tokens:
        return None
    depth, nodes, time_ms = (numbers.get(name, 0) for name in ("depth", "nodes", "time"))
    return Info(depth, numbers.get("multipv", 1), nodes, time_ms, Line(score, tokens))


def _legal_part(words: Iterator[str], board: Board) -> tuple[Token, ...]:
    after = board.copy(history=False)
    tokens: list[Token] = []
    for word in words:
        try:
            after.push(word)
        except CairnError as error:
            if not tokens:
                raise ValueError(f"pv: {error}") from None
            break
        tokens.append(after.peek())
    return tuple(tokens)
