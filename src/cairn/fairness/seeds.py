"""Seeds, commitments, the players' random numbers, and the key derived from them."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from typing import Final

from cairn.vocabulary import TRIBES

SEED_BYTES: Final = 32
SHORTEST_NUMBER: Final = 16
"""The minimum length of a player's number, in bytes. If a player adds no number, an empty one is used."""
LONGEST_NUMBER: Final = 32
COMMITMENT_TAG: Final = b"cairn commitment 1\n"
KEY_TAG: Final = b"cairn key 1\n"
TERMS_KEY_TAG: Final = b"cairn key 2\n"
LINKS_KEY_TAG: Final = b"cairn key 3\n"

HEX: Final = re.compile("(?:[0-9a-f]{2})*")
"""Matches bytes in hexadecimal."""


def new_seed() -> bytes:
    """256 random bits from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def commitment_of(seed: bytes, game: str) -> bytes:
    """The hash that the server publishes before any player adds a number. It fixes the seed without revealing it."""
    _require_seed(seed)
    return hashlib.sha256(COMMITMENT_TAG + join_fields(seed, encode_game(game))).digest()


def key_of(
    seed: bytes,
    forest_number: bytes,
    sea_number: bytes,
    game: str,
    terms: Sequence[str] | None = None,
    links: tuple[bytes, bytes] | None = None,
) -> bytes:
    """The key that determines the starting position and every draw of a game.

    ``terms`` are the variant, the letter of the tribe that was chosen to begin, and the letter of the challenger's
    tribe if a toss decided it. A letter is empty if there was no such choice or toss. Version 1 of the proof omits the
    terms. With sealed draws, ``links`` are Forest's and Sea's links for the starting position or for one draw, and the
    key determines only that position or draw.
    """
    _require_seed(seed)
    for tribe, number in zip(TRIBES, (forest_number, sea_number), strict=True):
        if fault := number_fault(number):
            raise ValueError(f"{tribe.value.capitalize()}'s number: {fault}")
    fields = [forest_number, sea_number, encode_game(game), *(term.encode() for term in terms or ()), *(links or ())]
    tag = KEY_TAG if terms is None else LINKS_KEY_TAG if links else TERMS_KEY_TAG
    return hmac.digest(seed, tag + join_fields(*fields), hashlib.sha256)


def read_number(text: str) -> bytes:
    """Read a player's number in hexadecimal. Raises ``ValueError`` if it is not valid.

    >>> read_number("00112233445566778899aabbccddeeff").hex()
    '00112233445566778899aabbccddeeff'
    >>> read_number("")
    b''
    >>> read_number("0011")
    Traceback (most recent call last):
    ValueError: 2 bytes long; a number has 16 to 32 bytes, or none
    """
    if not HEX.fullmatch(text):
        raise ValueError("not hexadecimal: use the digits 0-9 and a-f, two for each byte")
    number = bytes.fromhex(text)
    if fault := number_fault(number):
        raise ValueError(fault)
    return number


def join_fields(*parts: bytes) -> bytes:
    """The parts, each preceded by its length, so that no two lists of parts give the same bytes."""
    return b"".join(len(part).to_bytes(4) + part for part in parts)


def encode_game(game: str) -> bytes:
    """The bytes of a game's id; raises ``ValueError`` if it is empty."""
    if not game:
        raise ValueError("the game id is empty")
    return game.encode()


def _require_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


def number_fault(number: bytes) -> str | None:
    """Describe what is wrong with a player's number; ``None`` if it is valid."""
    if not number or SHORTEST_NUMBER <= len(number) <= LONGEST_NUMBER:
        return None
    return f"{len(number)} bytes long; a number has {SHORTEST_NUMBER} to {LONGEST_NUMBER} bytes, or none"
