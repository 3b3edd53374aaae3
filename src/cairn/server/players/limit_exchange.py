"""Share rate limits between processes that use the same database.

Each process counts what its own clients spend. Twice a second, it announces these amounts on the channel that also
carries presence and chat, and it charges the amounts that other processes announce. A client that uses all processes
at once therefore gets one budget, plus what it spends within half a second. Small amounts are not announced until they
add up to 1% of a budget, so ordinary players cause no traffic. Announcements are not stored.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator, Sequence
from typing import Final

from cairn.server.messages.announcements import Spent, SpentMessage
from cairn.server.players.limits import Limiter
from cairn.server.tasks import cancel_and_wait
from cairn.server.transport.hub import Hub

TOPIC: Final = "limits"
"""The hub topic for announcements. Game ids are topics too, but none can equal this one."""
ANNOUNCE_SECONDS: Final = 0.5
LONGEST: Final = 6_000
"""The maximum length of the amounts in one announcement, in characters. Announcements must fit into a notification."""


class LimitExchange:
    """Announces the amounts spent in this process, and charges the amounts spent in other processes."""

    def __init__(self, limiter: Limiter, hub: Hub) -> None:
        self._limiter: Final = limiter
        self._hub: Final = hub
        self._process: Final = secrets.token_hex(8)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the exchange, unless there are no other processes."""
        if not self._hub.alone:
            self._limiter.start_sharing()
            self._tasks = [
                asyncio.create_task(self._announce(), name="announcing spent limits"),
                asyncio.create_task(self._listen(), name="receiving spent limits"),
            ]

    async def close(self) -> None:
        """Stop the exchange."""
        await cancel_and_wait(self._tasks)

    async def _announce(self) -> None:
        while True:
            await asyncio.sleep(ANNOUNCE_SECONDS)
            spent = [(kind, who, round(amount, 3)) for (kind, who), amount in self._limiter.take_spent().items()]
            for some in _split(spent):
                await self._hub.broadcast(TOPIC, SpentMessage(by=self._process, spent=some))

    async def _listen(self) -> None:
        while True:
            subscription = self._hub.subscribe(TOPIC, internal=True)
            try:
                async for text in subscription:
                    message = json.loads(text)
                    if message["by"] != self._process:
                        for kind, who, amount in message["spent"]:
                            self._limiter.spent_elsewhere(kind, who, amount)
            finally:
                subscription.close()


def _split(spent: Sequence[Spent]) -> Iterator[list[Spent]]:
    """Split the amounts into groups that fit into one announcement each."""
    group: list[Spent] = []
    length = 0
    for each in spent:
        more = len(json.dumps(each))
        if group and length + more > LONGEST:
            yield group
            group, length = [], 0
        group.append(each)
        length += more
    if group:
        yield group
