"""Where players are kept: the interface, and what goes through it.

Tokens are kept as SHA-256 hashes and passwords as Argon2id hashes, so that whoever reads the database can pretend to be
nobody.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, Protocol, TypeAlias

PlayerKind: TypeAlias = Literal["guest", "account", "bot", "level", "deleted"]
"""A guest has no name yet; a bot belongs to an account; a level is the computer's; of a deleted one only games stay."""
SessionKind: TypeAlias = Literal["browser", "bot"]
Row: TypeAlias = Mapping[str, object]
SESSION_ID: Final = 16
"""So many characters of a hash are the id of a session."""


class NameTakenError(Exception):
    """Somebody else has that name."""


@dataclasses.dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays."""

    id: str
    """Longer than any name, so that nobody can be called like it."""
    kind: PlayerKind
    name: str | None
    created: datetime.datetime
    admin: bool = False
    muted: bool = False
    owner: str | None = None
    """The account that a bot belongs to."""


@dataclasses.dataclass(frozen=True, slots=True)
class Session:
    """The right to be a player, for whoever has the token."""

    token_hash: str = dataclasses.field(repr=False)
    player: str
    kind: SessionKind
    created: datetime.datetime
    seen: datetime.datetime
    label: str | None = None
    """What the owner calls a bot's token."""

    @property
    def id(self) -> str:
        """By which it can be named without giving it away."""
        return self.token_hash[:SESSION_ID]


@dataclasses.dataclass(frozen=True, slots=True)
class Credentials:
    """A player who has a name, and the hash of the password if there is one."""

    player: Player
    password: str | None = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Report:
    """What somebody told the administrators about somebody."""

    id: int
    game: str | None
    by: Player
    about: Player | None
    text: str
    created: datetime.datetime
    done: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Forgotten:
    """Who was deleted: a player and their bots; and the games in which they had seats."""

    players: Sequence[str]
    games: Sequence[str]


class PlayerStorage(Protocol):
    """Keeps players. Whatever a method has returned from is safe from a crash; what it raised from did not happen.

    ``key`` is a name as it is compared: no two players have the same. Every method may raise
    :class:`~cairn.server.storage.StorageError`.
    """

    async def add(self, player: Player, key: str | None, password: str | None, session: Session | None) -> None:
        """Keep a new player; :class:`NameTakenError`."""

    async def make_account(self, player: str, name: str, key: str, password: str, session: Session) -> bool:
        """Turn a guest into an account, with one new session instead of all others; :class:`NameTakenError`.

        False if that player is no guest.
        """

    async def by_session(self, token_hash: str) -> tuple[Player, Session] | None:
        """Whose session it is."""

    async def living(self, sessions_of: Collection[str]) -> set[str]:
        """Those of these hashes whose sessions have not ended."""

    async def by_key(self, key: str) -> Credentials | None:
        """The player with that name."""

    async def by_id(self, player: str) -> Credentials | None:
        """The player with that id."""

    async def add_session(self, session: Session) -> None:
        """Keep a new session."""

    async def touch(self, token_hash: str, seen: datetime.datetime) -> None:
        """A session was used."""

    async def end_session(self, token_hash: str) -> None:
        """Forget a session."""

    async def set_password(self, player: str, password: str, keep: str | None = None) -> None:
        """Keep another hash. All links for new passwords end, and all sessions in browsers but ``keep``."""

    async def renew_hash(self, player: str, old: str, password: str) -> None:
        """Keep another hash of the same password, if the old one still counts; nothing else changes."""

    async def add_reset(self, token_hash: str, player: str, expires: datetime.datetime) -> None:
        """Keep a link for a new password, instead of any other for that player."""

    async def reset_of(self, token_hash: str, now: datetime.datetime) -> Player | None:
        """Whose link it is, if it has not expired."""

    async def use_reset(self, token_hash: str, now: datetime.datetime, password: str, session: Session) -> bool:
        """As :meth:`set_password`, with one new session, if the link still counts, which then ends."""

    async def bots_of(self, owner: str) -> list[tuple[Player, Session | None]]:
        """The bots of an account, once for each of their tokens, or once without."""

    async def end_bot_session(self, owner: str, session: str) -> str | None:
        """Forget the token of a bot, by its id. Whose it was; ``None`` if the account has no such token."""

    async def set_muted(self, player: str, muted: bool) -> None:
        """Whether a player may not talk."""

    async def set_admin(self, player: str, admin: bool) -> None:
        """Whether a player is an administrator."""

    async def delete(self, player: str) -> Forgotten:
        """Forget who a player and their bots are; what they played stays."""

    async def sweep(self, before: datetime.datetime) -> int:
        """Forget guests who did nothing that is kept, and who were last here before that; how many."""

    async def export(self, player: str) -> dict[str, list[Row]]:
        """Every row about a player, by table, without secrets."""

    async def add_report(
        self, by: str, about: str | None, game: str | None, text: str, created: datetime.datetime
    ) -> int:
        """Keep a report; its id."""

    async def reports(self, done: bool | None, offset: int, limit: int) -> tuple[Sequence[Report], int]:
        """Reports, the newest first, and how many there are on all pages."""

    async def set_report_done(self, report: int) -> bool:
        """Nothing is left to do about it. False if there is no such report."""
