"""Parse whole numbers in commands."""

from __future__ import annotations

import re
from typing import Final

LARGEST: Final = 2**63 - 1


def read_number(text: str, lowest: int, highest: int = LARGEST) -> int | None:
    """Parse a number in plain digits; ``None`` if the text is not a number or the number is out of bounds."""
    if not re.fullmatch("0|[1-9][0-9]{0,18}", text):
        return None
    number = int(text)
    return number if lowest <= number <= highest else None
