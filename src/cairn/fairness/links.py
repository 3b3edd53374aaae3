"""Chains of links, for sealed draws: each seat reveals one link for the starting position and one for each draw.

A seat creates a random *root*. Hashing it :data:`LINKS` times gives the *anchor*, which the seat publishes before the
game. It then reveals the chain backwards: the hash of each link is the link before it, and the hash of the first
link is the anchor. Therefore a seat cannot choose its links, and nobody else knows them in advance.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from cairn.fairness.seeds import encode_game, join_fields

LINKS: Final = 16
"""The number of links in a chain. A game needs at most 13: one for the starting position and 12 for draws."""
LINK_BYTES: Final = 32
LINK_TAG: Final = b"cairn link 1\n"


def new_root() -> bytes:
    """The last link of a new chain: 256 random bits from the operating system. Keep it secret."""
    return secrets.token_bytes(LINK_BYTES)


def link_before(link: bytes, game: str) -> bytes:
    """The link that was revealed before this one; for the first link, the anchor."""
    return hashlib.sha256(LINK_TAG + join_fields(link, encode_game(game))).digest()


def link_of(root: bytes, number: int, game: str) -> bytes:
    """A link of the chain: 0 is the anchor, 1 is for the starting position, and 2 is for the first draw.

    >>> link_of(bytes(32), 0, "abc") == link_before(link_of(bytes(32), 1, "abc"), "abc")
    True
    """
    if not 0 <= number <= LINKS:
        raise ValueError(f"expected a link from 0 to {LINKS}, not {number}")
    link = root
    for _ in range(LINKS - number):
        link = link_before(link, game)
    return link


def links_to(last: bytes, anchor: bytes, game: str) -> tuple[bytes, ...]:
    """All links from the first one to ``last``. Raises ``ValueError`` if they do not lead back to ``anchor``.

    >>> root = bytes(32)
    >>> links_to(link_of(root, 2, "abc"), link_of(root, 0, "abc"), "abc") == tuple(
    ...     link_of(root, number, "abc") for number in (1, 2)
    ... )
    True
    """
    links = [last]
    while (before := link_before(links[0], game)) != anchor:
        if len(links) == LINKS:
            raise ValueError(f"hashing this link up to {LINKS} times does not give the seat's number")
        links.insert(0, before)
    return tuple(links)
