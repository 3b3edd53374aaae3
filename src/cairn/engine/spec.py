"""Open engines from a short text, for commands and other processes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Final

from cairn.engine.engine import Engine
from cairn.engine.external import ExternalEngine
from cairn.engine.greedy import GreedyEngine
from cairn.engine.levels import HIGHEST, LOWEST
from cairn.engine.native import MOST_MEGABYTES, MOST_THREADS, NativeEngine
from cairn.engine.network import RELEASED, open_network
from cairn.engine.numbers import LARGEST, read_number
from cairn.engine.random_player import RandomEngine

EXAMPLES: Final = "full, level:4, random or cmd:./other --flag"
_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "threads": (1, MOST_THREADS),
    "hash": (1, MOST_MEGABYTES),
    "seed": (0, LARGEST),
}


def open_engine(text: str) -> Engine:
    """Open the engine specified by ``text``. Raises ``ValueError`` if the text is not valid.

    =============================== =========================================================================
    ``full``                        the native engine at full strength
    ``full,threads=2,hash=16``      the same with two threads and a table of 16 MB
    ``full,network=FILE``           the same with other weights; ``network=none`` is the hand-made evaluation
    ``level:4``, ``level:4,seed=7`` a level; with the same seed, it plays the same tokens
    ``random``, ``random,seed=7``   random legal tokens
    ``greedy``                      the token after which the evaluation is best, without a search
    ``cmd:./other --flag``          another program that speaks the protocol
    =============================== =========================================================================

    >>> open_engine("level:4").name
    'Cairn level 4'
    >>> open_engine("level:11")
    Traceback (most recent call last):
    ValueError: engine 'level:11': the level must be a whole number from 1 to 10, not '11'
    """
    try:
        if text.startswith("cmd:"):
            return _command(text.removeprefix("cmd:"))
        first, *settings = text.split(",")
        return _own(first, settings)
    except ValueError as error:
        raise ValueError(f"engine {text[:80]!r}: {error}") from None


def _command(text: str) -> Engine:
    words = shlex.split(text)
    if not words:
        raise ValueError("expected a command after cmd:")
    return ExternalEngine(words)


def _own(first: str, settings: Sequence[str]) -> Engine:
    kind, colon, argument = first.partition(":")
    if kind == "level":
        level = read_number(argument, LOWEST, HIGHEST)
        if level is None:
            raise ValueError(f"the level must be a whole number from {LOWEST} to {HIGHEST}, not {argument[:40]!r}")
        return NativeEngine(level=level, seed=_read(settings, "seed").get("seed"))
    if colon:
        raise ValueError(f"expected something like {EXAMPLES}")
    if kind == "full":
        network, numbered = _take_network(settings)
        numbers = _read(numbered, "threads", "hash")
        return NativeEngine(numbers.get("threads", 1), numbers.get("hash", 64), network=network)
    if kind == "random":
        return RandomEngine(_read(settings, "seed").get("seed", 0))
    if kind == "greedy":
        _read(settings)
        return GreedyEngine()
    raise ValueError(f"expected something like {EXAMPLES}")


def _take_network(settings: Sequence[str]) -> tuple[str, list[str]]:
    """Split the settings into the name of the network and the others."""
    prefix = "network="
    names = [setting.removeprefix(prefix) for setting in settings if setting.startswith(prefix)]
    if len(names) > 1:
        raise ValueError("network appears twice")
    name = names[0] if names else RELEASED
    try:
        open_network(name)
    except OSError as error:
        raise ValueError(f"cannot read the network {name}: {error.strerror}") from None
    return name, [setting for setting in settings if not setting.startswith(prefix)]


def _read(settings: Sequence[str], *known: str) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        if name not in known:
            raise ValueError(f"{name[:40]!r} is not one of this engine's settings: {', '.join(known)}")
        if name in numbers:
            raise ValueError(f"{name} appears twice")
        lowest, highest = _BOUNDS[name]
        number = read_number(value, lowest, highest)
        if number is None:
            raise ValueError(f"{name} must be a whole number from {lowest} to {highest}, not {value[:40]!r}")
        numbers[name] = number
    return numbers
