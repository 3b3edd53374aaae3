"""What a bot is told: the challenges that it can accept, and the games in which it has a seat."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import sqlalchemy as sa

from cairn.server.account_models import PlayerView
from cairn.server.authority import Authority
from cairn.server.bot_models import (
    AliveEvent,
    ChallengeEvent,
    ChallengeGoneEvent,
    GameEvent,
    GameOverEvent,
    HelloEvent,
)
from cairn.server.challenges import LOBBY, Challenges
from cairn.server.errors import Refusal
from cairn.server.identity_database import Transactions
from cairn.server.models import GameSummary, Message
from cairn.server.online_access import Actor
from cairn.server.online_models import ChallengeView
from cairn.server.storage import GameQuery, StorageError
from cairn.server.tables import challenges as challenges_table
from cairn.server.transport import Transport

LOOK_SECONDS: Final = 1.0
"""So often one looks for news that are told to nobody else, such as a link that somebody followed."""
ALIVE_SECONDS: Final = 5.0
MOST_STREAMS: Final = 4
"""Of a bot, in a process; one more ends the oldest."""
MOST_GAMES: Final = 200
MOST_OFFERS: Final = 50


class Bots:
    """Tells bots what concerns them. It decides nothing."""

    def __init__(
        self, database: Transactions, authority: Authority, challenges: Challenges, transport: Transport
    ) -> None:
        self._database: Final = database
        self._authority: Final = authority
        self._challenges: Final = challenges
        self._transport: Final = transport
        self._streams: Final[dict[str, collections.deque[asyncio.Event]]] = {}

    def events(self, player: PlayerView, welcome: Callable[[], Awaitable[bool]]) -> AsyncIterator[str]:
        """Lines of JSON, until the listener leaves, opens too many streams, or is no longer ``welcome``."""
        ended = asyncio.Event()
        streams = self._streams.setdefault(player.id, collections.deque())
        streams.append(ended)
        if len(streams) > MOST_STREAMS:
            streams.popleft().set()
        return self._lines(player, welcome, ended)

    async def _lines(
        self, player: PlayerView, welcome: Callable[[], Awaitable[bool]], ended: asyncio.Event
    ) -> AsyncIterator[str]:
        told, changed, said = _Told(), asyncio.Event(), time.monotonic()
        asked = said
        lobby = self._transport.subscribe(LOBBY)

        async def listen() -> None:
            async for _ in lobby:
                changed.set()

        listening = asyncio.create_task(listen())
        try:
            yield _line(HelloEvent(player=player))
            while not ended.is_set():
                changed.clear()
                if time.monotonic() - asked >= ALIVE_SECONDS:  # however much there is to tell
                    if not await welcome():
                        return
                    asked = time.monotonic()
                for event in told.news(await self._open_to(player.id), await self._games_of(player.id)):
                    yield _line(event)
                    said = time.monotonic()
                if time.monotonic() - said >= ALIVE_SECONDS:
                    yield _line(AliveEvent())
                    said = time.monotonic()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), LOOK_SECONDS)
        except StorageError:
            return  # whoever listens comes back
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
        found = [each for each in await self._challenges.lobby(actor) if not each.yours and not each.refusal]
        for offer in await self._offers_to(player):
            with contextlib.suppress(Refusal):  # gone meanwhile
                found.append(await self._challenges.find(offer, actor))
        return found

    async def _offers_to(self, player: str) -> list[str]:
        """Open challenges that are meant for a player alone, and that have their number."""
        table = challenges_table.c
        ready = (table.opponent == player) & (table.state == "open") & table.number.is_not(None)
        offers = sa.select(table.id).where(ready).order_by(table.created.desc()).limit(MOST_OFFERS)
        return await self._database.read(lambda connection: list(connection.execute(offers).scalars()))

    async def _games_of(self, player: str) -> list[GameSummary]:
        """The running online games in which a player has a seat."""
        query = GameQuery(state="running", limit=MOST_GAMES, player=player, own=True)
        return [each for each in (await self._authority.list_games(query)).games if each.kind == "online"]


class _Told:
    """What a stream has told already."""

    def __init__(self) -> None:
        self._challenges: set[str] = set()
        self._games: set[str] = set()

    def news(self, challenges: list[ChallengeView], games: list[GameSummary]) -> list[Message]:
        """What is new since the last time."""
        open_now, running_now = {each.id for each in challenges}, {each.id for each in games}
        events: list[Message] = [ChallengeGoneEvent(challenge=each) for each in sorted(self._challenges - open_now)]
        events += [GameOverEvent(game=each) for each in sorted(self._games - running_now)]
        events += [GameEvent(game=each) for each in games if each.id not in self._games]
        events += [ChallengeEvent(challenge=each) for each in challenges if each.id not in self._challenges]
        self._challenges, self._games = open_now, running_now
        return events


def _line(event: Message) -> str:
    return event.model_dump_json() + "\n"
