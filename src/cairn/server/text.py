"""Clean up text typed by people."""

from __future__ import annotations

import unicodedata


def one_line(text: str) -> str:
    """The text on one line, with runs of whitespace collapsed and control characters removed."""
    kept = (" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in text)
    return " ".join("".join(letter for letter in kept if unicodedata.category(letter) != "Cs").split())
