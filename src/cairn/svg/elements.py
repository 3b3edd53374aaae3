"""Write SVG: elements, numbers, and the path segments that many drawings share.

No drawing uses ids, style sheets or references, so any number of drawings can share a page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

Attribute = str | float | None


def number(value: float) -> str:
    """Format a number with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def element(name: str, *content: str, **attributes: Attribute) -> str:
    """An element. ``stroke_width`` becomes ``stroke-width``, and ``class_`` becomes ``class``.

    Attributes whose value is ``None`` are omitted.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else number(value)
            parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    head = " ".join(parts)
    return f"<{head}>{''.join(content)}</{name}>" if content else f"<{head}/>"


def group(*content: str, **attributes: Attribute) -> str:
    """A group."""
    return element("g", *content, **attributes)


def at(x: float, y: float, size: float, *content: str, **attributes: Attribute) -> str:
    """Content drawn on the 100 x 100 design grid, moved to a position and scaled to a size."""
    return group(*content, transform=f"translate({number(x)} {number(y)}) scale({number(size / 100)})", **attributes)


def title(text: str) -> str:
    """The accessible name of the element that contains this title."""
    return element("title", escape(text))


def path(d: str, **attributes: Attribute) -> str:
    """A path, filled by default."""
    return element("path", d=d, **attributes)


def stroke(d: str, colour: str, width: float, **attributes: Attribute) -> str:
    """A line with round ends and corners."""
    return path(d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round",
                **attributes)  # fmt: skip


def disc(x: float, y: float, radius: float, fill: str, **attributes: Attribute) -> str:
    """A circle."""
    return element("circle", cx=x, cy=y, r=radius, fill=fill, **attributes)


def box(x: float, y: float, width: float, height: float, radius: float, fill: str, **attributes: Attribute) -> str:
    """A rectangle with round corners."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, **attributes)


def label(x: float, y: float, text: str, size: float, fill: str, **attributes: Attribute) -> str:
    """Text centred on a point."""
    return element("text", escape(text), x=x, y=y, font_family="sans-serif", font_size=size, fill=fill,
                   text_anchor="middle", dominant_baseline="central", **attributes)  # fmt: skip


def ring(x: float, y: float, radius: float) -> str:
    """The path of a circle."""
    r, across = number(radius), number(2 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 1 {across} 0a{r} {r} 0 1 1 -{across} 0Z"


def squares(places: Iterable[tuple[float, float]], width: float, radius: float) -> str:
    """The path of squares with round corners, each given by its upper left corner."""
    r, side = number(radius), number(width - 2 * radius)
    turn = f"q{r} 0 {r} {r}v{side}q0 {r} -{r} {r}h-{side}q-{r} 0 -{r} -{r}v-{side}q0 -{r} {r} -{r}Z"
    return "".join(f"M{number(x + radius)} {number(y)}h{side}{turn}" for x, y in places)


def dots(*points: tuple[float, float]) -> str:
    """The path of dots whose diameter is the stroke width."""
    return "".join(f"M{number(x)} {number(y)}h.01" for x, y in points)


def star(x: float, y: float, radius: float) -> str:
    """The path of a four-pointed star."""
    waist = radius * 0.3
    points = []
    for index in range(8):
        angle = math.radians(45 * index - 90)
        reach = waist if index % 2 else radius
        points.append(f"{number(x + reach * math.cos(angle))} {number(y + reach * math.sin(angle))}")
    return f"M{'L'.join(points)}Z"


def cross(x: float, y: float, reach: float) -> str:
    """The path of an X, the sign of a banishment."""
    left, right, top, bottom = (number(value) for value in (x - reach, x + reach, y - reach, y + reach))
    return f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"


def head(x: float, y: float, degrees: float, reach: float) -> str:
    """The two barbs of an arrow that ends at (x, y) and points in the given direction: 0 is right, 90 is down."""
    ends = []
    for turn in (-142, 142):
        angle = math.radians(degrees + turn)
        ends.append(f"{number(x + reach * math.cos(angle))} {number(y + reach * math.sin(angle))}")
    return f"M{ends[0]}L{number(x)} {number(y)}L{ends[1]}"


def arrow(x1: float, y1: float, x2: float, y2: float, reach: float = 9) -> str:
    """The path of a straight arrow."""
    degrees = math.degrees(math.atan2(y2 - y1, x2 - x1))
    return f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}{head(x2, y2, degrees, reach)}"


def document(width: float, height: float, size: int, name: str, description: str, *content: str) -> str:
    """A whole drawing, ``size`` pixels wide, with its accessible name and description."""
    return element(
        "svg",
        title(name),
        element("desc", escape(description)),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=size,
        height=round(size * height / width),
        role="img",
        aria_label=name,
    )
