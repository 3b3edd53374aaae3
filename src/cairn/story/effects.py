"""The effects of a token, with one class for each thing that a spectator can see."""

from __future__ import annotations

import dataclasses
from typing import Literal, TypeAlias

from cairn.vocabulary import TribeName

TileName: TypeAlias = Literal["add", "move", "jump", "transformation"]
Direction: TypeAlias = Literal["n", "ne", "nw", "s", "se", "sw"]


@dataclasses.dataclass(frozen=True, slots=True)
class Added:
    """A shaman entered the field from its village (A1, Cairn of Dawn)."""

    tribe: TribeName
    space: str
    power: str | None = None
    """The code of the megalith whose power caused this effect, if any."""
    kind: Literal["added"] = "added"


@dataclasses.dataclass(frozen=True, slots=True)
class Moved:
    """A shaman moved to another space on the field."""

    tribe: TribeName
    origin: str
    target: str
    way: Literal["step", "jump", "power"]
    over: str | None = None
    """For a jump, the space that was jumped over."""
    power: str | None = None
    """The code of the megalith whose power caused this effect, if any."""
    kind: Literal["moved"] = "moved"


@dataclasses.dataclass(frozen=True, slots=True)
class Left:
    """A shaman left the field across its opposing side and returned to its village (E1, E2)."""

    tribe: TribeName
    origin: str
    way: Literal["step", "jump", "power"]
    over: str | None = None
    """For a jump, the space that was jumped over."""
    direction: Direction | None = None
    """The direction, as on a map with Sea's village in the north and column a in the west. If the shaman could leave
    in several directions, this is straight ahead if possible, and otherwise a direction that does not lead past a
    corner."""
    power: str | None = None
    """The code of the megalith whose power caused this effect, if any."""
    kind: Literal["left"] = "left"


@dataclasses.dataclass(frozen=True, slots=True)
class Banished:
    """A shaman was banished to its village (E3)."""

    tribe: TribeName
    space: str
    power: str | None = None
    """The code of the megalith whose power caused this effect, if any."""
    kind: Literal["banished"] = "banished"


@dataclasses.dataclass(frozen=True, slots=True)
class ShamansSwapped:
    """Two shamans changed places (Walk of the Colossus)."""

    first: str
    second: str
    power: str
    """The code of the megalith whose power caused this effect."""
    kind: Literal["shamans-swapped"] = "shamans-swapped"


@dataclasses.dataclass(frozen=True, slots=True)
class Flipped:
    """A tile was turned over. It now shows ``face``, which is written as in a position."""

    tile: TileName
    face: str
    power: str | None = None
    """The code of the megalith whose power caused this effect, if any."""
    kind: Literal["flipped"] = "flipped"


@dataclasses.dataclass(frozen=True, slots=True)
class Activated:
    """A shaman arrived on a megalith."""

    tribe: TribeName
    """The owner of the shaman, to whom the power belongs."""
    code: str
    space: str
    result: Literal["choice", "done", "nothing"]
    """``choice``: the owner decides next; ``done``: there was nothing to choose; ``nothing``: no effect (P1, P6)."""
    kind: Literal["activated"] = "activated"


@dataclasses.dataclass(frozen=True, slots=True)
class Copied:
    """The Shifting Stone copied the power of an upcoming megalith."""

    code: str
    kind: Literal["copied"] = "copied"


@dataclasses.dataclass(frozen=True, slots=True)
class Stopped:
    """A player declined to apply a power again (P6)."""

    code: str
    kind: Literal["stopped"] = "stopped"


@dataclasses.dataclass(frozen=True, slots=True)
class ExtraTurn:
    """This tribe has the next turn (Pillars of Spring)."""

    tribe: TribeName
    power: str
    """The code of the megalith whose power caused this effect."""
    kind: Literal["extra-turn"] = "extra-turn"


@dataclasses.dataclass(frozen=True, slots=True)
class MegalithMoved:
    """A megalith was moved (Sanctuary of the Ages)."""

    code: str
    origin: str
    target: str
    power: str
    """The code of the megalith whose power caused this effect."""
    kind: Literal["megalith-moved"] = "megalith-moved"


@dataclasses.dataclass(frozen=True, slots=True)
class MegalithsSwapped:
    """Two megaliths changed places (Stormwell)."""

    first: str
    second: str
    power: str
    """The code of the megalith whose power caused this effect."""
    kind: Literal["megaliths-swapped"] = "megaliths-swapped"


@dataclasses.dataclass(frozen=True, slots=True)
class Replaced:
    """A megalith was replaced by an upcoming one and put under the deck (Source of Silver)."""

    space: str
    old: str
    new: str
    slot: int
    power: str
    """The code of the megalith whose power caused this effect."""
    kind: Literal["replaced"] = "replaced"


@dataclasses.dataclass(frozen=True, slots=True)
class Built:
    """An upcoming megalith was placed on the field by a construction (which scores) or by the Heart of the Earth."""

    tribe: TribeName
    code: str | None
    """``None`` if both slots were empty and nothing was placed (E5)."""
    space: str
    slot: int | None
    score: int | None
    """The tribe's new score; ``None`` if the tribe did not score."""
    power: str | None = None
    """The code of the megalith whose power caused this effect, if any."""
    kind: Literal["built"] = "built"


@dataclasses.dataclass(frozen=True, slots=True)
class NothingBuilt:
    """The space already had a megalith, so nothing was constructed or scored (E4)."""

    tribe: TribeName
    space: str
    kind: Literal["nothing-built"] = "nothing-built"


@dataclasses.dataclass(frozen=True, slots=True)
class Drawn:
    """A tile was drawn from the deck into a slot."""

    code: str
    slot: int
    kind: Literal["drawn"] = "drawn"


@dataclasses.dataclass(frozen=True, slots=True)
class Transformed:
    """The active player transformed the enemy on this space (X3). The banishment is a separate effect.

    ``start`` and ``end`` are the ends of the line of three. If there are several, it is one of them.
    """

    tribe: TribeName
    space: str
    start: str
    end: str
    kind: Literal["transformed"] = "transformed"


@dataclasses.dataclass(frozen=True, slots=True)
class Passed:
    """The active player did not transform (X5)."""

    tribe: TribeName
    kind: Literal["passed"] = "passed"


@dataclasses.dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    winner: TribeName | None
    reason: str
    kind: Literal["ended"] = "ended"


Effect: TypeAlias = (
    Added | Moved | Left | Banished | ShamansSwapped | Flipped | Activated | Copied | Stopped | ExtraTurn
    | MegalithMoved | MegalithsSwapped | Replaced | Built | NothingBuilt | Drawn | Transformed | Passed | Ended
)  # fmt: skip
