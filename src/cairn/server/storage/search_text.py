"""The searchable text of a game."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from cairn.server.game.names import VariantName
from cairn.server.game.seats import Seat
from cairn.server.storage.tables import games


def search_text(at_table: Iterable[Seat], variant: VariantName | None) -> str:
    """The text to search, in lower case: Forest's name or level, Sea's name or level, and the variant, one per line."""
    lines = [(seat.name or "") if seat.kind == "person" else f"computer level {seat.level}" for seat in at_table]
    return "\n".join([*lines, variant or "position"]).casefold()


def matches_search(search: str) -> sa.ColumnElement[bool]:
    """The SQL condition for games that match all words of a search."""
    words = search.replace("\0", " ").casefold().split()  # PostgreSQL rejects NUL characters
    alternatives = ([word for word in each.split("|") if word] for each in words)
    return sa.and_(sa.true(), *(sa.or_(*map(_matches_word, each)) for each in alternatives if each))


def _matches_word(word: str) -> sa.ColumnElement[bool]:
    kind, _, value = word.partition(":")
    match kind, value:
        case "level", value if value.isdecimal():
            return games.c.words.contains(f"level {value}\n", autoescape=True)
        case "unnamed", "forest":
            return games.c.words.startswith("\n")
        case "unnamed", "sea":
            return games.c.words.contains("\n\n")
        case _:
            return games.c.words.contains(word, autoescape=True)
