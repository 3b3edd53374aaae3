"""The hash chain over a game's log. Changing a stored event or the header breaks the chain.

The first hash covers the header. Each event's hash covers the previous hash, so the last hash covers the whole log.
The chain detects damage, not forgery: anyone who can write to the database can also recompute it.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

_HEADER: Final = (
    *("id", "created", "variant", "start", "seed", "kind", "clock"),
    *("rated", "commitment", "forest_number", "sea_number", "first", "proof_version"),
)
"""The columns of ``games`` that never change. Names and the search text change when a player is deleted."""
_SEAT: Final = ("tribe", "kind", "level", "player")
"""The columns of ``seats`` that never change."""

canonical: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
"""Encode data as canonical JSON: equal data gives equal text."""


def start_of(header: Mapping[Any, Any], at_table: Iterable[Mapping[Any, Any]]) -> str:
    """The hash of a header, computed from its rows in ``games`` and ``seats``."""
    row = {name: _plain(header.get(name)) for name in _HEADER}
    row["rated"] = bool(row["rated"])
    taken = sorted([str(seat[name]) if seat.get(name) is not None else "" for name in _SEAT] for seat in at_table)
    return hashlib.sha256(canonical([row, taken]).encode()).hexdigest()


def link(before: str, game: str, revision: int, kind: str, data: str, time: str) -> str:
    """The hash of an event, given the previous hash. ``data`` is canonical JSON, ``time`` is a :func:`time_text`."""
    # None of the parts can contain a line break, so the text is unambiguous.
    return hashlib.sha256(f"{before}\n{game}\n{revision}\n{kind}\n{data}\n{time}".encode()).hexdigest()


def time_text(at: datetime.datetime) -> str:
    """A time in UTC with microseconds, as both databases store it. A naive time is assumed to be in UTC."""
    if at.tzinfo is not None and at.tzinfo is not datetime.UTC:
        at = at.astimezone(datetime.UTC)
    return at.isoformat(" ", "microseconds")[:26]  # without the zone


def _plain(value: object) -> object:
    if isinstance(value, datetime.datetime):
        return time_text(value)
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value
