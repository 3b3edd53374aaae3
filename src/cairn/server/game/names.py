"""Names and small numbers shared by events, commands and messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from annotated_types import Interval

from cairn.server.attribute_docs import add_descriptions
from cairn.story import TribeName as TribeName
from cairn.vocabulary import CHANCE, FOREST, Decider, Tribe

DeciderName: TypeAlias = Literal["forest", "sea", "chance"]
PhaseName: TypeAlias = Literal["action", "build", "draw", "power", "transform", "over"]
ActionTileName: TypeAlias = Literal["add", "move", "jump"]
AimName: TypeAlias = Literal["shaman", "megalith"]
VariantName: TypeAlias = Literal["beginner", "standard", "expert"]
GameKind: TypeAlias = Literal["local", "online"]
OfferName: TypeAlias = Literal["draw", "takeback"]
UndoScope: TypeAlias = Literal["step", "turn"]
UndoBarrier: TypeAlias = Literal["drawn", "nothing", "other", "over"]
LevelNumber: TypeAlias = Annotated[int, Interval(ge=1, le=10)]

TRIBE_NAMES: Final[tuple[TribeName, TribeName]] = ("forest", "sea")

SCHEMA: Final[Mapping[str, object]] = {"extra": "forbid", "json_schema_extra": add_descriptions}
"""The Pydantic settings for game values that are part of a message.

Classes assign it to ``__pydantic_config__``, so that a message can contain these values unchanged. Nothing in this
package imports Pydantic.
"""


def tribe_name(tribe: Tribe) -> TribeName:
    """The name of a tribe. It equals ``tribe.value``, but has a precise type."""
    return "forest" if tribe is FOREST else "sea"


def decider_name(decider: Decider) -> DeciderName | None:
    """The name of a tribe or of chance; ``None`` when the game is over."""
    if decider is CHANCE:
        return "chance"
    return tribe_name(decider) if isinstance(decider, Tribe) else None
