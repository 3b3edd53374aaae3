"""The writing systems of a string, and the rules for mixing them."""

from __future__ import annotations

import bisect
import functools
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).with_name("scripts.txt")
_ANY: Final = frozenset({"Zyyy", "Zinh"})
"""The codes for common and inherited characters, such as digits, which belong to every script."""
_LATIN: Final = "Latn"
_SYSTEMS: Final = {
    "Hani": ("Hanb", "Jpan", "Kore"),
    "Hira": ("Jpan",),
    "Kana": ("Jpan",),
    "Hang": ("Kore",),
    "Bopo": ("Hanb",),
}
"""The writing systems that use several scripts (Chinese with Bopomofo, Japanese, Korean), by script."""
_WITH_LATIN: Final = frozenset({"Hanb", "Jpan", "Kore"})
"""The writing systems that commonly include Latin letters."""


def is_single_script(text: str) -> bool:
    """Whether a string meets the "highly restrictive" level of Unicode Technical Standard #39.

    All characters must belong to one script, or to one of the writing systems of Chinese, Japanese and Korean, which
    may also contain Latin letters. A character that is not in the table belongs to no script.

    >>> [is_single_script(text) for text in ("Zoë-7", "Иван", "小明さんABC", "Иvan")]
    [True, True, True, False]
    """
    of_each = [_systems_of(character) for character in unicodedata.normalize("NFD", text)]
    if _common(of_each) is None or _common(of_each):
        return True
    besides_latin = _common(each for each in of_each if each is None or _LATIN not in each)
    return bool(besides_latin and besides_latin & _WITH_LATIN)


def _common(of_each: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """The writing systems that all characters share; ``None`` if every character belongs to every system."""
    shared: frozenset[str] | None = None
    for systems in of_each:
        if systems is not None:
            shared = systems if shared is None else shared & systems
    return shared


def _systems_of(character: str) -> frozenset[str] | None:
    """The scripts and writing systems that use a character; ``None`` means all of them."""
    starts, ends, scripts = _ranges()
    place = bisect.bisect_right(starts, ord(character)) - 1
    if place < 0 or ord(character) > ends[place]:
        return frozenset()
    return scripts[place]


@functools.cache
def _ranges() -> tuple[list[int], list[int], list[frozenset[str] | None]]:
    """The first and last characters of the ranges in the table, in order, and the writing systems of each range."""
    found: list[tuple[int, int, frozenset[str] | None]] = []
    for line in _TABLE.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            names, _, ranges = line.partition(":")
            scripts = frozenset(names.split())
            more = (system for script in scripts for system in _SYSTEMS.get(script, ()))
            systems = None if scripts & _ANY else scripts.union(more)
            for each in ranges.split():
                first, _, last = each.partition("-")
                found.append((int(first, 16), int(last or first, 16), systems))
    found.sort(key=lambda each: each[0])
    starts, ends, systems_of = zip(*found, strict=True)
    return list(starts), list(ends), list(systems_of)
