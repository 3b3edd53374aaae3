"""Rate limits and quotas, per address and per player.

Rates use token buckets: a bucket is refilled steadily, and a request that finds it empty is refused. Buckets are kept
in memory, so each process has its own.
"""

from __future__ import annotations

import collections
import dataclasses
import math
import time
from collections.abc import Callable
from typing import Final

from cairn.server.errors import Refusal

MOST_BUCKETS: Final = 100_000


@dataclasses.dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests in a number of seconds, in a burst or spread out."""

    requests: int
    seconds: float


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """All rate limits and quotas; ``None`` means no limit."""

    request: Rate | None = Rate(6_000, 60)
    """All requests, per address."""
    guest: Rate | None = Rate(600, 3_600)
    """New guests, per address."""
    sign_up: Rate | None = Rate(5, 3_600)
    """New accounts, per address."""
    sign_in: Rate | None = Rate(10, 60)
    """Attempts to sign in or to use a password reset, per address."""
    sign_in_name: Rate | None = Rate(20, 60)
    """Attempts to sign in, per name and from any address."""
    password: Rate | None = Rate(10, 60)
    """Attempts to change the password or to delete the account, per player."""
    account: Rate | None = Rate(30, 60)
    """Exports and new bot tokens, per player."""
    report: Rate | None = Rate(30, 3_600)
    """Reports, per player."""
    game: Rate | None = Rate(3_000, 3_600)
    """New local games on a public server, per address."""
    upload: Rate | None = Rate(120, 3_600)
    """New local games with tokens (records, and positions with tokens) on a public server, per address."""
    frame: Rate | None = Rate(6_000, 60)
    """Messages over all sockets of an address."""

    sockets_of_address: int | None = 1_000
    """Sockets open at the same time in one process."""
    sockets_of_player: int | None = 100
    games_of_guest: int | None = 200
    """Local games on a public server, including deleted ones."""
    games_of_account: int | None = 2_000
    running_of_guest: int | None = 50
    """Running online games. Bots have the same limit as accounts."""
    running_of_account: int | None = 500
    challenges_of_player: int | None = 20
    """Open challenges."""
    chat_of_game: int | None = 500
    """Chat messages."""


NO_LIMITS: Final = Limits(**{limit.name: None for limit in dataclasses.fields(Limits)})


class TooMany(Refusal):
    """A rate limit was exceeded."""

    def __init__(self, seconds: float) -> None:
        wait = max(1, math.ceil(seconds))
        sentence = f"Too many requests. Try again in {_duration(wait)}."
        super().__init__(429, "too-many", sentence, headers={"Retry-After": str(wait)})


class Bucket:
    """A token bucket; unlimited if there is no rate."""

    __slots__ = ("_filled", "_now", "_rate", "_since")

    def __init__(self, rate: Rate | None, now: Callable[[], float]) -> None:
        self._rate: Final = rate
        self._now: Final = now
        self._filled = float(rate.requests) if rate else math.inf
        self._since = now()

    def spend(self) -> None:
        """Take a token; :class:`TooMany` if there is none."""
        rate = self._rate
        if rate is None:
            return
        now = self._now()
        self._filled = min(float(rate.requests), self._filled + (now - self._since) * rate.requests / rate.seconds)
        self._since = now
        if self._filled < 1:
            raise TooMany((1 - self._filled) * rate.seconds / rate.requests)
        self._filled -= 1


class Limiter:
    """All buckets. Evicts the least recently used one when there are too many."""

    def __init__(
        self, limits: Limits, now: Callable[[], float] = time.monotonic, *, most_buckets: int = MOST_BUCKETS
    ) -> None:
        self._limits: Final = limits
        self._now: Final = now
        self._most_buckets: Final = most_buckets
        self._buckets: Final[collections.OrderedDict[tuple[str, str], Bucket]] = collections.OrderedDict()

    def spend(self, kind: str, who: str) -> None:
        """Take a token from the bucket of ``who`` for the limit ``kind``; :class:`TooMany` if there is none."""
        if getattr(self._limits, kind) is None:
            return
        bucket = self._buckets.pop((kind, who), None) or Bucket(getattr(self._limits, kind), self._now)
        self._buckets[kind, who] = bucket
        if len(self._buckets) > self._most_buckets:
            self._buckets.popitem(last=False)
        bucket.spend()


def _duration(seconds: int) -> str:
    if seconds < 100:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    return f"{math.ceil(seconds / 60)} minutes"
