"""The 17 megaliths, from ``megaliths.json``, which the native build also reads."""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import Final

from cairn.vocabulary.spaces import Space, space_of


class Variant(enum.Enum):
    """Which megaliths are in the game (S2). Each variant includes the tiles of the previous variants."""

    BEGINNER = "beginner"
    STANDARD = "standard"
    EXPERT = "expert"

    @property
    def megaliths(self) -> tuple[Megalith, ...]:
        """The tiles of this variant, in the order of the table."""
        order = list(Variant)
        return tuple(tile for tile in MEGALITHS.values() if order.index(tile.smallest_variant) <= order.index(self))


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Megalith:
    """A megalith tile. There is one object per tile, so tiles compare by identity."""

    code: str
    """Two letters, as in positions and tokens."""
    smallest_variant: Variant
    """The smallest variant that uses this tile."""
    beginner_start: Space | None
    """The tile's space at the start of a beginner game; ``None`` if the tile does not start on the field (S2)."""
    names: Mapping[str, str]
    """The tile's name by language: en, fr, de, ru."""
    powers: Mapping[str, str]
    """A sentence about the tile's power, by language."""

    @property
    def name(self) -> str:
        """The tile's English name."""
        return self.names["en"]

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"MEGALITHS[{self.code!r}]"

    def __lt__(self, other: Megalith) -> bool:
        return self.code < other.code

    def __reduce__(self) -> tuple[object, ...]:
        return megalith_of, (self.code,)


def _read_table() -> dict[str, Megalith]:
    rows = json.loads(resources.files("cairn").joinpath("megaliths.json").read_text(encoding="utf-8"))
    return {
        row["code"]: Megalith(
            code=row["code"],
            smallest_variant=Variant(row["set"]),
            beginner_start=space_of(row["starts_on"]) if row["starts_on"] else None,
            names=MappingProxyType(row["name"]),
            powers=MappingProxyType(row["power"]),
        )
        for row in rows
    }


MEGALITHS: Final[Mapping[str, Megalith]] = MappingProxyType(_read_table())
"""Every megalith by its code."""


def megalith_of(code: str) -> Megalith:
    """The megalith with this code.

    >>> megalith_of("DR").name
    'Deer Rock'
    """
    if code not in MEGALITHS:
        raise ValueError(f"no megalith has the code {code!r}")
    return MEGALITHS[code]
