"""The messages of the pages, so that a test can find a button by its label in any language."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "web" / "src" / "messages"
SHARED: Final = Path(__file__).parents[2] / "src" / "cairn" / "messages"
"""The messages that the command line uses too."""
LANGUAGES: Final = ("en", "fr", "de", "ru")


@functools.cache
def messages(language: str) -> dict[str, str]:
    """All messages in a language."""
    found: dict[str, str] = {}
    for path in (each for folder in (FOLDER, SHARED) for each in sorted(folder.glob(f"*.{language}.json"))):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


SHAMAN: Final = {"forest": "Forest shaman", "sea": "Sea shaman"}
"""The English name for a shaman of each tribe."""


def spoken(space: str, tribe: str) -> str:
    """The accessible name of a space with a shaman of the given tribe."""
    return f"{space}, {SHAMAN[tribe]}"


def say(key: str, language: str = "en") -> str:
    """The message with this key, which must have no arguments."""
    return messages(language)[key]
