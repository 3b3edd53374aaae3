"""The header of a game: the part of its data that never changes after the game is created."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping

from cairn.fairness import SEALED_VERSION, VERSION, Proof
from cairn.server.game.clocks import TimeControl
from cairn.server.game.names import TribeName, VariantName
from cairn.server.game.seats import Seats
from cairn.vocabulary import Tribe, Variant


@dataclasses.dataclass(frozen=True, slots=True)
class SeatHolder:
    """The holder of a seat in an online game. The player, and anybody with the seat token, may act for the tribe."""

    player: str
    """The id of a player or of a computer level."""
    token_hash: str | None = dataclasses.field(default=None, repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class OnlineTerms:
    """The terms of an online game: players, a clock, and the values that determine the draws."""

    control: TimeControl
    rated: bool
    commitment: bytes
    forest_number: bytes
    sea_number: bytes
    first: TribeName | None
    """The tribe that begins, if the challenge specified it."""
    seats: Mapping[TribeName, SeatHolder]
    tossed: TribeName | None = None
    """The tribe that the toss gave to the creator of the challenge; ``None`` if the tribes were chosen."""
    proof_version: int = VERSION
    """The version of the proof, which determines how the draws are derived from the seed."""
    challenge: str | None = dataclasses.field(default=None, compare=False)
    """The challenge to accept in the transaction that creates the game. It is not stored in the header."""


@dataclasses.dataclass(frozen=True, slots=True)
class GameHeader:
    """The part of a game's data that never changes after the game is created."""

    id: str
    created: datetime.datetime
    variant: VariantName | None
    start: str
    """The starting position; :data:`~cairn.fairness.UNKNOWN_START` with sealed draws."""
    seats: Seats
    seed: bytes = dataclasses.field(repr=False)
    """The secret that the draws are derived from. No message contains it before the game ends."""
    owner: str | None = None
    """The player who began a local game, if known."""
    online: OnlineTerms | None = None
    """``None`` in a local game."""

    @property
    def sealed(self) -> bool:
        """Whether the starting position and each draw need a link from both players."""
        return self.online is not None and self.online.proof_version == SEALED_VERSION

    @property
    def proof(self) -> Proof | None:
        """The values that determine the draws of an online game, including the seed."""
        online = self.online
        if online is None or self.variant is None:
            return None
        return Proof(
            commitment=online.commitment,
            seed=self.seed,
            forest_number=online.forest_number,
            sea_number=online.sea_number,
            game=self.id,
            variant=Variant(self.variant),
            first=Tribe(online.first) if online.first else None,
            tossed=Tribe(online.tossed) if online.tossed else None,
            version=online.proof_version,
        )
