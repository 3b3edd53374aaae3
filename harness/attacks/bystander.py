"""A game between two honest players, each at their own address, played at a steady pace during an attack."""

from __future__ import annotations

import asyncio
import dataclasses
import math
import random
import statistics
import time
from typing import Final

from harness.load.table import CLOCK, Table, meet
from harness.load.web import Web

LOCAL: Final = {"forest": "127.0.0.2", "sea": "127.0.0.3"}
"""The players' addresses. 127.0.0.1 is not used, because the server trusts it as a proxy and does not rate-limit it."""
PAUSE_SECONDS: Final = 0.1
"""The pause between two tokens, which is about as long as that of a very fast human player."""
PATIENCE_SECONDS: Final = 10.0


@dataclasses.dataclass
class Play:
    """Measurements from a few seconds of play."""

    tried: int = 0
    accepted: int = 0
    milliseconds: list[float] = dataclasses.field(default_factory=list)
    """How long each token took to reach the opponent."""
    problems: list[str] = dataclasses.field(default_factory=list)

    @property
    def median(self) -> float:
        """The median time per token."""
        return statistics.median(self.milliseconds) if self.milliseconds else math.inf

    @property
    def share(self) -> float:
        """The share of tokens that were accepted."""
        return self.accepted / self.tried if self.tried else 0.0


class Bystander:
    """Plays one game after another and reopens sockets that were closed."""

    def __init__(self, address: str, seed: int = 1) -> None:
        self._address: Final = address
        self._rng: Final = random.Random(seed)
        self._web: Final = Web(address, local=LOCAL["forest"])
        self._table: Table | None = None

    async def open(self) -> tuple[str, str]:
        """Start a game; return its id and Sea's seat token."""
        meeting = await meet(self._web, self._rng, CLOCK)
        self._table = Table(self._address, meeting, local=LOCAL)
        await self._table.open()
        return meeting.game, meeting.seats["sea"]

    async def close(self) -> None:
        """Close the sockets and the HTTP connection."""
        if self._table:
            await self._table.close()
        await self._web.close()

    async def play(self, seconds: float) -> Play:
        """Play for ``seconds``. When a game ends, start another; the attack targets only the first game."""
        found = Play()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._table is None or self._table.over:
                await self.close()
                await self.open()
            table = self._table
            assert table is not None
            for seat in table.seats.values():
                if seat.gone:
                    await seat.open()
            await self._play_token(table, found)
            await asyncio.sleep(PAUSE_SECONDS)
        return found

    async def _play_token(self, table: Table, found: Play) -> None:
        found.tried += 1
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                taken = await table.play(self._rng)
        except TimeoutError:
            taken = math.nan
            found.problems.append("the server did not acknowledge a token in time")
        if not math.isnan(taken):
            found.accepted += 1
            found.milliseconds.append(1_000 * taken)
        found.problems += table.faults()
