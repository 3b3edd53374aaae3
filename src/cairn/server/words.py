"""What a search for games looks at."""

from __future__ import annotations

from collections.abc import Iterable

from cairn.server.models import Seat, VariantName


def words_of(at_table: Iterable[Seat], variant: VariantName | None) -> str:
    """What is kept of a game for it, in small letters: names or levels, Forest's first, and the variant."""
    told = [(seat.name or "") if seat.kind == "person" else f"computer level {seat.level}" for seat in at_table]
    return "\n".join([*told, variant or "position"]).casefold()
