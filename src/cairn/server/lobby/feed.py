"""Send the lobby to its watchers: the whole list first, then the changes.

The challenges are read and encoded once for all watchers, at most four times a second. Two fields depend on the
watcher: whether a challenge is theirs, and why they cannot accept it. These have few combinations, so each challenge is
encoded at most four times, no matter how many watchers there are.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from cairn.server.game.access import Actor
from cairn.server.lobby.challenges import LOBBY, LOBBY_TIME, MOST_IN_LOBBY, challenge_view, rated_refusal
from cairn.server.logs import log_and_continue
from cairn.server.messages.lobby import ChallengeView, RefusalKind
from cairn.server.messages.sockets import encode_lobby, encode_lobby_change
from cairn.server.storage.challenges import ChallengeRepository
from cairn.server.tasks import cancel_and_wait
from cairn.server.transport.hub import EncodedMessage, Hub, Subscription

PAUSE_SECONDS: Final = 0.25
"""The minimum time between reads of the lobby."""
REFRESH_SECONDS: Final = 10.0
"""How old the list may get if a notification is lost. A refresh also removes expired challenges."""
FEED: Final = "lobby-feed"
"""The hub topic that watchers subscribe to. Game ids are topics too, but none can equal this one."""


class Viewer(NamedTuple):
    """A watcher of the lobby."""

    player: str | None
    account: str | None
    """The account responsible for the player, if any."""


Looks: TypeAlias = tuple[bool, RefusalKind | None]
"""The fields that depend on the viewer: whether the challenge is theirs, and why they cannot accept it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Listing:
    """A challenge in the lobby, with its JSON texts for the different kinds of viewers."""

    view: ChallengeView
    account: str | None
    """The account responsible for the creator of a rated challenge."""
    texts: dict[Looks, str] = dataclasses.field(default_factory=dict, compare=False)

    def looks_to(self, viewer: Viewer) -> Looks:
        """The fields of the challenge that depend on the viewer."""
        yours = viewer.player is not None and viewer.player == self.view.creator.id
        return yours, rated_refusal(self.account, viewer.account) if self.view.rated and not yours else None

    def view_for(self, looks: Looks) -> ChallengeView:
        """The message for viewers who see these values."""
        return self.view.model_copy(update={"yours": looks[0], "refusal": looks[1]})

    def text_for(self, looks: Looks) -> str:
        """The same message as JSON, encoded only once."""
        if looks not in self.texts:
            self.texts[looks] = self.view_for(looks).model_dump_json()
        return self.texts[looks]


class LobbyFeed:
    """The current lobby of this process, and its watchers."""

    def __init__(self, storage: ChallengeRepository, hub: Hub, now: Callable[[], datetime.datetime]) -> None:
        self._storage: Final = storage
        self._hub: Final = hub
        self._now: Final = now
        self._listings: Mapping[str, Listing] = {}
        """The challenges by id, newest first."""
        self._read_at = -math.inf
        """When the last read began."""
        self._changed: Final = asyncio.Event()
        self._lock: Final = asyncio.Lock()
        self._viewers: Final[dict[Subscription, Viewer]] = {}
        self._watched: Final = asyncio.Event()
        """Set while there are viewers."""
        self._news = hub.subscribe(LOBBY, internal=True)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start following changes."""
        self._tasks = [
            asyncio.create_task(self._listen(), name="lobby changes"),
            asyncio.create_task(self._keep_fresh(), name="lobby feed"),
        ]

    async def close(self) -> None:
        """Stop following changes."""
        self._news.close()
        await cancel_and_wait(self._tasks)

    async def challenges(self, actor: Actor) -> list[ChallengeView]:
        """The challenges that are open to everybody, newest first, as the actor sees them."""
        viewer, listings = await self._viewer(actor), await self._current()
        return [each.view_for(each.looks_to(viewer)) for each in listings.values()]

    @contextlib.asynccontextmanager
    async def watch(self, actor: Actor) -> AsyncIterator[tuple[str, Subscription]]:
        """Yield the whole lobby as JSON, and a subscription to all changes from then on."""
        viewer = await self._viewer(actor)
        await self._current()
        subscription = self._hub.subscribe(FEED)
        self._viewers[subscription] = viewer
        self._watched.set()
        try:
            yield encode_lobby([each.text_for(each.looks_to(viewer)) for each in self._listings.values()]), subscription
        finally:
            subscription.close()
            del self._viewers[subscription]
            if not self._viewers:
                self._watched.clear()

    async def _viewer(self, actor: Actor) -> Viewer:
        if actor.player is None:
            return Viewer(None, None)
        return Viewer(actor.player, (await self._storage.accounts_behind({actor.player}))[actor.player])

    # --- Reading the lobby

    @property
    def _is_fresh(self) -> bool:
        """Whether the lobby was read recently and no change has been announced since."""
        young = _clock() - self._read_at < REFRESH_SECONDS
        return young and self._hub.listening and not self._changed.is_set() and not self._news.waiting

    async def _current(self) -> Mapping[str, Listing]:
        """The lobby, with all changes announced before the call. Waits if the last read was too recent."""
        called_at = _clock()
        async with self._lock:
            if self._read_at < called_at and not self._is_fresh:
                await asyncio.sleep(max(0.0, self._read_at + PAUSE_SECONDS - _clock()))
                await self._read()
            return self._listings

    async def _read(self) -> None:
        """Read the lobby, and send the changes to all watchers."""
        self._read_at = _clock()
        self._changed.clear()
        try:
            found = await self._found()
        except BaseException:
            self._changed.set()
            raise
        before, self._listings = self._listings, found
        new = [each for each in found.values() if before.get(each.view.id) is not each]
        gone = [each for each in before if each not in found]
        if new or gone:
            self._broadcast(new, gone)

    async def _found(self) -> dict[str, Listing]:
        challenges = await self._storage.lobby(self._now() - LOBBY_TIME, MOST_IN_LOBBY)
        people = await self._storage.players({each.creator for each in challenges}, self._now())
        accounts = await self._storage.accounts_behind({each.creator for each in challenges if each.rated})
        found = {}
        for each in challenges:
            view = challenge_view(each, people[each.creator], Actor(), None)
            listing, known = Listing(view, accounts.get(each.creator)), self._listings.get(each.id)
            found[each.id] = known if known == listing else listing
        return found

    def _broadcast(self, new: Sequence[Listing], gone: Sequence[str]) -> None:
        messages: dict[tuple[Looks, ...], EncodedMessage] = {}
        for subscription, viewer in list(self._viewers.items()):
            looks = tuple(each.looks_to(viewer) for each in new)
            if looks not in messages:
                texts = [each.text_for(one) for each, one in zip(new, looks, strict=True)]
                messages[looks] = EncodedMessage(encode_lobby_change(texts, gone))
            subscription.put(messages[looks])

    # --- Following changes

    async def _listen(self) -> None:
        while True:
            async for _ in self._news:
                self._changed.set()
            # The hub disconnected the subscription because it may have missed a message.
            self._news = self._hub.subscribe(LOBBY, internal=True)
            self._changed.set()

    async def _keep_fresh(self) -> None:
        """Read the lobby after each change while anybody is watching."""
        while True:
            await self._watched.wait()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), REFRESH_SECONDS)
            with log_and_continue("could not read the lobby"):
                try:
                    await self._current()
                except Exception:
                    for subscription in list(self._viewers):  # they reconnect
                        subscription.cut()
                    raise


def _clock() -> float:
    """The event loop's time, in seconds. A simulation can replace the loop's clock."""
    return asyncio.get_running_loop().time()
