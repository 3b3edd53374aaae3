"""Samples for training: positions from self-play games, with the score of a search and the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from cairn._native import core

Array: TypeAlias = Any
"""A numpy array. The type is ``Any``, because type checks must work without numpy."""

WIDTH, MOST_ACTIVE, _OTHER_VIEW, _MIRRORED, INPUT_LIMITS, BIAS_LIMIT = core.network_layout()
INPUTS: Final = len(_OTHER_VIEW)
"""The number of inputs in a view. As an index, it is padding: a position has at most ``MOST_ACTIVE`` inputs."""

SAMPLE: Final = np.dtype(
    [
        ("inputs", "<u2", (MOST_ACTIVE,)),
        ("score", "<i2"),
        ("result", "i1"),
        ("faces", "u1"),
    ]
)
"""The layout of ``Sample`` in native/training/samples.h."""

OTHER_VIEW: Final = np.array([*_OTHER_VIEW, INPUTS], dtype=np.uint16)
"""Converts the inputs of one player's view to those of the other view; the padding stays as it is."""
MIRRORED: Final = np.array([*_MIRRORED, INPUTS], dtype=np.uint16)
"""Converts inputs to those of the table mirrored left-right."""
ADD_FACE: Final = 1
"""The bit of the add tile, which shows its other face on a mirrored table."""


def read_samples(files: Sequence[Path]) -> Array:
    """Read the samples of all games in these files."""
    return np.concatenate([np.frombuffer(core.training_samples(file.read_bytes()), dtype=SAMPLE) for file in files])
