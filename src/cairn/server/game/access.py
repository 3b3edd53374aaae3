"""Decides who may act for which tribe in a game. All permissions in games are checked here."""

from __future__ import annotations

import dataclasses
import hmac
from typing import Final

from cairn.server.errors import Refusal
from cairn.server.game.header import GameHeader
from cairn.server.game.names import TribeName, tribe_name
from cairn.server.secret_tokens import hash_of
from cairn.vocabulary import TRIBES, Tribe


@dataclasses.dataclass(frozen=True, slots=True)
class Actor:
    """The sender of a request, with the sender's credentials. By default, an actor may only watch."""

    player: str | None = None
    """The player's id, if there is a session."""
    seats: frozenset[str] = frozenset()
    """Hashes of the seat tokens that the actor has presented."""
    owns_local_games: bool = False
    """Whether the actor owns all local games. On a private server, anyone at the machine may play them."""

    def as_player(self, player: str | None) -> Actor:
        """The same actor, signed in as ``player``; unchanged if ``player`` is ``None``."""
        return dataclasses.replace(self, player=player) if player else self

    def with_seat(self, token: str) -> Actor:
        """The same actor after it has presented a seat token."""
        return dataclasses.replace(self, seats=self.seats | {hash_of(token)})


WATCHER: Final = Actor()
"""An actor that may only watch."""


def tribes_of(header: GameHeader, actor: Actor) -> list[Tribe]:
    """The tribes that the actor may act for."""
    return [tribe for tribe in TRIBES if _acts_for(header, actor, tribe)]


def acting_tribe(header: GameHeader, actor: Actor, tribe: TribeName | None) -> Tribe | None:
    """The tribe that a command is for. Raises :class:`Refusal` if the actor may not act for it.

    Returns ``None`` in a local game if the command specifies no tribe, because the owner acts for both tribes.
    """
    if header.online is None:
        if not _owns(header, actor):
            raise not_your_seat()
        return Tribe(tribe) if tribe else None
    if tribe is not None:
        if not _acts_for(header, actor, Tribe(tribe)):
            raise not_your_seat()
        return Tribe(tribe)
    own = tribes_of(header, actor)
    if len(own) != 1:
        raise not_your_seat()
    return own[0]


def take_seat(header: GameHeader, actor: Actor, token: str) -> Actor:
    """The actor with one more seat in this game. Raises :class:`Refusal` if no seat has this token."""
    # Check this token on its own. If it were checked together with earlier tokens, a wrong token that follows a right
    # one would be accepted and kept.
    alone = Actor().with_seat(token)
    holders = header.online.seats.values() if header.online else ()
    if not any(_has_token(alone, holder.token_hash) for holder in holders):
        raise Refusal(403, "wrong-seat-token", "No seat in this game has this token.")
    # A game has two seats, so an actor never collects more than two tokens here.
    return actor.with_seat(token)


def require_owner(header: GameHeader, actor: Actor) -> None:
    """Refuse unless the actor may delete and restore the game."""
    if header.online is not None:
        raise Refusal(409, "online-game", "A game between players cannot be deleted.")
    if not _owns(header, actor):
        raise not_your_seat()


def not_your_seat() -> Refusal:
    """The refusal for an actor that may not act for a tribe."""
    return Refusal(403, "not-your-seat", "You do not play this tribe in this game.")


def _owns(header: GameHeader, actor: Actor) -> bool:
    return actor.owns_local_games or (header.owner is not None and header.owner == actor.player)


def _acts_for(header: GameHeader, actor: Actor, tribe: Tribe) -> bool:
    if header.seats.of(tribe).kind != "person":
        return False
    if header.online is None:
        return _owns(header, actor)
    holder = header.online.seats[tribe_name(tribe)]
    return (actor.player is not None and holder.player == actor.player) or _has_token(actor, holder.token_hash)


def _has_token(actor: Actor, token_hash: str | None) -> bool:
    return any(token_hash and hmac.compare_digest(token_hash, each) for each in actor.seats)
