"""The trained evaluation that the engine uses at full strength.

The released weights are a file of the package; docs/network.md is their model card. If the file is missing, the engine
uses the hand-made evaluation, which is weaker but complete.
"""

from __future__ import annotations

import atexit
import functools
from importlib import resources
from pathlib import Path
from typing import Final

from cairn._native import core

RELEASED: Final = "released"
"""Names the network of the package."""
NONE: Final = "none"
"""Names the hand-made evaluation."""
FILE: Final = "network.bin"


@functools.cache
def open_network(name: str = RELEASED) -> core.Network | None:
    """The network with this name, which is ``released``, ``none`` or a path; ``None`` is the hand-made evaluation.

    Raises ``ValueError`` if the file is not a file of weights, and ``OSError`` if a path cannot be read.

    >>> open_network("none") is None
    True
    """
    weights = weights_of(name)
    try:
        return core.Network(weights) if weights is not None else None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def weights_of(name: str) -> bytes | None:
    """The weights of the network with this name; ``None`` is the hand-made evaluation."""
    if name == NONE:
        return None
    if name == RELEASED:
        file = resources.files("cairn.engine") / FILE
        return file.read_bytes() if file.is_file() else None
    return Path(name).read_bytes()


# Otherwise, a network that is still in the cache when the interpreter exits is reported as a leak.
atexit.register(open_network.cache_clear)
