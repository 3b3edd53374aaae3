"""A game's chat. The players can write, and everybody can read."""

from __future__ import annotations

import collections
import datetime
from collections.abc import Callable
from typing import Final

from cairn.server.errors import QuotaError, Refusal
from cairn.server.game.access import Actor, acting_tribe
from cairn.server.game.names import TribeName, tribe_name
from cairn.server.live.authority import Authority
from cairn.server.messages.chat import ChatLine, ChatMessage, Say, chat_line
from cairn.server.players.limits import Limits
from cairn.server.storage.chat import ChatRepository, NewChatEntry
from cairn.server.text import one_line

BURST: Final = 5
BURST_TIME: Final = datetime.timedelta(seconds=10)
"""A player may send at most ``BURST`` messages within this time."""
MOST_TALKERS: Final = 10_000


class Chat:
    """Checks, stores and broadcasts chat messages."""

    def __init__(
        self,
        storage: ChatRepository,
        authority: Authority,
        limits: Limits,
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
    ) -> None:
        self._storage: Final = storage
        self._authority: Final = authority
        self._most_lines: Final = limits.chat_of_game
        self._now: Final = now
        self._recent: Final[collections.OrderedDict[str, collections.deque[datetime.datetime]]] = (
            collections.OrderedDict()
        )

    async def say(self, game: str, say: Say, actor: Actor) -> None:
        """Send a player's message. A retried command does not send the message twice."""
        header, _ = await self._authority.header(game)
        tribe = acting_tribe(header, actor, None)
        if header.online is None or tribe is None:
            raise Refusal(409, "local-game", "Only online games have a chat.")
        name = tribe_name(tribe)
        player = header.online.seats[name].player
        text = one_line(say.text) if say.text is not None else None
        if text == "":
            raise Refusal(422, "malformed", "The message is empty.")
        # Check both the seat's player and the session's, so that a muted player cannot write with another seat's token.
        if await self._storage.is_muted({player, actor.player or player}):
            raise Refusal(403, "muted", "An administrator has muted you.")
        self._slow_down(player)
        key = f"{name} {say.id}" if say.id else None
        message = NewChatEntry(game, player, name, text, say.phrase, self._now(), key)
        try:
            entry = await self._storage.add(message, self._most_lines)
        except QuotaError:
            sentence = f"The chat is full: a game can have at most {self._most_lines} messages."
            raise Refusal(409, "chat-full", sentence) from None
        if entry:
            await self._authority.broadcast(game, ChatMessage(line=chat_line(entry)))

    async def lines(self, game: str) -> list[ChatLine]:
        """All messages in a game. Everybody may read them."""
        await self._authority.header(game)
        return [chat_line(entry) for entry in await self._storage.lines(game)]

    async def player_of(self, game: str, tribe: TribeName | None) -> str | None:
        """The player in a seat, for a report."""
        header, _ = await self._authority.header(game)
        return header.online.seats[tribe].player if header.online and tribe else None

    def _slow_down(self, player: str) -> None:
        now = self._now()
        recent = self._recent.setdefault(player, collections.deque(maxlen=BURST))
        self._recent.move_to_end(player)
        if len(self._recent) > MOST_TALKERS:
            self._recent.popitem(last=False)
        if len(recent) == BURST and now - recent[0] < BURST_TIME:
            raise Refusal(429, "too-many", "Too many messages. Please wait a few seconds.", seconds=5)
        recent.append(now)
