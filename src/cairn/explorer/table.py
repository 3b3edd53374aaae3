"""The table of the explorer, and the table of self-play games that is part of the package.

The file has one line for each moment: its look, then for each token its image and the results for the active tribe, in
the order of the variants::

    S1S1S/5/5/5/F1F1F b3CG,d3CD wofm 0-0 F<TAB>+d1 12,0,9,1,0,2,0,0,0<TAB>a1-a2 …

A ``*`` in place of the megaliths stands for any megaliths.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from cairn.board import Board
from cairn.explorer.tally import NO_GAMES, Tally, won_by
from cairn.explorer.walk import ANY_MEGALITHS, PlayedDecision, decisions, look_at
from cairn.vocabulary import FOREST, MEGALITHS, Megalith, Token, Tribe, Variant

MOMENTS: Final = "self_play.tsv"
SUMMARY: Final = "self_play.json"
VARIANTS: Final = tuple(Variant)
LAST_BUILD: Final = 2
"""A construction at this score wins at once, so it says nothing about the megalith."""
START_LOOKS: Final = {
    faces: f"S1S1S/5/5/5/F1F1F {ANY_MEGALITHS} w{faces} 0-0 F"
    for faces in map("".join, itertools.product("od", "fe", "me"))
}
"""How the starts look, by the faces of the move, jump and transformation tiles. The add tile makes no difference."""


@dataclasses.dataclass(frozen=True, slots=True)
class Explored:
    """A token that was played at a moment."""

    token: Token
    results: Tally
    """For Forest."""

    @property
    def games(self) -> int:
        """How often it was played."""
        return self.results.games


@dataclasses.dataclass(frozen=True, slots=True)
class Exploration:
    """What was played at a moment, the most frequent token first."""

    tokens: tuple[Explored, ...]

    @property
    def results(self) -> Tally:
        """The results of all games from here, for Forest."""
        return sum((each.results for each in self.tokens), NO_GAMES)


@dataclasses.dataclass(frozen=True, slots=True)
class MegalithResults:
    """How often a megalith was chosen, and how the tribes that built it fared."""

    offered: int = 0
    """How often a tribe could choose between it and another one."""
    results: Tally = NO_GAMES
    """The results of the tribes that chose it."""

    @property
    def built(self) -> int:
        """How often it was chosen."""
        return self.results.games

    def __add__(self, other: MegalithResults) -> MegalithResults:
        return MegalithResults(self.offered + other.offered, self.results + other.results)


class ExplorerTable:
    """Adds games up by the look of the moment."""

    def __init__(self) -> None:
        self._moments: Final[dict[str, dict[str, list[Tally]]]] = {}
        self.games: Final[collections.Counter[Variant]] = collections.Counter()
        """The number of games of each variant."""
        self._megaliths: Final[dict[tuple[Variant, Megalith], MegalithResults]] = {}

    def __len__(self) -> int:
        return len(self._moments)

    def add(
        self,
        variant: Variant,
        start: str,
        tokens: Iterable[Token | str],
        winner: Tribe | None,
        turns: Collection[int] | None = None,
        most_tokens: int = sys.maxsize,
    ) -> None:
        """Add the decisions of a finished game.

        If ``turns`` is given, it lists the turns that count, by the number of tokens before them. Moments after
        ``most_tokens`` tokens are left out, but the megaliths built there still count.
        """
        self.games[variant] += 1
        for decision in decisions(start, tokens):
            if turns is not None and decision.turn_index not in turns:
                continue
            for look in decision.looks if decision.index < most_tokens else ():
                by_token = self._moments.setdefault(look, {})
                results = by_token.setdefault(decision.token, [NO_GAMES] * len(VARIANTS))
                results[VARIANTS.index(variant)] += Tally.of(won_by(decision.active, winner))
            for tile, found in performance(decision, winner):
                self._megaliths[variant, tile] = self._megaliths.get((variant, tile), MegalithResults()) + found

    def explore(self, board: Board, variant: Variant | None = None, *, any_megaliths: bool = False) -> Exploration:
        """What was played at the board's moment, in one variant or in all. Only legal tokens are listed.

        With ``any_megaliths``, at the start of a turn, whatever megaliths were on the field.
        """
        found, symmetry = look_at(board, any_megaliths=any_megaliths)
        by_token = self._moments.get(found, {})
        explored = []
        for token in board.legal_moves:
            results = _of_variant(by_token.get(symmetry.token(token), ()), variant)
            if results.games:
                explored.append(Explored(token, results if board.active is FOREST else results.reversed))
        return Exploration(tuple(sorted(explored, key=lambda each: -each.games)))

    def megaliths(self, variant: Variant | None = None) -> dict[Megalith, MegalithResults]:
        """The performance of every megalith that was offered, in one variant or in all."""
        found: dict[Megalith, MegalithResults] = {}
        for (of, tile), results in self._megaliths.items():
            if variant in (of, None):
                found[tile] = found.get(tile, MegalithResults()) + results
        return {tile: found[tile] for tile in MEGALITHS.values() if tile in found}

    def starts(self, variant: Variant | None = None) -> dict[str, Tally]:
        """The results of the tribe that begins, by the faces of the move, jump and transformation tiles."""
        return {
            faces: sum((_of_variant(each, variant) for each in self._moments.get(look, {}).values()), NO_GAMES)
            for faces, look in START_LOOKS.items()
        }

    def pruned(self, least: int) -> ExplorerTable:
        """A table with only the moments that at least ``least`` games have reached."""
        table = ExplorerTable()
        table.games.update(self.games)
        table._megaliths.update(self._megaliths)
        for look, by_token in self._moments.items():
            if sum(each.games for results in by_token.values() for each in results) >= least:
                table._moments[look] = by_token
        return table

    # --- Files

    def rows(self) -> Iterator[tuple[str, dict[str, list[int]]]]:
        """The look of every moment and, for each token, the results in the order of the variants, all in order."""
        for look in sorted(self._moments):
            yield look, {token: _numbers(results) for token, results in sorted(self._moments[look].items())}

    def summary(self) -> dict[str, object]:
        """The numbers of games and the performance of the megaliths, as JSON."""
        return {
            "games": {variant.value: self.games[variant] for variant in VARIANTS},
            "megaliths": {
                variant.value: {
                    tile.code: [found.offered, *_numbers([found.results])]
                    for tile, found in self.megaliths(variant).items()
                }
                for variant in VARIANTS
            },
        }

    def write(self, folder: Path) -> None:
        """Write the two files of the table."""
        lines = (
            "\t".join((look, *(f"{token} {','.join(map(str, numbers))}" for token, numbers in by_token.items())))
            for look, by_token in self.rows()
        )
        (folder / MOMENTS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        (folder / SUMMARY).write_text(f"{json.dumps(self.summary(), indent=1)}\n", encoding="utf-8")

    @classmethod
    def read(cls, moments: str, summary: str) -> ExplorerTable:
        """Read the texts of the two files. Raises ``ValueError`` with the number of the line that is wrong."""
        table = cls()
        for number, line in enumerate(moments.splitlines(), start=1):
            look, *tokens = line.split("\t")
            try:
                table._moments[look] = dict(map(_read_token, tokens))
            except (TypeError, ValueError) as error:
                raise ValueError(f"line {number} is not a moment with tokens and results: {error}") from None
        table._read_summary(json.loads(summary))
        return table

    def _read_summary(self, data: Mapping[str, Mapping[str, Mapping[str, list[int]] | int]]) -> None:
        for name, count in data["games"].items():
            self.games[Variant(name)] = count  # type: ignore[assignment]  # written by summary()
        for name, by_code in data["megaliths"].items():
            for code, (offered, *results) in by_code.items():  # type: ignore[union-attr]  # written by summary()
                self._megaliths[Variant(name), MEGALITHS[code]] = MegalithResults(offered, Tally(*results))


def performance(decision: PlayedDecision, winner: Tribe | None) -> Iterator[tuple[Megalith, MegalithResults]]:
    """What a decision says about megaliths: those that were offered, and how the builder of the chosen one fared."""
    build = decision.build
    if build is None or build.before == LAST_BUILD:
        return
    for tile in build.offered:
        built = tile == build.built
        yield tile, MegalithResults(1, Tally.of(won_by(decision.decider, winner)) if built else NO_GAMES)


@functools.cache
def released() -> ExplorerTable:
    """The table of the package: games that the engine played against itself."""
    folder = resources.files("cairn.explorer")
    return ExplorerTable.read(*((folder / name).read_text(encoding="utf-8") for name in (MOMENTS, SUMMARY)))


def _of_variant(results: Iterable[Tally], variant: Variant | None) -> Tally:
    chosen = (each for of, each in zip(VARIANTS, results, strict=False) if variant in (of, None))
    return sum(chosen, NO_GAMES)


def _numbers(results: Iterable[Tally]) -> list[int]:
    return [number for each in results for number in (each.won, each.drawn, each.lost)]


def _read_token(text: str) -> tuple[str, list[Tally]]:
    token, _, numbers = text.partition(" ")
    counts = [int(number) for number in numbers.split(",")]
    if len(counts) != 3 * len(VARIANTS):
        raise ValueError(f"expected {3 * len(VARIANTS)} numbers after {token}, not {numbers!r}")
    return token, [Tally(*counts[at : at + 3]) for at in range(0, len(counts), 3)]
