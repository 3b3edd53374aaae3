"""The colours and strokes of all drawings."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from cairn.vocabulary import FOREST, SEA, Tribe, Variant

INK: Final = "#2f2b26"
CREAM: Final = "#fbf6ea"
SHADOW: Final = "#1d2a1f"
FLAME: Final = "#f2b134"
EMBER: Final = "#d9622b"
LOG: Final = "#5f4630"
PEBBLE: Final = "#a08c62"
TUFT: Final = "#5c7d45"

LINE: Final = 5.5
"""The stroke width of carved signs and diagrams on the 100 x 100 design grid."""
HALO: Final = 7.0
"""The width of the light rim that makes a figure stand out from any background."""


@dataclasses.dataclass(frozen=True, slots=True)
class TribeColours:
    """The colours of a tribe's shamans."""

    robe: str
    shade: str
    trim: str


TRIBE_COLOURS: Final[Mapping[Tribe, TribeColours]] = MappingProxyType(
    {
        FOREST: TribeColours(robe="#b4532a", shade="#7f3417", trim="#f3c98b"),
        SEA: TribeColours(robe="#22699a", shade="#133f63", trim="#a9dbe6"),
    }
)
"""Rust and blue, which can be distinguished with every kind of colour vision."""


@dataclasses.dataclass(frozen=True, slots=True)
class Stone:
    """The colours of a megalith tile."""

    face: str
    shine: str
    edge: str
    sign: str
    vein: str | None = None


STONES: Final[Mapping[Variant, Stone]] = MappingProxyType(
    {
        Variant.BEGINNER: Stone(face="#e6dfcf", shine="#f5f0e4", edge="#a89e89", sign="#423b31"),
        Variant.STANDARD: Stone(face="#63676b", shine="#777b7f", edge="#3a3d41", sign="#f6f1e4"),
        Variant.EXPERT: Stone(face="#474a53", shine="#595d67", edge="#25262b", sign="#f6f1e4", vein="#e6b648"),
    }
)

GROUND: Final = (
    # From Sea's edge to Forest's edge: where each band starts, how much it undulates, and its colour.
    (0, 0, "#2c6d8d"),
    (22, 5, "#34799a"),
    (48, 6, "#4189a4"),
    (70, 6, "#5a9fb2"),
    (86, 6, "#8cc0c2"),
    (97, 6, "#f3f0e2"),
    (102, 6, "#b9dad4"),
    (113, 7, "#f6f1e0"),
    (118, 7, "#cbb58a"),
    (148, 9, "#d8c597"),
    (196, 10, "#e0d0a2"),
    (236, 10, "#d9d09c"),
    (276, 12, "#ccce95"),
    (318, 12, "#bdc98d"),
    (362, 12, "#afc283"),
    (406, 12, "#a1ba79"),
    (452, 12, "#92af6f"),
    (498, 12, "#84a466"),
    (544, 11, "#76975e"),
    (586, 9, "#688956"),
    (622, 8, "#517449"),
    (650, 8, "#44663f"),
    (682, 7, "#3a5a39"),
)
CANOPY: Final = ("#35542f", "#426539", "#507744", "#5f8850")
WOOD: Final = {"face": "#f1e6cf", "edge": "#a78c62", "back": "#e2d2b1", "grid": "#cdb78d"}
"""The colours of the action tiles."""
SLATE: Final = {"face": "#dce6e2", "edge": "#6d8a88", "back": "#c6d5d1", "grid": "#9fb6b2"}
"""The colours of the transformation tile."""
TRAY: Final = {"face": "#8a7355", "edge": "#5f4d36", "hollow": "#6d5a41"}
"""The colours of the tray for the upcoming megaliths and the deck."""
KERB: Final = {"face": "#cfc8b8", "edge": "#8d8675", "shine": "#ebe6da"}
"""The colours of the low stones in the stone circles."""


def _names() -> dict[str, str]:
    """Every colour of the palette and its name. If a colour has two names, the first one is used."""
    names = {INK: "ink", CREAM: "cream", SHADOW: "shadow", FLAME: "flame", EMBER: "ember", LOG: "log", PEBBLE: "pebble",
             TUFT: "tuft"}  # fmt: skip
    for tribe, colours in TRIBE_COLOURS.items():
        for part in ("robe", "shade", "trim"):
            names.setdefault(getattr(colours, part), f"{tribe.value}-{part}")
    for variant, stone in STONES.items():
        for part in ("face", "shine", "edge", "sign", "vein"):
            if colour := getattr(stone, part):
                names.setdefault(colour, f"{variant.value}-{part}")
    for index, (_, _, colour) in enumerate(GROUND):
        names.setdefault(colour, f"ground-{index}")
    for index, colour in enumerate(CANOPY):
        names.setdefault(colour, f"canopy-{index}")
    for material, parts in {"wood": WOOD, "slate": SLATE, "tray": TRAY, "kerb": KERB}.items():
        for part, colour in parts.items():
            names.setdefault(colour, f"{material}-{part}")
    return names


NAMES: Final[Mapping[str, str]] = MappingProxyType(_names())
"""The name of every colour, for drawings whose colours a web page may change."""
