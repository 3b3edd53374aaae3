"""The English sentences for the faults that the core finds."""

from __future__ import annotations

import re
from pathlib import Path

from cairn.notation.faults import _SENTENCES


def test_there_is_a_sentence_for_every_kind_of_fault_in_the_core(repository: Path) -> None:
    sources = ("faults", "game", "record", "record_parser")
    text = "".join((repository / "native" / f"{name}.cpp").read_text(encoding="utf-8") for name in sources)
    # These files contain no other strings with a hyphen.
    kinds = {*re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+)"', text), *re.findall(r'unreadable\(\w+, "([a-z]+)"', text)}
    assert kinds == set(_SENTENCES)
