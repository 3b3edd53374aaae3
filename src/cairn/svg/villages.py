"""The villages: waiting shamans, the score track of three stones, and a fire for the active player."""

from __future__ import annotations

from cairn.svg.elements import at, group, path, stroke, title
from cairn.svg.field import village_frame
from cairn.svg.layout import FIRE, LAST_POINT, POINT_STEP, WAITING_SHAMAN, village_top, waiting_step
from cairn.svg.palette import CREAM, EMBER, FLAME, INK, LOG, SHADOW, STONES
from cairn.svg.shamans import figure
from cairn.vocabulary import POINTS_TO_WIN, Setup, Tribe, Variant

_MENHIR = "M25 90C22 68 25 44 31 28C35 17 43 7 54 9C65 12 68 26 71 42C74 58 77 76 76 90Z"
_SPIRAL = "M43 58a4 4 0 0 1 8 0a8 8 0 0 1 -16 0a12 12 0 0 1 22 -6"


def village(setup: Setup, tribe: Tribe, orientation: Tribe) -> str:
    """One village with everything in it."""
    top, waiting, score = village_top(tribe, orientation), setup.village(tribe), setup.scores[tribe]
    name, active = tribe.value.capitalize(), setup.active is tribe
    step = waiting_step(waiting)
    return group(
        title(f"{name}'s village: {waiting} waiting, score {score}" + (", to play" if active else "")),
        village_frame(top) + at(FIRE.x, top + FIRE.y, FIRE.size, fire()) if active else "",
        *(at(WAITING_SHAMAN.x + step * index, top + WAITING_SHAMAN.y, WAITING_SHAMAN.size, figure(tribe),
             class_=f"waiting {tribe.value}") for index in range(waiting)),
        *(at(LAST_POINT.x - POINT_STEP * (POINTS_TO_WIN - 1 - index), top + LAST_POINT.y, LAST_POINT.size,
             point(scored=index < score)) for index in range(POINTS_TO_WIN)),
        class_=f"village {tribe.value}",
    )  # fmt: skip


def point(*, scored: bool) -> str:
    """A stone of the score track, raised or only outlined, on the 100 x 100 design grid."""
    stone = STONES[Variant.BEGINNER]
    if not scored:
        return group(
            stroke(_MENHIR, INK, 7, stroke_dasharray="7 11", opacity=0.6),
            stroke(_MENHIR, CREAM, 4, stroke_dasharray="7 11"),
        )
    return group(
        path("M14 92a37 9 0 1 0 74 0a37 9 0 1 0 -74 0Z", fill=SHADOW, opacity=0.35),
        stroke(_MENHIR, CREAM, 9),
        path(_MENHIR, fill=stone.face),
        path("M54 9C65 12 68 26 71 42C74 58 77 76 76 90H58C61 66 62 36 54 9Z", fill=stone.edge, opacity=0.65),
        stroke(_SPIRAL, stone.sign, 4.6),
        stroke(_MENHIR, INK, 3.6),
    )


def fire() -> str:
    """The fire that burns in the active player's village, on the 100 x 100 design grid."""
    flame = (
        "M50 6C56 24 80 38 80 62C80 80 66 90 50 90C34 90 20 80 20 62C20 48 30 42 34 28"
        "C40 32 42 38 43 44C49 36 52 22 50 6Z"
    )
    return group(
        stroke("M20 94L80 82M80 94L20 82", CREAM, 15),
        stroke(flame, CREAM, 9),
        stroke("M20 94L80 82M80 94L20 82", LOG, 8),
        path(flame, fill=EMBER, stroke=INK, stroke_width=3, stroke_linejoin="round"),
        path("M51 40C55 52 66 56 66 70C66 80 59 86 50 86C41 86 34 80 34 70C34 62 40 60 43 54"
             "C46 58 47 60 48 62C51 56 52 48 51 40Z", fill=FLAME),
        class_="active",
    )  # fmt: skip
