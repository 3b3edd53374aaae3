"""The report as one HTML page, without scripts and without other files. ``page.html`` has its text."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from typing import Final

from cairn.balance import charts, statistics
from cairn.balance.facts import ACTIONS, ENDINGS, SIDES, WAYS
from cairn.balance.tables import Facts
from cairn.vocabulary import MEGALITHS

_FACE_WORDS: Final = ({"o": "orthogonal", "d": "diagonal"}, {"f": "friend", "e": "enemy"}, {"m": "middle", "e": "end"})
_WAY_WORDS: Final = dict(zip(WAYS, ("move out", "jump out", "out by a power", "transformation"), strict=True))


def write_page(facts: Facts) -> str:
    """The whole report."""
    found, settings = statistics.advantages(facts.games), facts.settings
    files = resources.files("cairn.balance")
    cells = [cell for each in found for cell in each.classes.values()]
    return string.Template((files / "page.html").read_text(encoding="utf-8")).substitute(
        style=(files / "page.css").read_text(encoding="utf-8"),
        games=f"{len(facts.games):,}",
        nodes=f"{settings.nodes:,}",
        headline="; ".join(f"{each.variant} {_percent(each.all.mean, each.all.margin)}" for each in found),
        advantage=_advantage(found),
        widest=charts.margin_text(100 * max(cell.margin for cell in cells), 2),
        spreads=", ".join(f"{each.variant} {each.spread:.1f}" for each in found),
        sides=", ".join(f"{each.variant} {_points(each.add_difference, each.add_margin)}" for each in found),
        classes=_classes(found),
        megaliths=_megaliths(facts),
        lengths=_lengths(facts),
        scoring=_scoring(facts),
        openings=_openings(facts),
        seed=settings.seed,
        shards=settings.shards,
        network=settings.network,
        luck_nodes=settings.luck_nodes,
    )


# --- Sections


def _advantage(found: Sequence[statistics.VariantAdvantage]) -> str:
    head = ["variant", "games", "score", "score without luck", "variance removed", "slope", "mean luck"]
    return _table(
        head,
        (
            [
                each.variant,
                f"{each.all.games:,}",
                _percent(each.all.raw, each.all.raw_margin),
                _percent(each.all.mean, each.all.margin),
                _share(each.removed),
                f"{each.slope:.2f}",
                _points(each.mean_luck, each.luck_margin),
            ]
            for each in found
        ),
    )


def _classes(found: Sequence[statistics.VariantAdvantage]) -> str:
    plot, rows = [], []
    for each in found:
        plot.append(charts.Interval(each.variant, 0, 0, is_heading=True))
        for name, cell in each.classes.items():
            plot.append(charts.Interval(_faces(name), 100 * cell.mean, 100 * cell.margin))
            raw, mean = _percent(cell.raw, cell.raw_margin), _percent(cell.mean, cell.margin)
            rows.append([each.variant, _faces(name), f"{cell.games:,}", raw, mean])
    chart = charts.dot_plot(plot, "score of the first player without luck, %", 50)
    head = ["variant", "move, jump, transformation", "games", "score", "score without luck"]
    return _figure(chart) + _table(head, rows)


def _megaliths(facts: Facts) -> str:
    parts = []
    head = ["megalith", "value", "offered", "built", "builder's score"]
    for variant, values in statistics.megalith_values(facts.pairs).items():
        names = {each.tile: MEGALITHS[each.tile].name for each in values}
        plot = [charts.Interval(names[each.tile], 100 * each.value, 100 * each.margin) for each in values]
        rows = [
            [
                f"{each.tile} {names[each.tile]}",
                _points(each.value, each.margin),
                f"{each.offered:,}",
                _share(each.chosen),
                _share(each.result) if each.chosen else "-",
            ]
            for each in values
        ]
        chart = charts.dot_plot(plot, "value of building it, points of the score", 0, 2)
        parts.append(f"<h3>{escape(variant)}</h3>\n{_figure(chart)}{_table(head, rows)}")
    return "".join(parts)


def _lengths(facts: Facts) -> str:
    found = statistics.lengths(facts.games)
    rows = [
        [
            each.variant,
            f"{each.turns:.2f} ± {charts.margin_text(each.turns_margin, 2)}",
            " / ".join(f"{quartile:g}" for quartile in each.quartiles),
            str(each.longest),
            f"{each.tokens:.1f}",
            *(f"{100 * each.endings[ending]:.2f} %" for ending in ENDINGS),
        ]
        for each in found
    ]
    head = ["variant", "turns", "quartiles", "longest", "tokens", "by score", "no action", "repetition", "too long"]
    chart = charts.histogram({each.variant: each.counts for each in found}, "turns")
    return _figure(chart) + _table(head, rows)


def _scoring(facts: Facts) -> str:
    found = statistics.scorings(facts.games)
    bars = [
        charts.Bar(f"{each.variant}, {side}", {_WAY_WORDS[way]: each.side_shares[side][way] for way in WAYS})
        for each in found
        for side in SIDES
    ]
    rows = [[each.variant, f"{each.points:.2f}", *(_share(each.shares[way]) for way in WAYS)] for each in found]
    return _figure(charts.stacked_bars(bars)) + _table(["variant", "points per game", *_WAY_WORDS.values()], rows)


def _openings(facts: Facts) -> str:
    rows = [
        [
            variant,
            "all" if name == "all" else _faces(name),
            f"{opening.games:,}",
            _percent(opening.expected, opening.margin),
            _share(opening.actual),
            *(_share(opening.actions[action]) for action in ACTIONS),
        ]
        for variant, classes in statistics.openings(facts.games).items()
        for name, opening in classes.items()
    ]
    first = [f"begins with {action}" for action in ACTIONS]
    return _table(["variant", "faces", "games", "engine expects", "score without luck", *first], rows)


# --- Pieces


def _faces(name: str) -> str:
    return ", ".join(words[letter] for words, letter in zip(_FACE_WORDS, name, strict=True))


def _percent(share: float, margin: float) -> str:
    return f"{100 * share:.2f} ± {charts.margin_text(100 * margin, 2)} %"


def _points(difference: float, margin: float) -> str:
    return f"{100 * difference:+.2f} ± {charts.margin_text(100 * margin, 2)}"


def _share(share: float) -> str:
    return f"{100 * share:.1f} %"


def _figure(chart: str) -> str:
    return f"<figure>\n{chart}\n</figure>\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f"<th>{escape(each)}</th>" for each in head)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>" for row in rows)
    return f'<div class="table"><table>\n<thead><tr>{cells}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>\n'
