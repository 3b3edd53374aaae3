"""Guests, accounts and bots: their sessions, and the actions of administrators.

A visitor who changes something for the first time becomes a guest, and the browser keeps the session in a cookie. A
guest who signs up remains the same player and gets a name and a password. Bots belong to accounts and have tokens
instead of passwords. The secrets of sessions, tokens and links are 256 random bits. They are sent once and stored only
as hashes.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from cairn.server.errors import NameTakenError, QuotaError, Refusal
from cairn.server.game.seats import PlayerKind
from cairn.server.logs import audit
from cairn.server.players import names
from cairn.server.players.limits import Limiter, TooMany
from cairn.server.players.passwords import Passwords, check_password, needs_rehash
from cairn.server.secret_tokens import hash_of, new_secret
from cairn.server.storage.players.repository import PlayerRepository
from cairn.server.storage.players.rows import (
    Credentials,
    Forgotten,
    Player,
    Report,
    Row,
    Session,
    SessionKind,
)

SESSION_TIME: Final = datetime.timedelta(days=365)
"""A session expires when it has not been used for this long."""
SEEN_EVERY: Final = datetime.timedelta(days=1)
"""The precision with which the last use of a session is stored."""
RESET_TIME: Final = datetime.timedelta(hours=24)
MOST_TOKENS: Final = 20
"""The maximum number of tokens, and of bots, per account."""
LONGEST_REPORT: Final = 1_000

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_ID: Final = re.compile(r"[0-9a-f]{24}")


@dataclasses.dataclass(frozen=True, slots=True)
class SignedIn:
    """A player and the secret of their new session."""

    player: Player
    token: str = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request: a player with a session, or an unknown visitor."""

    player: Player | None = None
    session: Session | None = None
    renewed: bool = False
    """Whether the session was extended. If so, the cookie must be extended too."""


@dataclasses.dataclass(frozen=True, slots=True)
class BotToken:
    """A bot token, with the secret if it is new."""

    bot: Player
    session: Session
    token: str = dataclasses.field(default="", repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Reset:
    """A password reset and the secret of its link."""

    player: Player
    expires: datetime.datetime
    token: str = dataclasses.field(repr=False)


async def _ignore(_: Forgotten) -> None:
    """Do nothing. The default for programs without open sockets or games in memory."""


class Identity:
    """Creates, authenticates and deletes players. Methods may raise :class:`~cairn.server.errors.Refusal`."""

    def __init__(
        self,
        storage: PlayerRepository,
        passwords: Passwords,
        limiter: Limiter,
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
        *,
        ended: Callable[[Forgotten], Awaitable[None]] = _ignore,
    ) -> None:
        self._storage: Final = storage
        self._passwords: Final = passwords
        self._limiter: Final = limiter
        self._now: Final = now
        self._ended: Final = ended
        """Called with players whose sessions have ended, and with the games of deleted players."""

    # --- Sessions

    async def visitor(self, token: str | None, kind: SessionKind) -> Visitor:
        """The visitor with this session token, or an unknown visitor if the token is not valid."""
        if token is None or not _TOKEN.fullmatch(token):
            return Visitor()
        found = await self._storage.by_session(hash_of(token))
        if found is None:
            return Visitor()
        player, session = found
        unused = self._now() - session.seen
        if session.kind != kind or player.kind == "deleted" or unused > SESSION_TIME:
            return Visitor()
        if unused > SEEN_EVERY:
            await self._storage.touch(session.token_hash, self._now())
        return Visitor(player, session, unused > SEEN_EVERY)

    async def guest(self, address: str) -> SignedIn:
        """Create a guest."""
        self._limiter.spend("guest", address)
        player = self._new_player("guest", None)
        token, session = self._new_session(player, "browser")
        await self._storage.add(player, None, None, session)
        return SignedIn(player, token)

    async def sign_up(self, visitor: Player | None, name: str, password: str, address: str) -> SignedIn:
        """Create an account. A guest keeps their id and games."""
        if visitor and visitor.kind != "guest":
            refuse_bots(visitor)
            raise _already_signed_in()
        name = names.checked(name)
        check_password(password, name)
        key = _key(name)
        await self._require_free(name)
        self._limiter.spend("sign_up", address)
        password_hash = await self._passwords.hash(password)
        player = self._new_player("account", name)
        if visitor:
            player = dataclasses.replace(visitor, kind="account", name=name)
        token, session = self._new_session(player, "browser")
        try:
            if visitor is None:
                await self._storage.add(player, key, password_hash, session)
            elif not await self._storage.make_account(visitor.id, name, key, password_hash, session):
                raise _already_signed_in()
        except NameTakenError:
            raise await self._taken(name) from None
        audit("sign-up", player=player.id, address=address)
        await self._signed_out(player.id)
        return SignedIn(player, token)

    async def sign_in(self, name: str, password: str, address: str) -> SignedIn:
        """Create a session for an account. A refusal takes the same time whether or not the account exists."""
        key = names.key_of(name)
        try:
            self._limiter.spend("sign_in", address)
            if key:
                self._limiter.spend("sign_in_name", key)
        except TooMany:
            audit("sign-in-refused", why="too-many", address=address)
            raise
        found = await self._storage.by_key(key) if key else None
        password_hash = found.password if found else None
        if not await self._passwords.matches(password_hash, password) or found is None or password_hash is None:
            # Do not log the name that was entered: people sometimes type their password into that field.
            audit("sign-in-refused", why="wrong-login", player=found.player.id if found else None, address=address)
            raise Refusal(401, "wrong-login", "The name or the password is wrong.")
        if needs_rehash(password_hash):
            await self._storage.renew_hash(found.player.id, password_hash, await self._passwords.hash(password))
        token, session = self._new_session(found.player, "browser")
        await self._storage.add_session(session)
        audit("sign-in", player=found.player.id, admin=found.player.admin, address=address)
        return SignedIn(found.player, token)

    async def sign_out(self, session: Session) -> None:
        """End a session."""
        await self._storage.end_session(session.token_hash)
        audit("sign-out", player=session.player)
        await self._signed_out(session.player)

    # --- Accounts

    async def change_password(self, player: Player, session: Session, old: str, new: str) -> None:
        """Set a new password and sign out all other browsers."""
        await self._check_own_password(player, old)
        check_password(new, player.name)
        await self._storage.set_password(player.id, await self._passwords.hash(new), session.token_hash)
        audit("password-changed", player=player.id)
        await self._signed_out(player.id)

    async def delete(self, player: Player, password: str | None) -> None:
        """Delete a player's name, password, sessions, bots and chat. Games are kept, but show a deleted player."""
        if player.kind == "account":
            await self._check_own_password(player, password or "")
        gone = await self._storage.delete(player.id)
        audit("player-deleted", player=player.id, bots=len(gone.players) - 1)
        await self._ended(gone)

    async def sweep(self, idle: datetime.timedelta) -> int:
        """Delete guests without games or other data who have been idle for this long. Returns the number of guests."""
        swept = await self._storage.sweep(self._now() - idle)
        if swept:
            audit("guests-swept", guests=swept)
        return swept

    async def export(self, player: Player) -> tuple[datetime.datetime, dict[str, list[Row]]]:
        """The current time, and all stored data about a player and their bots, without secrets."""
        self._limiter.spend("account", player.id)
        return self._now(), await self._storage.export(player.id)

    async def use_reset(self, token: str, password: str, address: str) -> SignedIn:
        """Redeem a reset link: set a new password and sign out all other browsers. The link works only once."""
        self._limiter.spend("sign_in", address)
        player = await self._storage.reset_of(hash_of(token), self._now()) if _TOKEN.fullmatch(token) else None
        if player is None:
            raise _unknown_reset()
        check_password(password, player.name)
        password_hash = await self._passwords.hash(password)
        secret, session = self._new_session(player, "browser")
        if not await self._storage.use_reset(hash_of(token), self._now(), password_hash, session):
            raise _unknown_reset()
        audit("link-used", player=player.id, address=address)
        await self._signed_out(player.id)
        return SignedIn(player, secret)

    # --- Bots

    async def new_bot_token(self, owner: Player, bot: str, label: str) -> BotToken:
        """Create a token for one of the account's bots. Creates the bot if it does not exist yet."""
        self._limiter.spend("account", owner.id)
        bot = names.checked(bot)
        key = _key(bot)
        if not label.isprintable():
            raise Refusal(422, "malformed", "A label cannot contain control characters.")
        existing = await self._storage.bots_of(owner.id)
        known = {_key(each.name): each for each, _ in existing if each.name}
        if key not in known:
            await self._require_free(bot)
        player = known.get(key) or dataclasses.replace(self._new_player("bot", bot), owner=owner.id)
        token, session = self._new_session(player, "bot", label)
        try:
            await self._storage.add_bot_token(player, None if key in known else key, session, MOST_TOKENS)
        except QuotaError:
            sentence = f"An account cannot have more than {MOST_TOKENS} bots or {MOST_TOKENS} tokens."
            raise Refusal(409, "too-many-tokens", sentence) from None
        except NameTakenError:
            raise await self._taken(bot) from None
        audit("token-created", player=player.id, by=owner.id, token=session.id)
        return BotToken(player, session, token)

    async def bots_of(self, owner: Player) -> tuple[list[Player], list[BotToken]]:
        """An account's bots, and their tokens."""
        found = await self._storage.bots_of(owner.id)
        bots = {bot.id: bot for bot, _ in found}
        return list(bots.values()), [BotToken(bot, session) for bot, session in found if session]

    async def revoke_bot_token(self, owner: Player, session: str) -> None:
        """Revoke a token by its id."""
        bot = await self._storage.end_bot_session(owner.id, session) if session.isalnum() else None
        if bot is None:
            raise Refusal(404, "unknown-token", "You have no such token.")
        audit("token-revoked", player=bot, by=owner.id, token=session)
        await self._signed_out(bot)

    # --- For administrators

    async def find(self, name: str) -> Player:
        """The player with this name or id."""
        found: Credentials | None = None
        if _ID.fullmatch(name):
            found = await self._storage.by_id(name)
        elif key := names.key_of(name):
            found = await self._storage.by_key(key)
        if found is None or found.player.kind == "deleted":
            raise Refusal(404, "unknown-player", "There is no such player.")
        return found.player

    async def issue_reset(self, name: str, by: str) -> Reset:
        """Create a link to set a new password for an account. Older links expire."""
        player = await self.find(name)
        if player.kind != "account":
            raise Refusal(409, "no-account", "Only accounts have passwords. This player has no account.")
        token, expires = new_secret(), self._now() + RESET_TIME
        await self._storage.add_reset(hash_of(token), player.id, expires)
        audit("link-issued", player=player.id, by=by)
        return Reset(player, expires, token)

    async def mute(self, name: str, muted: bool, by: str) -> Player:
        """Mute or unmute a player."""
        player = await self.find(name)
        await self._storage.set_muted(player.id, muted)
        audit("muted" if muted else "unmuted", player=player.id, by=by)
        return dataclasses.replace(player, muted=muted)

    async def make_admin(self, name: str, admin: bool, by: str) -> Player:
        """Grant or revoke administrator rights."""
        player = await self.find(name)
        if player.kind != "account":
            raise Refusal(409, "no-account", "Only accounts can be administrators. This player has no account.")
        await self._storage.set_admin(player.id, admin)
        audit("admin-granted" if admin else "admin-revoked", player=player.id, by=by)
        return dataclasses.replace(player, admin=admin)

    async def report(
        self, by: Player, about: str | None, game: str | None, text: str, puzzle: str | None = None
    ) -> int:
        """Store a report for the administrators. Returns its number.

        ``about`` is the id of an existing player, ``game`` of an existing game, and ``puzzle`` of a puzzle.
        """
        self._limiter.spend("report", by.id)
        text = text.replace("\0", "").strip()[:LONGEST_REPORT]
        return await self._storage.add_report(by.id, about, game, text, self._now(), puzzle)

    async def reports(self, done: bool | None, offset: int, limit: int, by: str) -> tuple[Sequence[Report], int]:
        """A page of reports, newest first, and the total number of reports."""
        audit("reports-read", by=by, offset=offset, limit=limit)
        return await self._storage.reports(done, offset, limit)

    async def finish_report(self, report: int, by: str) -> None:
        """Mark a report as done."""
        if not await self._storage.set_report_done(report):
            raise Refusal(404, "unknown-report", "There is no such report.")
        audit("report-done", report=report, by=by)

    # --- Helpers

    async def _require_free(self, name: str) -> None:
        """Refuse a name that is taken or looks like another name. The repository checks again, to prevent races."""
        if names.imitates_official(name) or await self._storage.has_lookalike(name):
            raise await self._taken(name)

    async def _taken(self, name: str) -> Refusal:
        """The refusal for a name that is not available."""
        if await self._storage.by_key(_key(name)):
            return Refusal(409, "name-taken", f"The name {name} is already taken.")
        sentence = f"The name {name} looks like the name of another player. Choose another name."
        return Refusal(409, "name-similar", sentence)

    async def _check_own_password(self, player: Player, password: str) -> None:
        self._limiter.spend("password", player.id)
        found = await self._storage.by_id(player.id)
        if not await self._passwords.matches(found.password if found else None, password):
            audit("password-refused", player=player.id)
            raise Refusal(403, "wrong-password", "The password is wrong.")

    async def _signed_out(self, player: str) -> None:
        await self._ended(Forgotten([player], []))

    def _new_player(self, kind: PlayerKind, name: str | None) -> Player:
        return Player(secrets.token_hex(12), kind, name, self._now())

    def _new_session(self, player: Player, kind: SessionKind, label: str | None = None) -> tuple[str, Session]:
        token, now = new_secret(), self._now()
        return token, Session(hash_of(token), player.id, kind, now, now, label)


def refuse_bots(player: Player) -> None:
    """Refuse an action if the player is a bot."""
    if player.kind == "bot":
        raise Refusal(403, "bot-refused", "A bot cannot do this. Its owner can.")


def _key(name: str) -> str:
    """The normalized key for a valid name."""
    key = names.key_of(name)
    assert key is not None  # noqa: S101  # the name is valid
    return key


def _already_signed_in() -> Refusal:
    return Refusal(409, "signed-in-already", "You already have an account. Sign out first.")


def _unknown_reset() -> Refusal:
    return Refusal(404, "unknown-reset", "This link has been used or has expired. Ask an administrator for a new one.")
