"""Player names: validation and comparison.

Names that differ only in case are the same name. Names that look alike are different names, but once one of them is
taken, nobody can take the others.
"""

from __future__ import annotations

import functools
import unicodedata
from typing import Final

from cairn.server.errors import Refusal
from cairn.server.unicode.confusables import shapes
from cairn.server.unicode.scripts import is_single_script

SHORTEST: Final = 3
LONGEST: Final = 20
MOST_MARKS: Final = 2
"""The maximum number of combining marks on one letter, after normalization."""

_LETTERS: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo"})
_MARKS: Final = frozenset({"Mn", "Mc"})
_OFFICIAL: Final = frozenset({"admin", "administrator", "moderator"})
"""Names whose look-alikes are refused even if no player has the name itself."""
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
"""Invisible letters and marks."""


def checked(text: str) -> str:
    """Normalize a name. Raises :class:`Refusal` with the reason if the name is not valid."""
    name = unicodedata.normalize("NFC", text)
    if any(character.isspace() or _is_invisible(character) for character in name):
        raise _refusal("A name cannot contain spaces or invisible characters.")
    if not all(_is_allowed(character) for character in name):
        raise _refusal("A name can contain only letters of any script, digits, - and _.")
    if unicodedata.normalize("NFKC", name) != name:
        raise _refusal("A name can contain letters and digits only in their ordinary form.")
    if not SHORTEST <= len(name) <= LONGEST:
        raise _refusal(f"A name must have {SHORTEST} to {LONGEST} characters.")
    if unicodedata.category(name[0]) not in (*_LETTERS, "Nd"):
        raise _refusal("A name must begin with a letter or a digit.")
    if _longest_run_of_marks(name) > MOST_MARKS:
        raise _refusal(f"A name cannot have more than {MOST_MARKS} accents on one letter.")
    if not is_single_script(name):
        raise _refusal("A name can contain letters of one script only: a mixed name could imitate another one.")
    if len({ord(character) - unicodedata.decimal(character) for character in name if character.isdecimal()}) > 1:
        raise _refusal("A name can contain digits of one kind only.")
    return name


def key_of(text: str) -> str | None:
    """The normalized key for comparing names, or ``None`` if the text is not a valid name."""
    try:
        name = checked(text)
    except Refusal:
        return None
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def imitates_official(name: str) -> bool:
    """Whether a valid name looks like an official name, such as ``Admin``, but is a different name."""
    return key_of(name) not in _OFFICIAL and not _official_shapes().isdisjoint(shapes(name))


@functools.cache
def _official_shapes() -> frozenset[str]:
    return frozenset(shape for name in _OFFICIAL for shape in shapes(name))


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
