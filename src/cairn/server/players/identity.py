"""Who is who: guests, accounts and bots, their sessions, and what an administrator can do about them.

Nobody has to sign up to play: whoever does something becomes a guest, whom the browser remembers by a cookie. A guest
who signs up stays the same player, with a name and a password. Bots belong to accounts and have tokens instead of
passwords. The secrets of sessions, tokens and links are random, 256 bits long, told once, and kept only as hashes.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from cairn.server.errors import NameTakenError, Refusal
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
"""A session that was not used for so long ends."""
SEEN_EVERY: Final = datetime.timedelta(days=1)
"""So exactly is it written down when a session was used."""
RESET_TIME: Final = datetime.timedelta(hours=24)
MOST_TOKENS: Final = 20
"""Tokens, and bots, of an account."""
LONGEST_REPORT: Final = 1_000

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_ID: Final = re.compile(r"[0-9a-f]{24}")


@dataclasses.dataclass(frozen=True, slots=True)
class SignedIn:
    """A player, and the secret of a session that was just made for them."""

    player: Player
    token: str = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever asks: a player with a session, or nobody."""

    player: Player | None = None
    session: Session | None = None
    renewed: bool = False
    """Whether the session was written down anew, so that a cookie for it should live longer, too."""


@dataclasses.dataclass(frozen=True, slots=True)
class BotToken:
    """A token of a bot, and its secret if it was just made."""

    bot: Player
    session: Session
    token: str = dataclasses.field(default="", repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Reset:
    """The secret of a link for a new password."""

    player: Player
    expires: datetime.datetime
    token: str = dataclasses.field(repr=False)


async def _nobody_listens(_: Forgotten) -> None:
    """Where no sockets are open and no games are in memory."""


class Identity:
    """Decides who is who. Every refusal is a :class:`~cairn.server.errors.Refusal`."""

    def __init__(
        self,
        storage: PlayerRepository,
        passwords: Passwords,
        limiter: Limiter,
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
        *,
        ended: Callable[[Forgotten], Awaitable[None]] = _nobody_listens,
    ) -> None:
        self._storage: Final = storage
        self._passwords: Final = passwords
        self._limiter: Final = limiter
        self._now: Final = now
        self._ended: Final = ended
        """Is told of players some of whose sessions have ended, and of games whose players were forgotten."""

    # --- Sessions

    async def visitor(self, token: str | None, kind: SessionKind) -> Visitor:
        """Whose secret it is, of a cookie or of a bot; nobody's if it is no good, or no longer."""
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
        """A new guest."""
        self._limiter.spend("guest", address)
        player = self._new_player("guest", None)
        token, session = self._new_session(player, "browser")
        await self._storage.add(player, None, None, session)
        return SignedIn(player, token)

    async def sign_up(self, visitor: Player | None, name: str, password: str, address: str) -> SignedIn:
        """A new account; a guest becomes it, with everything that was theirs."""
        if visitor and visitor.kind != "guest":
            refuse_bots(visitor)
            raise _signed_in_already()
        name = names.checked(name)
        check_password(password)
        key = _key(name)
        if await self._storage.by_key(key):
            raise _name_taken(name)
        self._limiter.spend("sign_up", address)
        kept = await self._passwords.hash(password)
        player = self._new_player("account", name)
        if visitor:
            player = dataclasses.replace(visitor, kind="account", name=name)
        token, session = self._new_session(player, "browser")
        try:
            if visitor is None:
                await self._storage.add(player, key, kept, session)
            elif not await self._storage.make_account(visitor.id, name, key, kept, session):
                raise _signed_in_already()
        except NameTakenError:
            raise _name_taken(name) from None
        audit("sign-up", player=player.id, address=address)
        await self._signed_out(player.id)
        return SignedIn(player, token)

    async def sign_in(self, name: str, password: str, address: str) -> SignedIn:
        """A new session of an account. What is refused takes as long whether or not there is such an account."""
        key = names.key_of(name)
        try:
            self._limiter.spend("sign_in", address)
            if key:
                self._limiter.spend("sign_in_name", key)
        except TooMany:
            audit("sign-in-refused", why="too-many", address=address)
            raise
        found = await self._storage.by_key(key) if key else None
        kept = found.password if found else None
        if not await self._passwords.matches(kept, password) or found is None or kept is None:
            # Not what was given as a name: people type passwords there, too.
            audit("sign-in-refused", why="wrong-login", player=found.player.id if found else None, address=address)
            raise Refusal(401, "wrong-login", "The name or the password is wrong.")
        if needs_rehash(kept):
            await self._storage.renew_hash(found.player.id, kept, await self._passwords.hash(password))
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
        """Another password. Every other browser is signed out."""
        await self._check_own_password(player, old)
        check_password(new)
        await self._storage.set_password(player.id, await self._passwords.hash(new), session.token_hash)
        audit("password-changed", player=player.id)
        await self._signed_out(player.id)

    async def delete(self, player: Player, password: str | None) -> None:
        """Forget a player: name, password, sessions, bots, what they said. Games stay, with a deleted player."""
        if player.kind == "account":
            await self._check_own_password(player, password or "")
        gone = await self._storage.delete(player.id)
        audit("player-deleted", player=player.id, bots=len(gone.players) - 1)
        await self._ended(gone)

    async def sweep(self, idle: datetime.timedelta) -> int:
        """Forget guests who did nothing that is kept and were not here for so long; how many."""
        swept = await self._storage.sweep(self._now() - idle)
        if swept:
            audit("guests-swept", guests=swept)
        return swept

    async def export(self, player: Player) -> tuple[datetime.datetime, dict[str, list[Row]]]:
        """Everything that is known about a player and their bots, without secrets; and the time."""
        self._limiter.spend("account", player.id)
        return self._now(), await self._storage.export(player.id)

    async def use_reset(self, token: str, password: str, address: str) -> SignedIn:
        """Choose a new password by a link, which ends by that. All browsers are signed out, but for this one."""
        self._limiter.spend("sign_in", address)
        player = await self._storage.reset_of(hash_of(token), self._now()) if _TOKEN.fullmatch(token) else None
        if player is None:
            raise _unknown_reset()
        check_password(password)
        kept = await self._passwords.hash(password)
        secret, session = self._new_session(player, "browser")
        if not await self._storage.use_reset(hash_of(token), self._now(), kept, session):
            raise _unknown_reset()
        audit("link-used", player=player.id, address=address)
        await self._signed_out(player.id)
        return SignedIn(player, secret)

    # --- Bots

    async def new_bot_token(self, owner: Player, bot: str, label: str) -> BotToken:
        """A token for a bot of that account: one of those that there are, or a new one."""
        self._limiter.spend("account", owner.id)
        bot = names.checked(bot)
        key = _key(bot)
        if not label.isprintable():
            raise Refusal(422, "malformed", "A label has no control characters.")
        theirs = await self._storage.bots_of(owner.id)
        known = {_key(each.name): each for each, _ in theirs if each.name}
        if key not in known and await self._storage.by_key(key):
            raise _name_taken(bot)
        if sum(1 for _, session in theirs if session) >= MOST_TOKENS or len({*known, key}) > MOST_TOKENS:
            raise Refusal(409, "too-many-tokens", f"An account has at most {MOST_TOKENS} tokens, and as many bots.")
        player = known.get(key) or dataclasses.replace(self._new_player("bot", bot), owner=owner.id)
        token, session = self._new_session(player, "bot", label)
        try:
            if key in known:
                await self._storage.add_session(session)
            else:
                await self._storage.add(player, key, None, session)
        except NameTakenError:
            raise _name_taken(bot) from None
        audit("token-created", player=player.id, by=owner.id, token=session.id)
        return BotToken(player, session, token)

    async def bots_of(self, owner: Player) -> tuple[list[Player], list[BotToken]]:
        """The bots of an account, and their tokens."""
        found = await self._storage.bots_of(owner.id)
        bots = {bot.id: bot for bot, _ in found}
        return list(bots.values()), [BotToken(bot, session) for bot, session in found if session]

    async def revoke_bot_token(self, owner: Player, session: str) -> None:
        """End a token, by its id."""
        bot = await self._storage.end_bot_session(owner.id, session) if session.isalnum() else None
        if bot is None:
            raise Refusal(404, "unknown-token", "You have no such token.")
        audit("token-revoked", player=bot, by=owner.id, token=session)
        await self._signed_out(bot)

    # --- For administrators

    async def find(self, name: str) -> Player:
        """The player with that name or id."""
        found: Credentials | None = None
        if _ID.fullmatch(name):
            found = await self._storage.by_id(name)
        elif key := names.key_of(name):
            found = await self._storage.by_key(key)
        if found is None or found.player.kind == "deleted":
            raise Refusal(404, "unknown-player", "There is no such player.")
        return found.player

    async def issue_reset(self, name: str, by: str) -> Reset:
        """A link by which the player of an account can choose a new password; older ones end."""
        player = await self.find(name)
        if player.kind != "account":
            raise Refusal(409, "no-account", "Only accounts have passwords, and this is none.")
        token, expires = new_secret(), self._now() + RESET_TIME
        await self._storage.add_reset(hash_of(token), player.id, expires)
        audit("link-issued", player=player.id, by=by)
        return Reset(player, expires, token)

    async def mute(self, name: str, muted: bool, by: str) -> Player:
        """Whether a player may not talk."""
        player = await self.find(name)
        await self._storage.set_muted(player.id, muted)
        audit("muted" if muted else "unmuted", player=player.id, by=by)
        return dataclasses.replace(player, muted=muted)

    async def make_admin(self, name: str, admin: bool, by: str) -> Player:
        """Whether an account is one of an administrator."""
        player = await self.find(name)
        if player.kind != "account":
            raise Refusal(409, "no-account", "Only accounts can be administrators, and this is none.")
        await self._storage.set_admin(player.id, admin)
        audit("admin-granted" if admin else "admin-revoked", player=player.id, by=by)
        return dataclasses.replace(player, admin=admin)

    async def report(self, by: Player, about: str | None, game: str | None, text: str) -> int:
        """Tell the administrators something about a player; the number of the report.

        ``about`` is the id of a player and ``game`` that of a game, which there have to be.
        """
        self._limiter.spend("report", by.id)
        text = text.replace("\0", "").strip()[:LONGEST_REPORT]
        return await self._storage.add_report(by.id, about, game, text, self._now())

    async def reports(self, done: bool | None, offset: int, limit: int, by: str) -> tuple[Sequence[Report], int]:
        """Reports, the newest first, and how many there are on all pages."""
        audit("reports-read", by=by, offset=offset, limit=limit)
        return await self._storage.reports(done, offset, limit)

    async def finish_report(self, report: int, by: str) -> None:
        """Nothing is left to do about a report."""
        if not await self._storage.set_report_done(report):
            raise Refusal(404, "unknown-report", "There is no such report.")
        audit("report-done", report=report, by=by)

    # --- Inside

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
    """Some things are for people."""
    if player.kind == "bot":
        raise Refusal(403, "bot-refused", "A bot cannot do this; its owner can.")


def _key(name: str) -> str:
    """The key of a name that was checked."""
    key = names.key_of(name)
    assert key is not None  # noqa: S101  # it was checked
    return key


def _name_taken(name: str) -> Refusal:
    return Refusal(409, "name-taken", f"The name {name} is taken already.")


def _signed_in_already() -> Refusal:
    return Refusal(409, "signed-in-already", "You have an account already: sign out first.")


def _unknown_reset() -> Refusal:
    return Refusal(404, "unknown-reset", "This link was used already, or has expired. Please ask for another one.")
