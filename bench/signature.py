"""The bench signature: one number that changes only if the core plays by different rules.

The signature is the sum of the perft counts for ``signature_positions.txt``. If a commit changes the rules on purpose,
record the new number with ``--write``. For any other commit, ``--check`` fails if the number differs from
``SIGNATURE``.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Iterator
from typing import Final

import cairn_core

POSITIONS: Final = pathlib.Path(__file__).with_name("signature_positions.txt")
RECORDED: Final = pathlib.Path(__file__).with_name("SIGNATURE")


def positions() -> Iterator[tuple[int, str]]:
    """Yield each depth and position in the file; a line that begins with ``#`` is a comment."""
    for line in POSITIONS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            depth, _, position = line.partition(" ")
            yield int(depth), position


def signature() -> int:
    """Compute the signature."""
    return sum(cairn_core.perft(position, depth) for depth, position in positions())


def main() -> int:
    """Print the signature; compare or record it on request."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--check", action="store_true", help="fail if the signature differs from bench/SIGNATURE")
    either.add_argument("--write", action="store_true", help="record the signature in bench/SIGNATURE")
    options = parser.parse_args()

    number = signature()
    print(number)
    if options.write:
        RECORDED.write_text(f"{number}\n", encoding="utf-8")
    recorded = RECORDED.read_text(encoding="utf-8").strip() if RECORDED.exists() else "nothing"
    if options.check and recorded != str(number):
        print(f"the bench signature is {number}, but bench/SIGNATURE has {recorded}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
