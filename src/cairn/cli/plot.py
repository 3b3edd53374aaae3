"""Plot the course of a game as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cairn.messages import t

ROWS: Final = 4
"""Rows on each side of the middle."""
COLUMNS: Final = 64
_LABEL: Final = 12


def plot(course: Sequence[float], *, unicode: bool = True) -> str:
    """Plot Forest's expected score at each moment. Forest is ahead above the middle, and Sea is ahead below it.

    >>> print(plot([0.5, 0.9, 1.0, 0.3], unicode=False))
    Forest  1.00 |  #
                 | ##
                 | ##
                 | ##
            0.50 +----
                 |   #
                 |   '
                 |
    Sea     0.00 |
    """
    values = _columns(course)
    full, upper, lower, bar, cross, rule = "█▀▄│┼─" if unicode else "#'.|+-"
    lines = [_row(values, row, 1, full, lower) for row in range(ROWS, 0, -1)]
    lines.append(rule * len(values))
    lines += [_row(values, row, -1, full, upper) for row in range(1, ROWS + 1)]
    forest, sea = (t("story.tribe", tribe=tribe) for tribe in ("forest", "sea"))
    labels = {0: f"{forest:6}  1.00", ROWS: "0.50", 2 * ROWS: f"{sea:6}  0.00"}
    return "\n".join(
        f"{labels.get(number, ''):>{_LABEL}} {cross if number == ROWS else bar}{line}".rstrip()
        for number, line in enumerate(lines)
    )


def _columns(course: Sequence[float]) -> list[float]:
    """One value per column. If several values share a column, the last one counts."""
    if len(course) <= COLUMNS:
        return list(course)
    return [course[(column + 1) * len(course) // COLUMNS - 1] for column in range(COLUMNS)]


def _row(values: Sequence[float], row: int, side: int, full: str, half: str) -> str:
    """The cells of the ``row``-th row from the middle, each filled, half filled or empty."""
    heights = [round((value - 0.5) * side * 4 * ROWS) for value in values]
    return "".join(full if height >= 2 * row else half if height == 2 * row - 1 else " " for height in heights)
