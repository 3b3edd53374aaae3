"""Charts as SVG. The colours come from the style sheet of the page, so charts follow its theme."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from html import escape
from typing import Final

WIDTH: Final = 720
_ROW: Final = 22
_LEFT: Final = 190
_RIGHT: Final = 90
_TOP: Final = 8
_AXIS: Final = 42


@dataclasses.dataclass(frozen=True, slots=True)
class Interval:
    """A row of a dot plot: a value with its interval."""

    label: str
    value: float
    margin: float
    is_heading: bool = False
    """Whether the row only separates groups; it then has no value."""

    @property
    def drawn(self) -> float:
        """The margin to draw: 0 if it is unknown, as for a single game."""
        return self.margin if math.isfinite(self.margin) else 0.0


@dataclasses.dataclass(frozen=True, slots=True)
class Bar:
    """A bar that is divided into shares, which add up to 1."""

    label: str
    shares: dict[str, float]


def margin_text(margin: float, digits: int) -> str:
    """Half the width of an interval in words.

    >>> margin_text(1.25, 2), margin_text(math.inf, 2)
    ('1.25', '?')
    """
    return f"{margin:.{digits}f}" if math.isfinite(margin) else "?"


def dot_plot(rows: Sequence[Interval], unit: str, reference: float, digits: int = 1) -> str:
    """Values with their intervals, one below the other, and a line at the reference."""
    values = [each for each in rows if not each.is_heading]
    low = min([reference, *(each.value - each.drawn for each in values)])
    high = max([reference, *(each.value + each.drawn for each in values)])
    ticks = _ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])
    height = _TOP + _ROW * len(rows) + _AXIS

    def x(value: float) -> float:
        return _LEFT + (value - low) / ((high - low) or 1) * (WIDTH - _LEFT - _RIGHT)

    bottom = height - _AXIS
    parts = [_grid(x(tick), bottom, f"{tick:g}") for tick in ticks]
    parts.append(f'<line class="reference" x1="{x(reference):.1f}" x2="{x(reference):.1f}" y1="{_TOP}" y2="{bottom}"/>')
    for place, row in enumerate(rows):
        y = _TOP + _ROW * (place + 0.5)
        kind = "heading" if row.is_heading else "label"
        parts.append(_text(_LEFT - 10, y, row.label, kind, "end"))
        if row.is_heading:
            continue
        ends = x(row.value - row.drawn), x(row.value + row.drawn)
        parts.append(f'<line class="interval" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<circle class="dot" cx="{x(row.value):.1f}" cy="{y:.1f}" r="4"/>')
        figure = f"{row.value:.{digits}f} ± {margin_text(row.margin, digits)}"
        parts.append(_text(WIDTH - _RIGHT + 10, y, figure, "figure", "start"))
    parts.append(_text((_LEFT + WIDTH - _RIGHT) / 2, height - 10, unit, "unit", "middle"))
    return _svg(height, parts, f"{unit}: {len(values)} values with 95 % intervals")


def stacked_bars(bars: Sequence[Bar]) -> str:
    """Bars of equal length that are divided into shares, with a legend."""
    names = list(bars[0].shares) if bars else []
    height = _TOP + (_ROW + 6) * len(bars) + _AXIS
    parts = []
    for place, bar in enumerate(bars):
        y = _TOP + (_ROW + 6) * place
        parts.append(_text(_LEFT - 10, y + _ROW / 2, bar.label, "label", "end"))
        left = float(_LEFT)
        for number, name in enumerate(names):
            width = bar.shares[name] * (WIDTH - _LEFT - 10)
            shape = f'x="{left:.1f}" y="{y}" width="{width:.1f}" height="{_ROW}"'
            parts.append(f'<rect class="share share-{number}" {shape}/>')
            if bar.shares[name] >= 0.05:
                percent = f"{100 * bar.shares[name]:.0f} %"
                parts.append(_text(left + width / 2, y + _ROW / 2, percent, f"inside inside-{number}", "middle"))
            left += width
    for number, name in enumerate(names):
        left = _LEFT + number * (WIDTH - _LEFT) / max(len(names), 1)
        parts.append(f'<rect class="share share-{number}" x="{left:.1f}" y="{height - 24}" width="12" height="12"/>')
        parts.append(_text(left + 18, height - 18, name, "label", "start"))
    return _svg(height, parts, "Shares of " + ", ".join(names))


def histogram(series: dict[str, Sequence[int]], unit: str) -> str:
    """The distributions of a whole number, as lines over each other; each adds up to 100 %."""
    height, bottom = 260, 260 - _AXIS
    totals = {name: sum(counts) for name, counts in series.items()}
    longest = max(len(counts) for counts in series.values())
    shown = max((_percentile(counts, 0.995) for counts in series.values()), default=longest)
    top = max(max(counts) / totals[name] for name, counts in series.items())

    def x(number: float) -> float:
        return 50 + number / max(shown, 1) * (WIDTH - 70)

    def y(share: float) -> float:
        return bottom - share / top * (bottom - _TOP)

    parts = [_grid(x(tick), bottom, f"{tick:g}") for tick in _ticks(0, shown) if tick <= shown]
    for place, (name, counts) in enumerate(series.items()):
        points = " ".join(
            f"{x(number):.1f},{y(count / totals[name]):.1f}" for number, count in enumerate(counts[: shown + 1])
        )
        parts.append(f'<polyline class="line line-{place}" points="{points}"/>')
        parts.append(
            f'<line class="line line-{place}" x1="{WIDTH - 150}" x2="{WIDTH - 126}" y1="{20 + 18 * place}" '
            f'y2="{20 + 18 * place}"/>'
        )
        parts.append(_text(WIDTH - 120, 20 + 18 * place, name, "label", "start"))
    parts.append(_text(WIDTH / 2, height - 10, unit, "unit", "middle"))
    return _svg(height, parts, f"Distribution of {unit}")


def _percentile(counts: Sequence[int], share: float) -> int:
    wanted, seen = share * sum(counts), 0
    for number, count in enumerate(counts):
        seen += count
        if seen >= wanted:
            return number
    return len(counts) - 1


def _ticks(low: float, high: float) -> list[float]:
    """About six round numbers that cover the range.

    >>> _ticks(47.2, 58.9)
    [46.0, 48.0, 50.0, 52.0, 54.0, 56.0, 58.0, 60.0]
    """
    raw = (high - low) / 6 or 1.0
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= raw)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _grid(x: float, bottom: float, label: str) -> str:
    line = f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>'
    return line + _text(x, bottom + 12, label, "tick", "middle")


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
    return f'<text class="{kind}" {place}>{escape(text)}</text>'


def _svg(height: float, parts: Sequence[str], description: str) -> str:
    inside = "\n".join(parts)
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(description)}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{inside}\n</svg>'
    )
