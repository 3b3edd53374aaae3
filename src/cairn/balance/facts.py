"""The facts about self-play games that the core finds, as numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from cairn._native import core
from cairn.vocabulary import MEGALITHS, Variant

Array: TypeAlias = Any
"""A numpy array. The type is ``Any``, because type checks must work without numpy."""

VARIANTS: Final = tuple(variant.value for variant in Variant)
TRIBES: Final = ("forest", "sea")
ENDINGS: Final = ("score", "no-action", "repetition", "too-long")
ACTIONS: Final = ("add", "move", "jump")
WAYS: Final = ("move", "jump", "power", "transformation")
"""How a point was scored: a shaman left by the move action, by the jump action or by a power; or a transformation."""
SIDES: Final = ("first", "second")
"""The first player and the other."""
TILES: Final = tuple(MEGALITHS)
"""The codes of the megaliths, in the order of their numbers."""
MILLIONTHS: Final = 1_000_000

GAME: Final = np.dtype(
    [
        ("luck", "<i4"),
        ("opening", "<i2"),
        ("tokens", "<u2"),
        ("turns", "<u2"),
        ("variant", "u1"),
        ("faces", "u1"),
        ("first", "u1"),
        ("result", "u1"),
        ("ending", "u1"),
        ("opening_tile", "u1"),
        ("points", "u1", (len(SIDES), len(WAYS))),
        ("draws", "u1"),
        ("unused", "u1", (3,)),
    ]
)
"""The layout of ``GameFacts`` in native/training/facts.h."""

BUILD: Final = np.dtype(
    [
        ("game", "<u4"),
        ("gain", "<i4"),
        ("token", "<u2"),
        ("built", "u1"),
        ("other", "u1"),
        ("result", "u1"),
        ("unused", "u1", (3,)),
    ]
)
"""The layout of ``BuildChoice`` in native/training/facts.h."""

PAIR: Final = np.dtype(
    [
        ("variant", "u1"),
        ("built", "u1"),
        ("other", "u1"),
        ("choices", "<i8"),
        ("gain", "<i8"),
        ("gain_squares", "<f8"),
        ("result", "<i8"),
    ]
)
"""All choices of one megalith over another, added up."""


def find_facts(games: bytes, network: core.Network | None, nodes: int) -> tuple[Array, Array]:
    """The facts about the games and the builds of a file. Raises ``RuntimeError`` if the file is damaged."""
    found, builds = core.game_facts(games, network, nodes)
    return np.frombuffer(found, dtype=GAME), np.frombuffer(builds, dtype=BUILD)


def pairs_of(games: Array, builds: Array) -> Array:
    """Add up the choices for each variant and each ordered pair of megaliths."""
    size = len(TILES)
    variants = games["variant"][builds["game"]].astype(np.int64)
    cells = (variants * size + builds["built"]) * size + builds["other"]
    gains = builds["gain"].astype(np.float64)
    count = len(VARIANTS) * size * size

    def added(weights: Array) -> Array:
        return np.bincount(cells, weights, count)

    choices = np.bincount(cells, minlength=count)
    used = np.flatnonzero(choices)
    pairs = np.zeros(len(used), dtype=PAIR)
    pairs["variant"], rest = np.divmod(used, size * size)
    pairs["built"], pairs["other"] = np.divmod(rest, size)
    pairs["choices"] = choices[used]
    pairs["gain"] = added(gains)[used]
    pairs["gain_squares"] = added(gains**2)[used]
    pairs["result"] = added(builds["result"].astype(np.float64))[used]
    return pairs


def joined_pairs(parts: Sequence[Array]) -> Array:
    """The sums of several files together."""
    everything = np.concatenate(parts)
    keys = everything[["variant", "built", "other"]]
    distinct, places = np.unique(keys, return_inverse=True)
    pairs = np.zeros(len(distinct), dtype=PAIR)
    for name in ("variant", "built", "other"):
        pairs[name] = distinct[name]
    for name in ("choices", "gain", "gain_squares", "result"):
        np.add.at(pairs[name], places, everything[name])
    return pairs


def faces_text(faces: int) -> str:
    """The faces in notation.

    >>> faces_text(0), faces_text(15)
    ('wofm', 'bdee')
    """
    letters = ("wb", "od", "fe", "me")
    return "".join(pair[faces >> place & 1] for place, pair in enumerate(letters))
