"""Player names: which are valid, and when two count as the same."""

from __future__ import annotations

import unicodedata
from typing import Final

from cairn.server.errors import Refusal

SHORTEST: Final = 3
LONGEST: Final = 20
MOST_MARKS: Final = 2
"""The most combining marks on one letter, after normalization."""

_LETTERS: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo"})
_MARKS: Final = frozenset({"Mn", "Mc"})
_ALPHABETS: Final = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE")
"""Alphabets with letters that look alike. A name may use only one of them."""
_INVISIBLE: Final = frozenset(
    [
        0x034F,
        0x115F,
        0x1160,
        0x17B4,
        0x17B5,
        *range(0x180B, 0x1810),
        0x3164,
        *range(0xFE00, 0xFE10),
        0xFFA0,
        *range(0xE0100, 0xE01F0),
    ]
)
"""Letters and marks that are invisible."""


def checked(text: str) -> str:
    """The normalized name; :class:`Refusal` says what is wrong with it."""
    name = unicodedata.normalize("NFC", text)
    if any(character.isspace() or _is_invisible(character) for character in name):
        raise _refusal("A name cannot contain spaces or invisible characters.")
    if not all(_is_allowed(character) for character in name):
        raise _refusal("A name can contain letters of any script, digits, - and _.")
    if unicodedata.normalize("NFKC", name) != name:
        raise _refusal("A name can contain letters and digits only in their ordinary form.")
    if not SHORTEST <= len(name) <= LONGEST:
        raise _refusal(f"A name must have {SHORTEST} to {LONGEST} characters.")
    if unicodedata.category(name[0]) not in (*_LETTERS, "Nd"):
        raise _refusal("A name must begin with a letter or a digit.")
    if _longest_run_of_marks(name) > MOST_MARKS:
        raise _refusal(f"A name can have up to {MOST_MARKS} accents on one letter.")
    if len(_alphabets(name)) > 1:
        raise _refusal("A name cannot mix alphabets with letters that look alike.")
    return name


def key_of(text: str) -> str | None:
    """The form in which names are compared, or ``None`` if the text is not a valid name."""
    try:
        name = checked(text)
    except Refusal:
        return None
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _refusal(sentence: str) -> Refusal:
    return Refusal(422, "bad-name", sentence)


def _is_invisible(character: str) -> bool:
    return ord(character) in _INVISIBLE or unicodedata.category(character) in ("Cf", "Zs", "Zl", "Zp")


def _is_allowed(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind in _LETTERS or kind in _MARKS or kind == "Nd" or character in "-_"


def _longest_run_of_marks(name: str) -> int:
    longest = run = 0
    for character in name:
        run = run + 1 if unicodedata.category(character) in _MARKS else 0
        longest = max(longest, run)
    return longest


def _alphabets(name: str) -> set[str]:
    words = (unicodedata.name(character, "").partition(" ")[0] for character in name)
    return {word for word in words if word in _ALPHABETS}
