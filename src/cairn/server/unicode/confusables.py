"""Detect names that look alike, using the confusable characters of Unicode Technical Standard #39."""

from __future__ import annotations

import functools
import re
import unicodedata
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).with_name("confusables.txt")
_DOTTED: Final = re.compile("(?<=[ij\u0131\u0237])\u0307")
"""Matches a combining dot on an i or j. It is ignored, because a dotless i with a dot looks like an ordinary i."""


def skeleton(text: str) -> str:
    r"""The text with every character replaced by its prototype. Texts with equal skeletons look alike.

    >>> skeleton("p\N{CYRILLIC SMALL LETTER A}ypal") == skeleton("paypal")
    True
    >>> skeleton("AIex") == skeleton("Alex")
    True
    """
    decomposed = _DOTTED.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", decomposed.translate(_prototypes()))


def shapes(name: str) -> list[str]:
    """The shapes of a name: how it looks as written and in other cases. Two names that look alike share a shape.

    Names that differ only in case are the same name, so a name must not look like any case of a different name. For
    example, Lisu letters can look like ``ADMIN``, which is the same name as ``Admin``; ``AIex`` looks like ``Alex``.

    >>> shapes("Ian")
    ['ian', 'lAN', 'lan']
    """
    drawn = skeleton(name)
    return sorted({drawn, *(skeleton(each) for each in (name.upper(), name.casefold(), drawn.casefold()))})


@functools.cache
def _prototypes() -> dict[int, str]:
    """The prototypes by character. Most characters have none."""
    found: dict[int, str] = {}
    for line in _TABLE.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            prototype, _, characters = line.partition(":")
            text = "".join(chr(int(each, 16)) for each in prototype.split())
            found |= dict.fromkeys((int(each, 16) for each in characters.split()), text)
    return found
