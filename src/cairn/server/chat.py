"""Talk at the table: the players of a game say something, everybody there hears it."""

from __future__ import annotations

import collections
import datetime
from collections.abc import Callable
from typing import Final

from cairn.server import views
from cairn.server.authority import Authority
from cairn.server.chat_database import ChatDatabase, Said
from cairn.server.errors import Refusal
from cairn.server.limits import Limits
from cairn.server.models import TribeName
from cairn.server.names import one_line
from cairn.server.online_access import Actor, acting_tribe
from cairn.server.online_models import ChatLine, ChatMessage, Say

BURST: Final = 5
BURST_TIME: Final = datetime.timedelta(seconds=10)
"""So many lines of a player in so long."""
MOST_TALKERS: Final = 10_000


class Chat:
    """Decides who may say what."""

    def __init__(
        self,
        storage: ChatDatabase,
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
        """Say something, for a player of the game. A repeated command is not said again."""
        head, _ = await self._authority.head(game)
        tribe = acting_tribe(head, actor, None)
        if head.online is None or tribe is None:
            raise Refusal(409, "local-game", "This is only for games between players at different places.")
        name = views.tribe_name(tribe)
        player = head.online.seats[name].player
        text = one_line(say.text) if say.text is not None else None
        if text == "":
            raise Refusal(422, "malformed", "There is nothing in this message.")
        # Neither by the seat of somebody else, nor as somebody else at one's own seat; looked up for every line.
        if await self._storage.is_muted({player, actor.player or player}):
            raise Refusal(403, "muted", "You may not talk: an administrator has muted you.")
        self._slow_down(player)
        if self._most_lines is not None and await self._storage.count(game) >= self._most_lines:
            raise Refusal(409, "chat-full", f"Up to {self._most_lines} messages are kept with a game.")
        key = f"{name} {say.id}" if say.id else None
        line = await self._storage.add(Said(game, player, name, text, say.phrase, self._now(), key))
        if line:
            await self._authority.tell(game, ChatMessage(line=line))

    async def lines(self, game: str) -> list[ChatLine]:
        """Everything that was said in a game, for whoever may see the game: that is everybody."""
        await self._authority.head(game)
        return await self._storage.lines(game)

    async def player_of(self, game: str, tribe: TribeName | None) -> str | None:
        """The player of a seat, for a report."""
        head, _ = await self._authority.head(game)
        return head.online.seats[tribe].player if head.online and tribe else None

    def _slow_down(self, player: str) -> None:
        now = self._now()
        recent = self._recent.setdefault(player, collections.deque(maxlen=BURST))
        self._recent.move_to_end(player)
        if len(self._recent) > MOST_TALKERS:
            self._recent.popitem(last=False)
        if len(recent) == BURST and now - recent[0] < BURST_TIME:
            raise Refusal(
                429, "too-many", "That was too often. Please wait a few seconds.", headers={"Retry-After": "5"}
            )
        recent.append(now)
