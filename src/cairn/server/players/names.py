"""Names of players: what one may be, when two are the same; and what people write, in one line."""

from __future__ import annotations

import unicodedata
from typing import Final

from cairn.server.errors import Refusal

SHORTEST: Final = 3


LONGEST: Final = 20


MOST_MARKS: Final = 2
"""So many accents and the like on one letter, beside what is one character with it."""


_LETTERS: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo"})


_MARKS: Final = frozenset({"Mn", "Mc"})


_ALPHABETS: Final = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE")
"""Alphabets whose letters look like letters of another one of these."""


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
"""Letters and marks that show nothing."""


def checked(text: str) -> str:
    """The name, as it is shown; a refusal says what is wrong with it."""
    name = unicodedata.normalize("NFC", text)
    if any(character.isspace() or _is_invisible(character) for character in name):
        raise _refusal("A name has no spaces and no invisible characters.")
    if not all(_may_be_in_a_name(character) for character in name):
        raise _refusal("A name has letters of any script, digits, - and _.")
    if unicodedata.normalize("NFKC", name) != name:
        raise _refusal("A name has letters and digits in their ordinary form.")
    if not SHORTEST <= len(name) <= LONGEST:
        raise _refusal(f"A name has {SHORTEST} to {LONGEST} characters.")
    if unicodedata.category(name[0]) not in (*_LETTERS, "Nd"):
        raise _refusal("A name begins with a letter or a digit.")
    if _longest_run_of_marks(name) > MOST_MARKS:
        raise _refusal("A name has not so many accents on one letter.")
    if len(_alphabets(name)) > 1:
        raise _refusal("A name does not mix alphabets whose letters look alike.")
    return name


def key_of(text: str) -> str | None:
    """What is the same for names that are the same to us, or ``None`` for what cannot be a name."""
    try:
        name = checked(text)
    except Refusal:
        return None
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _refusal(sentence: str) -> Refusal:
    return Refusal(422, "bad-name", sentence)


def _is_invisible(character: str) -> bool:
    return ord(character) in _INVISIBLE or unicodedata.category(character) in ("Cf", "Zs", "Zl", "Zp")


def _may_be_in_a_name(character: str) -> bool:
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
