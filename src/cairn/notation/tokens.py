"""Read tokens. ``str(token)`` writes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cairn.vocabulary import (
    MEGALITHS,
    ActionTile,
    Add,
    Banish,
    Build,
    Copy,
    Draw,
    Fault,
    Flip,
    MalformedError,
    Pass,
    Push,
    Put,
    Stop,
    Swap,
    Token,
    Transform,
    Travel,
    Use,
    megalith_of,
    space_of,
)

_SPACE: Final = "([a-e][1-5])"
_TILE: Final = f"({'|'.join(MEGALITHS)})"

_READERS: Final[tuple[tuple[re.Pattern[str], Callable[..., Token]], ...]] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (rf"\+{_SPACE}", lambda space: Add(space_of(space))),
        (rf"{_SPACE}-{_SPACE}", lambda origin, target: Travel(space_of(origin), space_of(target))),
        (rf"{_SPACE}-out", lambda origin: Travel(space_of(origin), None)),
        (rf"={_TILE}", lambda tile: Build(megalith_of(tile))),
        (rf"\?{_TILE}", lambda tile: Draw(megalith_of(tile))),
        (rf"x{_SPACE}", lambda space: Banish(space_of(space))),
        (rf"{_SPACE}~{_SPACE}", lambda origin, target: Push(space_of(origin), space_of(target))),
        (rf"{_SPACE}/{_SPACE}", lambda first, second: Swap(space_of(first), space_of(second))),
        (r"flip-(add|move|jump)", lambda tile: Flip(ActionTile(tile))),
        (rf"{_SPACE}={_TILE}", lambda space, tile: Put(space_of(space), megalith_of(tile))),
        (rf"{_TILE}:([^:]+)", lambda tile, choice: Copy(megalith_of(tile), _read_copied(choice))),
        (r"stop", Stop),
        (rf"T{_SPACE}", lambda space: Transform(space_of(space))),
        (r"pass", Pass),
    )
)
_COPIED: Final = (Add, Travel, Banish, Push, Swap, Flip, Put)


def read_token(text: str) -> Token:
    """Read a token. Raises :class:`~cairn.MalformedError` if the text is not a token.

    >>> read_token("a1-b2")
    Travel(origin=a1, target=b2)
    """
    for pattern, reader in _READERS:
        if match := pattern.fullmatch(text):
            return reader(*match.groups())
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    raise MalformedError([Fault("not-a-token", "token", f"{shown!r} is not a token")])


def _read_copied(text: str) -> Token:
    """Read the choice for a copied power: the part after the colon in a Shifting Stone token."""
    if text == "use":
        return Use()
    token = read_token(text)
    if not isinstance(token, _COPIED):
        raise MalformedError([Fault("not-a-power", "token", f"{text!r} is not a choice that a copied power offers")])
    return token
