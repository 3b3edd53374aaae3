"""The bench report: rates, ratios and targets, and the check that the floor plays correctly."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table

from measure import Tally

Rates = Mapping[str, Sequence[float]]
"""For each contender, the rate it reached in each round."""

AGREES_WITHIN: Final = 4.0
"""Two figures agree if they are at most this many standard errors apart. The seeds are fixed, so the same builds always
give the same result."""


@dataclasses.dataclass(frozen=True)
class Bar:
    """A target ratio. ``{cpu}`` stands for the build of the core and of the floor (``floor.cpp``, the reference speed).

    Both builds of the core are compared with the portable build of the floor. The faster build has its own target if
    ``v3`` is given. Ratios without a target are only for information.
    """

    what: str
    contender: str
    against: str
    baseline: float | None
    v3: float | None = None

    def at_least(self, cpu: str) -> float | None:
        """The target for a build."""
        return self.v3 if cpu == "v3" and self.v3 is not None else self.baseline


BARS: Final = (
    Bar("native playouts / OpenSpiel's C++ rollouts", "playouts {cpu}", "openspiel rollouts", 8.0, v3=12.0),
    Bar("native playouts / floor", "playouts {cpu}", "floor baseline", 0.4, v3=0.7),
    Bar("bulk perft / floor", "perft {cpu}", "floor baseline", 5.0, v3=8.0),
    Bar("Python loop / OpenSpiel's Python loop", "loop {cpu}", "openspiel loop", 2.0),
    Bar("batch / Pgx's Connect Four", "batch {cpu}", "pgx connect_four", 1.0),
    Bar("batch / Pgx's Animal Shogi", "batch {cpu}", "pgx animal_shogi", None),
    Bar("PettingZoo environment / its Connect Four", "pettingzoo cairn", "pettingzoo connect_four", 1.0),
    Bar("batch with two threads / one thread", "threads 2", "threads 1", 1.7),
    Bar("native playouts / floor of the same build", "playouts {cpu}", "floor {cpu}", None),
    Bar("bulk perft / floor of the same build", "perft {cpu}", "floor {cpu}", None),
)


@dataclasses.dataclass(frozen=True)
class Ratio:
    """A measured ratio for one build: the median of all rounds, or ``None`` if a contender did not run."""

    what: str
    cpu: str
    at_least: float | None
    median: float | None

    @property
    def verdict(self) -> str:
        """``met``, ``missed``, ``not run``, or empty if there is no target."""
        if self.median is None:
            return "not run"
        if self.at_least is None:
            return ""
        return "met" if self.median >= self.at_least else "missed"


def ratios(rates: Rates, cpus: Sequence[str]) -> list[Ratio]:
    """All ratios for all builds. Dividing within a round cancels changes in the machine's speed between rounds."""
    return [Ratio(bar.what, cpu, bar.at_least(cpu), _median_ratio(rates, bar, cpu)) for bar in BARS for cpu in cpus]


def _median_ratio(rates: Rates, bar: Bar, cpu: str) -> float | None:
    contender = rates.get(bar.contender.format(cpu=cpu))
    against = rates.get(bar.against.format(cpu=cpu))
    if not contender or not against:
        return None
    return statistics.median(ours / theirs for ours, theirs in zip(contender, against, strict=True))


@dataclasses.dataclass(frozen=True)
class Check:
    """A statistic of the floor's random games, compared with the same statistic in OpenSpiel's games."""

    what: str
    floor: float
    openspiel: float
    error: float

    @property
    def distance(self) -> float:
        """How far apart the two figures are, in standard errors of the difference."""
        return abs(self.floor - self.openspiel) / self.error

    @property
    def agrees(self) -> bool:
        """Whether the figures are close enough that both programs probably play the same game."""
        return self.distance <= AGREES_WITHIN


def checks(floor: Tally, counted: Tally, rolled_out: Tally) -> list[Check]:
    """Compare the floor with games counted move by move and with C++ rollouts, which report only the winner."""
    length_error = (floor.length_error**2 + counted.length_error**2) ** 0.5
    found = [Check("average length", floor.length, counted.length, length_error)]
    for what, peer in (("first player wins", counted), ("first player wins, C++ rollouts", rolled_out)):
        error = (floor.first_share_error**2 + peer.first_share_error**2) ** 0.5
        found.append(Check(what, floor.first_share, peer.first_share, error))
    return found


def rates_table(rates: Rates) -> str:
    """The median rate of each contender, with its slowest and its fastest round."""
    rows = [
        (name, _millions(statistics.median(values)), _millions(min(values)), _millions(max(values)))
        for name, values in rates.items()
    ]
    return _table("Millions of tokens or moves per second", ("contender", "median", "slowest", "fastest"), rows)


def ratios_table(found: Sequence[Ratio]) -> str:
    """Every ratio with its target."""
    rows = [
        (each.what, each.cpu, _number(each.median, ".2f"), _number(each.at_least, "g"), each.verdict) for each in found
    ]
    return _table("Ratios, medians over the rounds", ("ratio", "build", "measured", "target", ""), rows)


def checks_table(found: Sequence[Check]) -> str:
    """Whether the floor plays the same game as OpenSpiel."""
    rows = [
        (each.what, f"{each.floor:.4f}", f"{each.openspiel:.4f}", f"{each.distance:.1f}", _agreement(each))
        for each in found
    ]
    return _table("Random games of Breakthrough", ("figure", "floor", "OpenSpiel", "standard errors apart", ""), rows)


def _agreement(check: Check) -> str:
    return "agrees" if check.agrees else "DIFFERS"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _millions(rate: float) -> str:
    return f"{rate / 1e6:.3f}"


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    drawn = Table(title=title, title_justify="left")
    for index, head in enumerate(heads):
        numeric = any(row[index][:1].isdigit() for row in rows)
        drawn.add_column(head, justify="right" if numeric else "left")
    for row in rows:
        drawn.add_row(*row)
    screen = Console(width=110)
    with screen.capture() as capture:
        screen.print(drawn)
    return capture.get()
