"""Random ids and secrets for seats, invitations, sessions, bots and reset links. Only hashes of secrets are stored."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

ID_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH: Final = 12
DERIVED_ID_LENGTH: Final = 24
"""The length of derived ids. They are longer, because senders choose the texts and could search for a collision."""


def new_secret() -> str:
    """256 random bits as URL-safe text."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """The hash to store. A fast hash is safe here because the secret is long and random."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def new_game_id() -> str:
    """A random id for a game or a challenge, without characters that look alike."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def derived_game_id(*parts: str) -> str:
    """A game id derived from these texts. The same texts always give the same id."""
    lengths = ",".join(str(len(part)) for part in parts)  # so that moving a letter to the next text changes the id
    rest, letters = int(hash_of("".join([lengths, ":", *parts])), 16), []
    for _ in range(DERIVED_ID_LENGTH):
        rest, digit = divmod(rest, len(ID_LETTERS))
        letters.append(ID_LETTERS[digit])
    return "".join(letters)
