"""How often one may ask, and how much one may have: by class of request, for each address and each player.

A bucket holds some tokens and is refilled steadily; a request takes one out, and is refused when there is none. Buckets
are kept in memory: each process has its own.
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
    """So many requests in so many seconds: at once, or spread over them."""

    requests: int
    seconds: float


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """The classes of requests, and of what is kept; ``None`` is no limit."""

    request: Rate | None = Rate(6_000, 60)
    """Everything that an address asks for."""
    guest: Rate | None = Rate(600, 3_600)
    """New guests of an address."""
    sign_up: Rate | None = Rate(5, 3_600)
    """New accounts of an address."""
    sign_in: Rate | None = Rate(10, 60)
    """Attempts of an address, by password or by a link for a new password."""
    sign_in_name: Rate | None = Rate(20, 60)
    """Attempts for a name, from wherever."""
    password: Rate | None = Rate(10, 60)
    """Attempts of a player to change the password or to delete the account."""
    account: Rate | None = Rate(30, 60)
    """Exports of a player, and new tokens for bots."""
    report: Rate | None = Rate(30, 3_600)
    """Reports of a player."""
    game: Rate | None = Rate(3_000, 3_600)
    """Local games that an address begins, where strangers share the server."""
    upload: Rate | None = Rate(120, 3_600)
    """Those of them that come with what was played: records, and positions with tokens."""
    frame: Rate | None = Rate(3_000, 60)
    """Messages that come by one socket, whatever they are."""

    sockets_of_address: int | None = 1_000
    """Open at the same time, in one process."""
    sockets_of_player: int | None = 100
    games_of_guest: int | None = 200
    """Local games, deleted ones among them, where strangers share the server."""
    games_of_account: int | None = 2_000
    running_of_guest: int | None = 50
    """Online games that are not over; for bots as for accounts."""
    running_of_account: int | None = 500
    challenges_of_player: int | None = 20
    """Open ones."""
    chat_of_game: int | None = 500
    """Messages."""


NO_LIMITS: Final = Limits(**{limit.name: None for limit in dataclasses.fields(Limits)})


class TooMany(Refusal):
    """Somebody asked too often."""

    def __init__(self, seconds: float) -> None:
        wait = max(1, math.ceil(seconds))
        super().__init__(
            429, "too-many", f"That was too often. Please wait {_span(wait)}.", headers={"Retry-After": str(wait)}
        )


class Bucket:
    """What one may still ask for; without end if there is no rate."""

    __slots__ = ("_filled", "_now", "_rate", "_since")

    def __init__(self, rate: Rate | None, now: Callable[[], float]) -> None:
        self._rate: Final = rate
        self._now: Final = now
        self._filled = float(rate.requests) if rate else math.inf
        self._since = now()

    def spend(self) -> None:
        """Take a token out; :class:`TooMany` if there is none."""
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
    """All buckets. The one that was not used for the longest time makes room for a new one."""

    def __init__(
        self, limits: Limits, now: Callable[[], float] = time.monotonic, *, most_buckets: int = MOST_BUCKETS
    ) -> None:
        self._limits: Final = limits
        self._now: Final = now
        self._most_buckets: Final = most_buckets
        self._buckets: Final[collections.OrderedDict[tuple[str, str], Bucket]] = collections.OrderedDict()

    def spend(self, kind: str, who: str) -> None:
        """Take a token out of the bucket of ``who`` for a class of requests; :class:`TooMany` if there is none."""
        if getattr(self._limits, kind) is None:
            return
        bucket = self._buckets.pop((kind, who), None) or self.bucket(kind)
        self._buckets[kind, who] = bucket
        if len(self._buckets) > self._most_buckets:
            self._buckets.popitem(last=False)
        bucket.spend()

    def bucket(self, kind: str) -> Bucket:
        """A full one for a class of requests, for whoever keeps it and is alone to use it."""
        return Bucket(getattr(self._limits, kind), self._now)


def _span(seconds: int) -> str:
    if seconds < 100:
        return "a second" if seconds == 1 else f"{seconds} seconds"
    return f"{math.ceil(seconds / 60)} minutes"
