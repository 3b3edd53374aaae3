"""Players, sessions and reports, as stored in the database.

Tokens are stored as SHA-256 hashes and passwords as Argon2id hashes, so a leaked database does not let anybody
impersonate a player.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from cairn.server.game.seats import PlayerKind

SessionKind: TypeAlias = Literal["browser", "bot"]


Row: TypeAlias = Mapping[str, object]


SESSION_ID: Final = 16
"""The length of a session's id, which is a prefix of its hash."""


@dataclasses.dataclass(frozen=True, slots=True)
class PublicPlayer:
    """The public data of a player."""

    id: str
    kind: PlayerKind
    name: str | None


@dataclasses.dataclass(frozen=True, slots=True)
class Player:
    """A player."""

    id: str
    """The id is longer than any name, so it never equals a name."""
    kind: PlayerKind
    name: str | None
    created: datetime.datetime
    admin: bool = False
    muted: bool = False
    owner: str | None = None
    """The account that a bot belongs to."""

    @property
    def public(self) -> PublicPlayer:
        """The public data of the player."""
        return PublicPlayer(self.id, self.kind, self.name)


@dataclasses.dataclass(frozen=True, slots=True)
class Session:
    """A session. The holder of its token acts as the player."""

    token_hash: str = dataclasses.field(repr=False)
    player: str
    kind: SessionKind
    created: datetime.datetime
    seen: datetime.datetime
    label: str | None = None
    """The owner's label for a bot token."""

    @property
    def id(self) -> str:
        """An identifier for the session that does not reveal its token."""
        return self.token_hash[:SESSION_ID]


@dataclasses.dataclass(frozen=True, slots=True)
class Credentials:
    """A player and their password hash, if they have a password."""

    player: Player
    password: str | None = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Report:
    """A report to the administrators."""

    id: int
    game: str | None
    by: Player
    about: Player | None
    text: str
    created: datetime.datetime
    done: bool
    puzzle: str | None


@dataclasses.dataclass(frozen=True, slots=True)
class Forgotten:
    """The ids affected by a deletion: the player and their bots, and the games in which they had seats."""

    players: Sequence[str]
    games: Sequence[str]
