"""The parts of a game record's text. :mod:`cairn.record` reads and writes records.

[Position "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"]

1 F a1-a2 {towards the circle}
2 S a5-b4 $2
*
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Final

HEADERS: Final = ("Variant", "Forest", "Sea", "Date", "Result", "Reason", "Position")
"""The known headers, in the order in which they are written. Only ``Position`` is required."""
LONGEST_TOKEN: Final = 40
"""The maximum length of a token in characters, with some margin. Longer words are rejected without being parsed."""
MOST_FAULTS: Final = 20
"""The reader stops after this many faults, because the text is probably not a record."""


@dataclasses.dataclass(frozen=True, slots=True)
class Note:
    """The marks and comments on a token."""

    marks: tuple[int, ...] = ()
    """Numeric annotations, as in PGN: 1 good, 2 mistake, 3 brilliant, 4 blunder, ..."""
    comments: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.marks or self.comments)


def in_order(headers: Mapping[str, str]) -> dict[str, str]:
    """The known headers in canonical order, then the others in the given order."""
    known = {name: headers[name] for name in HEADERS if name in headers}
    return known | {name: value for name, value in headers.items() if name not in known}
