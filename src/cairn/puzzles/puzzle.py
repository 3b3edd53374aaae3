"""A puzzle, and the file of puzzles: one line of JSON for each."""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import json
from collections.abc import Iterable
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any, Final

from cairn.board import Board
from cairn.symmetry import images
from cairn.vocabulary import TRIBES, Tribe, Variant

FILE: Final = "puzzles.jsonl"


class Goal(enum.Enum):
    """What the player has to find."""

    WIN = "win"
    """The only decision that forces a win within the puzzle's turns."""
    DEFEND = "defend"
    """The only decision after which the enemy cannot force a win within the puzzle's turns."""
    ODDS = "odds"
    """The decision with the best chance of a win within the puzzle's turns."""


class Theme(enum.Enum):
    """What a solution shows; :mod:`cairn.puzzles.themes` defines when."""

    EXIT = "exit"
    TRANSFORMATION = "transformation"
    CHAIN = "chain"
    SACRIFICE = "sacrifice"
    DEFENCE = "defence"
    EXTRA_TURN = "extra-turn"
    ODDS = "odds"


@dataclasses.dataclass(frozen=True, slots=True)
class Puzzle:
    """A moment in a game and the only right decision there."""

    id: str
    """Eight hexadecimal digits that depend only on the moment. Symmetric moments have the same id."""
    variant: Variant
    position: str
    """The position at the start of the turn."""
    tokens: tuple[str, ...]
    """The tokens played in this turn so far."""
    goal: Goal
    turns: int
    """The number of turns of both tribes within which the goal is reached, counting the current one."""
    solution: tuple[str, ...]
    """The right decision, followed by the line against the longest defence if the goal is a win."""
    themes: tuple[Theme, ...]
    source: str
    """Where the moment comes from: the seed, the shard and the number of a game, and the number of tokens before it."""
    estimate: float
    """The engine's estimate for the decider, where 1 is a win and 0 a loss: after the best of the other decisions, or
    after the right one if the goal is to defend."""
    chance: Fraction | None = None
    """With :attr:`Goal.ODDS`, the exact chance of a win after the right decision."""
    next_chance: Fraction | None = None
    """With :attr:`Goal.ODDS`, the exact chance after the best other decision."""
    rating: int | None = None
    """How hard the puzzle is, on the scale of the players' ratings."""
    deviation: int | None = None
    """The standard error of the rating."""

    @property
    def board(self) -> Board:
        """A new board at the puzzle's moment."""
        return Board(self.position, self.tokens)

    @property
    def decider(self) -> Tribe:
        """The tribe that has to decide."""
        return TRIBES[self.board.decider_number]

    @property
    def attacker(self) -> Tribe:
        """The tribe whose forced win the puzzle is about: the decider's, or the one that the decider has to prevent."""
        return self.decider.enemy if self.goal is Goal.DEFEND else self.decider

    def to_json(self) -> dict[str, Any]:
        """The puzzle as JSON, without empty fields."""
        fields = {
            "id": self.id,
            "variant": self.variant.value,
            "position": self.position,
            "tokens": " ".join(self.tokens),
            "goal": self.goal.value,
            "turns": self.turns,
            "solution": " ".join(self.solution),
            "themes": [theme.value for theme in self.themes],
            "chance": _written(self.chance),
            "next_chance": _written(self.next_chance),
            "rating": self.rating,
            "deviation": self.deviation,
            "estimate": self.estimate,
            "source": self.source,
        }
        return {name: value for name, value in fields.items() if value not in (None, "")}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Puzzle:
        """Read what :meth:`to_json` returns. Raises ``KeyError`` or ``ValueError`` if a field is missing or wrong."""
        return cls(
            id=data["id"],
            variant=Variant(data["variant"]),
            position=data["position"],
            tokens=tuple(data.get("tokens", "").split()),
            goal=Goal(data["goal"]),
            turns=data["turns"],
            solution=tuple(data["solution"].split()),
            themes=tuple(map(Theme, data["themes"])),
            source=data["source"],
            estimate=data["estimate"],
            chance=_read(data.get("chance")),
            next_chance=_read(data.get("next_chance")),
            rating=data.get("rating"),
            deviation=data.get("deviation"),
        )


def identity(position: str, tokens: Iterable[str]) -> str:
    """Eight hexadecimal digits that identify a moment up to symmetry."""
    first = min(" ".join(image) for image in images(position, tokens))
    return hashlib.sha256(first.encode()).hexdigest()[:8]


def read_puzzles(text: str) -> list[Puzzle]:
    """Read the lines of a file. Raises ``ValueError`` with the number of the line that is wrong."""
    puzzles = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            puzzles.append(Puzzle.from_json(json.loads(line)))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"line {number} is not a puzzle: {type(error).__name__}: {error}") from None
    return puzzles


def line_of(puzzle: Puzzle) -> str:
    """The line of the file for a puzzle."""
    return json.dumps(puzzle.to_json(), separators=(",", ":")) + "\n"


def write_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write the file, one puzzle per line."""
    path.write_text("".join(map(line_of, puzzles)), encoding="utf-8")


@functools.cache
def released() -> tuple[Puzzle, ...]:
    """The puzzles of the package, from the easiest to the hardest."""
    return tuple(read_puzzles((resources.files("cairn.puzzles") / FILE).read_text(encoding="utf-8")))


def _written(chance: Fraction | None) -> str | None:
    return None if chance is None else str(chance)


def _read(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
