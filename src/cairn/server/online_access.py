"""Who may act for whom: the one place where that is decided."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import secrets
from typing import Final

from cairn.server.errors import Refusal
from cairn.server.identity_storage import Player
from cairn.server.models import TribeName
from cairn.server.storage import Head
from cairn.vocabulary import FOREST, TRIBES, Tribe


@dataclasses.dataclass(frozen=True, slots=True)
class Actor:
    """Whoever asks: as which player, with which seat tokens, and whether local games are everybody's."""

    player: str | None = None
    seats: frozenset[str] = frozenset()
    """Hashes of the tokens of seats that were shown."""
    shared: bool = False
    """Whether strangers share the server, so that local games belong to who began them."""

    def as_player(self, player: Player | None) -> Actor:
        """The same, as the player that they just became."""
        return dataclasses.replace(self, player=player.id) if player else self

    def with_seat(self, token: str) -> Actor:
        """The same, who has shown the token of a seat, too."""
        return dataclasses.replace(self, seats=self.seats | {hash_of(token)})


ANYBODY: Final = Actor()
"""Somebody at this machine: local games are theirs, and no others."""


def new_secret() -> str:
    """256 bits that nobody can guess, for seats, invitations, sessions, bots and links."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """What is kept of a secret. It is random and long, so a fast hash does."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def tribes_of(head: Head, actor: Actor) -> list[Tribe]:
    """The tribes of persons that somebody may act for in a game."""
    return [tribe for tribe in TRIBES if _acts_for(head, actor, tribe)]


def acting_tribe(head: Head, actor: Actor, tribe: TribeName | None) -> Tribe | None:
    """For whom a command is, by somebody who may give it; a refusal if they may not.

    ``None`` in a local game where nobody was named: its owner acts for all.
    """
    if head.online is None:
        if not _owns(head, actor):
            raise not_your_seat()
        return Tribe(tribe) if tribe else None
    if tribe is not None:
        if not _acts_for(head, actor, Tribe(tribe)):
            raise not_your_seat()
        return Tribe(tribe)
    theirs = tribes_of(head, actor)
    if len(theirs) != 1:
        raise not_your_seat()
    return theirs[0]


def require_owner(head: Head, actor: Actor) -> None:
    """That somebody may delete and restore a game."""
    if head.online is not None:
        raise Refusal(409, "online-game", "A game between players cannot be deleted.")
    if not _owns(head, actor):
        raise not_your_seat()


def not_your_seat() -> Refusal:
    """The refusal of whoever acts for somebody else."""
    return Refusal(403, "not-your-seat", "You do not play here for that tribe.")


def _owns(head: Head, actor: Actor) -> bool:
    return not actor.shared or (head.owner is not None and head.owner == actor.player)


def _acts_for(head: Head, actor: Actor, tribe: Tribe) -> bool:
    """Whether it is a person's tribe, and theirs."""
    return _seat_kind(head, tribe) == "person" and _may_act(head, actor, tribe)


def _may_act(head: Head, actor: Actor, tribe: Tribe) -> bool:
    if head.online is None:
        return _owns(head, actor)
    held = head.online.seats[_name(tribe)]
    if actor.player is not None and held.player == actor.player:
        return True
    return any(held.token_hash and hmac.compare_digest(held.token_hash, shown) for shown in actor.seats)


def _seat_kind(head: Head, tribe: Tribe) -> str:
    return (head.seats.forest if tribe is FOREST else head.seats.sea).kind


def _name(tribe: Tribe) -> TribeName:
    return "forest" if tribe is FOREST else "sea"
