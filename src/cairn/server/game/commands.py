"""The commands that players can give in a game. HTTP and the socket use the same classes.

Over the socket, ``type`` selects the class and ``id`` is required. Over HTTP, the URL determines the class.
"""

from __future__ import annotations

import dataclasses
from typing import Annotated, Literal, TypeAlias

from annotated_types import Interval, Len, MaxLen, Predicate

from cairn.fairness.seeds import HEX
from cairn.server.game.names import SCHEMA, OfferName, TribeName, UndoScope

Revision: TypeAlias = Annotated[int, Interval(ge=0, le=2**53)]
"""The number of a revision. JavaScript represents all whole numbers up to the upper limit exactly."""
TokenText: TypeAlias = Annotated[str, MaxLen(20)]
CommandId: TypeAlias = Annotated[str, Len(1, 40), Predicate(str.isprintable)]
"""The id of a command. Only printable characters are allowed, because PostgreSQL rejects NUL."""
LinkText: TypeAlias = Annotated[str, Len(64, 64), Predicate(lambda text: HEX.fullmatch(text) is not None)]
"""A link: 32 bytes as lowercase hexadecimal digits."""
Lag: TypeAlias = Annotated[int, Interval(ge=0, le=60_000)]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Play a token."""

    __pydantic_config__ = SCHEMA

    type: Literal["play"] = "play"
    revision: Revision
    """The revision that you have seen. The command is stale if the board has changed since then. New offers do not
    make it stale."""
    tribe: TribeName
    """The tribe to play for."""
    token: TokenText
    hold: bool = False
    """Whether to wait for a confirmation if this token ends the turn or leads to a tile draw."""
    id: CommandId | None = None
    """An idempotency key, chosen by the sender. A command with a known id is not executed again."""
    lag: Lag = 0
    """The round-trip time in milliseconds, as measured by the client."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take back a step or a turn. In an online game, each player can do this at most 20 times per turn."""

    __pydantic_config__ = SCHEMA

    type: Literal["undo"] = "undo"
    revision: Revision
    scope: UndoScope = "step"
    tribe: TribeName | None = None
    """The tribe to act for; needed only if you play both tribes."""
    id: CommandId | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Confirm the held turn or the held draw."""

    __pydantic_config__ = SCHEMA

    type: Literal["confirm"] = "confirm"
    revision: Revision
    tribe: TribeName | None = None
    id: CommandId | None = None
    lag: Lag = 0
    """As in ``Play``."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Offer the other player a draw (at most once per turn), or ask for a takeback (at most three times per turn)."""

    __pydantic_config__ = SCHEMA

    type: Literal["offer"] = "offer"
    revision: Revision
    what: OfferName
    scope: UndoScope = "step"
    """How much to take back."""
    tribe: TribeName | None = None
    """The tribe to act for; needed only if you play both tribes."""
    id: CommandId | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Accept or decline the other player's offer, or withdraw your own."""

    __pydantic_config__ = SCHEMA

    type: Literal["answer"] = "answer"
    revision: Revision
    """The revision that you have seen. The answer is stale if the offer is newer."""
    answer: Literal["accept", "decline", "withdraw"]
    tribe: TribeName | None = None
    id: CommandId | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Resign:
    """Resign the game."""

    __pydantic_config__ = SCHEMA

    type: Literal["resign"] = "resign"
    revision: Revision | None = None
    """Optional: you can resign no matter what has happened in the meantime."""
    tribe: TribeName | None = None
    id: CommandId | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Claim the win in a game that the other player has left.

    In a game without a clock, you can claim the win if the other player has not decided for three days.
    """

    __pydantic_config__ = SCHEMA

    type: Literal["claim"] = "claim"
    revision: Revision | None = None
    tribe: TribeName | None = None
    id: CommandId | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Reveal your next link, in a game with sealed draws. The starting position or the next draw needs it.

    Send it only when ``owed`` contains your tribe and your own count of the draws confirms that the link is due.
    """

    __pydantic_config__ = SCHEMA

    type: Literal["reveal"] = "reveal"
    revision: Revision
    """The revision that you have seen. The command is never stale, because the link itself shows what it is for."""
    link: LinkText
    tribe: TribeName | None = None
    id: CommandId | None = None
    lag: Lag = 0
    """As in ``Play``."""


Command: TypeAlias = Play | Undo | Confirm | Offer | Answer | Resign | Claim | Reveal
"""A command that changes a game."""
