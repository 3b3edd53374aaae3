"""Bot event streams: challenges that a bot can accept, and games in which it has a seat."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from cairn.server.errors import StorageError
from cairn.server.game.access import Actor
from cairn.server.live.authority import Authority
from cairn.server.lobby.challenges import LOBBY, Challenges
from cairn.server.lobby.feed import LobbyFeed
from cairn.server.messages.base import Message
from cairn.server.messages.bots import (
    AliveEvent,
    ChallengeEvent,
    ChallengeGoneEvent,
    GameEvent,
    GameOverEvent,
    HelloEvent,
)
from cairn.server.messages.games import GameSummary
from cairn.server.messages.lobby import ChallengeView
from cairn.server.messages.players import PlayerView
from cairn.server.storage.games.listing import GameQuery
from cairn.server.transport.hub import Hub

POLL_SECONDS: Final = 1.0
"""How often to poll for changes that are not broadcast, such as an accepted invitation link."""
ALIVE_SECONDS: Final = 5.0
MOST_STREAMS: Final = 4
"""How many streams a bot can have open in one process. Opening another stream closes the oldest one."""
MOST_GAMES: Final = 200
MOST_OFFERS: Final = 50


class BotStreams:
    """The open event streams."""

    def __init__(
        self,
        authority: Authority,
        challenges: Challenges,
        lobby: LobbyFeed,
        hub: Hub,
    ) -> None:
        self._authority: Final = authority
        self._challenges: Final = challenges
        self._lobby: Final = lobby
        self._hub: Final = hub
        self._streams: Final[dict[str, collections.deque[asyncio.Event]]] = {}

    def events(self, player: PlayerView, is_valid: Callable[[], Awaitable[bool]]) -> AsyncIterator[str]:
        """Yield lines of JSON until the bot disconnects, opens too many streams, or has its token revoked."""
        ended = asyncio.Event()
        streams = self._streams.setdefault(player.id, collections.deque())
        streams.append(ended)
        if len(streams) > MOST_STREAMS:
            streams.popleft().set()
        return self._lines(player, is_valid, ended)

    async def _lines(
        self, player: PlayerView, is_valid: Callable[[], Awaitable[bool]], ended: asyncio.Event
    ) -> AsyncIterator[str]:
        sent, changed, last_sent = _Sent(), asyncio.Event(), time.monotonic()
        last_check = last_sent
        lobby = self._hub.subscribe(LOBBY)

        async def listen() -> None:
            async for _ in lobby:
                changed.set()

        listening = asyncio.create_task(listen())
        try:
            yield _line(HelloEvent(player=player))
            while not ended.is_set():
                changed.clear()
                if time.monotonic() - last_check >= ALIVE_SECONDS:  # checked even if there are always new events
                    if not await is_valid():
                        return
                    last_check = time.monotonic()
                for event in sent.update(await self._open_to(player.id), await self._games_of(player.id)):
                    yield _line(event)
                    last_sent = time.monotonic()
                if time.monotonic() - last_sent >= ALIVE_SECONDS:
                    yield _line(AliveEvent())
                    last_sent = time.monotonic()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), POLL_SECONDS)
        except StorageError:
            return  # the bot reconnects
        finally:
            lobby.close()
            listening.cancel()
            self._forget(player.id, ended)

    def _forget(self, player: str, ended: asyncio.Event) -> None:
        streams = self._streams.get(player)
        if streams is not None:
            with contextlib.suppress(ValueError):
                streams.remove(ended)
            if not streams:
                del self._streams[player]

    async def _open_to(self, player: str) -> list[ChallengeView]:
        """The challenges that a player can accept."""
        actor = Actor(player)
        found = [each for each in await self._lobby.challenges(actor) if not each.yours and not each.refusal]
        return found + await self._challenges.offers_to(actor, MOST_OFFERS)

    async def _games_of(self, player: str) -> list[GameSummary]:
        """The running online games in which a player has a seat."""
        query = GameQuery(state="running", limit=MOST_GAMES, player=player, own=True)
        return [each for each in (await self._authority.list_games(query)).games if each.kind == "online"]


class _Sent:
    """The challenges and games that a stream has sent."""

    def __init__(self) -> None:
        self._challenges: set[str] = set()
        self._games: set[str] = set()

    def update(self, challenges: list[ChallengeView], games: list[GameSummary]) -> list[Message]:
        """The events since the last call."""
        open_now, running_now = {each.id for each in challenges}, {each.id for each in games}
        events: list[Message] = [ChallengeGoneEvent(challenge=each) for each in sorted(self._challenges - open_now)]
        events += [GameOverEvent(game=each) for each in sorted(self._games - running_now)]
        events += [GameEvent(game=each) for each in games if each.id not in self._games]
        events += [ChallengeEvent(challenge=each) for each in challenges if each.id not in self._challenges]
        self._challenges, self._games = open_now, running_now
        return events


def _line(event: Message) -> str:
    return event.model_dump_json() + "\n"
