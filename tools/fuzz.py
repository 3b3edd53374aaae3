"""Plays random games through both implementations of the rules, side by side, until the time is up.

At every moment both must show the same, take back what they played, and refuse the same wrong tokens. A difference is
printed with the position and the tokens that lead to it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Final

import cairn
from cairn import Variant
from side_by_side import Core, Disagreement, Implementation, Rulebook, expect_view

LONGEST_GAME: Final = 400
WRONG_TOKENS: Final = (
    "+b1", "+d5", "a1-a2", "c3-c4", "b4-out", "=DR", "?AD", "xc3", "b3~c4", "b3/d3", "flip-add", "b3=DR", "PS:use",
    "stop", "Tc3", "pass", "a1-a1", "f9-out", "+ b1", "", "=XX", "DR:DR:use", "\0", "é",
)  # fmt: skip
"""Tried at random moments: some are no tokens at all, others are legal now and then."""


def play(seed: int) -> int:
    """Play the random game with that seed; how many tokens it took."""
    choice = random.Random(seed)
    start = str(cairn.Board.start(choice.choice(list(Variant)), seed))
    both: tuple[Implementation, Implementation] = (Rulebook(start), Core(start))
    tokens: list[str] = []
    while True:
        where = f"seed {seed}: {start} after {' '.join(tokens) or 'nothing'}"
        view = both[0].view()
        expect_view(both[1], view, where)
        _refuse(both, choice.choice(WRONG_TOKENS), view.legal, where)
        if not view.legal or len(tokens) == LONGEST_GAME:
            return len(tokens)
        tokens.append(choice.choice(view.legal))
        for implementation in both:
            implementation.push(tokens[-1])


def _refuse(both: tuple[Implementation, ...], token: str, legal: list[str], where: str) -> None:
    """Both refuse a token that is not legal, with the same kind of error, and change nothing."""
    if token in legal:
        return
    kinds = []
    for implementation in both:
        try:
            implementation.push(token)
        except cairn.CairnError as error:
            kinds.append(type(error).__name__)
        else:
            raise Disagreement(f"{where}: {type(implementation).__name__} played {token!r}, which is not legal")
    if len(set(kinds)) > 1:
        raise Disagreement(f"{where}: {token!r} is refused with different errors, {' and '.join(kinds)}")


def main() -> int:
    """Fuzz for some seconds; 1 at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="play only the game with this seed")
    options = parser.parse_args()

    begin = time.monotonic()
    games = tokens = 0
    seed = random.SystemRandom().randrange(2**40) if options.seed is None else options.seed
    try:
        while True:
            tokens += play(seed + games)
            games += 1
            if options.seed is not None or time.monotonic() - begin >= options.seconds:
                break
    except Disagreement as difference:
        print(difference, file=sys.stderr)
        return 1
    print(f"fuzz: {games} games, {tokens} tokens, no difference in {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
