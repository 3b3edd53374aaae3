"""Write the record of a game, for download."""

from __future__ import annotations

import dataclasses

from cairn.game import Game
from cairn.record import Record, write_record
from cairn.server.game.header import GameHeader
from cairn.server.game.state import GameState
from cairn.vocabulary import FOREST, SEA, Tribe


@dataclasses.dataclass(frozen=True, slots=True)
class RecordSource:
    """A snapshot of the data for a record."""

    header: GameHeader
    game: Game
    proof: dict[str, str]
    """The record's headers for the proof. They contain the seed only after the game has ended."""

    @classmethod
    def of(cls, state: GameState) -> RecordSource:
        """Copy the data of a game. The caller must hold the game's lock."""
        proof = state.proof
        return cls(state.header, state.game.copy(), dict(proof.headers()) if proof else {})

    @property
    def file_name(self) -> str:
        """A name for the file."""
        return f"cairn-{self.header.created:%Y-%m-%d}-{self.header.id}.cairn"

    def write(self) -> str:
        """The record as text."""
        header = self.header
        headers = {"Variant": header.variant, "Forest": _name_of(header, FOREST), "Sea": _name_of(header, SEA)}
        headers["Date"] = f"{header.created:%Y.%m.%d}"
        known = {name: value for name, value in headers.items() if value}
        return write_record(Record(self.game, known | self.proof))


def _name_of(header: GameHeader, tribe: Tribe) -> str | None:
    """A player's name in a record."""
    seat = header.seats.of(tribe)
    return f"level {seat.level}" if seat.kind == "computer" else seat.name
