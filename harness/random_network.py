"""Network weights for tests: random, but as large as the core allows, so that a wrong sum or an overflow shows up."""

from __future__ import annotations

import random
import struct
from typing import Final

from cairn._native import core

_LAYOUT: Final = core.network_layout()
WIDTH: Final = _LAYOUT[0]
INPUT_LIMITS: Final = _LAYOUT[4]
BIAS_LIMIT: Final = _LAYOUT[5]
FACE_SETS: Final = 16
OUTPUT_LIMIT: Final = 127


def random_weights(seed: int) -> bytes:
    """A file of weights, in the format of native/network.h."""
    rng = random.Random(seed)

    def numbers(count: int, limit: int, kind: str = "h") -> bytes:
        return struct.pack(f"<{count}{kind}", *(rng.randint(-limit, limit) for _ in range(count)))

    return b"".join(
        [
            b"CAIRNNN2",
            struct.pack("<I", WIDTH),
            *(numbers(WIDTH, limit) for limit in [*INPUT_LIMITS, BIAS_LIMIT]),
            numbers(WIDTH * 2 * FACE_SETS, OUTPUT_LIMIT),
            numbers(FACE_SETS, 100_000, "i"),
        ]
    )
