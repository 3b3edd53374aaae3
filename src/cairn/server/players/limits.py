"""Rate limits and quotas, per address and per player.

Rates use token buckets. A bucket refills steadily, and a request that finds it empty is refused. There are two ways to
use a bucket. A rare action, such as signing in, takes a token in advance (:meth:`Limiter.spend`). CPU time is known
only afterwards, so it is charged then (:meth:`Limiter.charge`), which may leave a debt. Requests from an address in
debt are refused until the refill has paid off the debt.

Buckets are kept in memory. Processes that share a database exchange the amounts spent (``players/limit_exchange.py``).
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import ipaddress
import math
import time
from collections.abc import Callable
from typing import Final, TypeAlias

from cairn.server.errors import Refusal

MOST_BUCKETS: Final = 100_000
GRACE: Final = 0.1
"""A client with a debt of up to this share of the burst is asked to wait. With a larger debt, it is disconnected."""
MOST_DEBT: Final = 2 * GRACE
"""The maximum debt, as a share of the burst. It is small, so that an address recovers soon after a flood has ended."""
ANNOUNCED_SHARE: Final = 0.01
"""A process announces what was spent from a bucket once the amount reaches this share of the burst."""


@dataclasses.dataclass(frozen=True, slots=True)
class Rate:
    """An amount that may be spent within a number of seconds, in one burst or spread out."""

    amount: float
    seconds: float


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """All rate limits and quotas; ``None`` means no limit."""

    work_of_address: Rate | None = Rate(1_500, 6)
    """Milliseconds of CPU time for all requests and messages from an address (``players/workload.py``)."""
    work_of_player: Rate | None = Rate(1_000, 8)
    """Milliseconds of CPU time for all requests and messages from a player, at any address."""
    guest: Rate | None = Rate(600, 3_600)
    """New guests, per address."""
    sign_up: Rate | None = Rate(5, 3_600)
    """New accounts, per address."""
    sign_in: Rate | None = Rate(10, 60)
    """Attempts to sign in or to use a password reset, per address."""
    sign_in_name: Rate | None = Rate(20, 60)
    """Attempts to sign in from any address, per name."""
    password: Rate | None = Rate(10, 60)
    """Attempts to change the password or to delete the account, per player."""
    account: Rate | None = Rate(30, 60)
    """Exports and new bot tokens, per player."""
    report: Rate | None = Rate(30, 3_600)
    """Reports, per player."""
    game: Rate | None = Rate(3_000, 3_600)
    """New local games on a public server, per address."""
    upload: Rate | None = Rate(120, 3_600)
    """New local games that come with tokens (records or lines) on a public server, per address."""

    connections_of_address: int | None = 200
    """Connections open at the same time in one process; trusted proxies are exempt."""
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
        super().__init__(429, "too-many", f"Too many requests. Try again in {_duration(wait)}.", seconds=wait)


class Bucket:
    """A token bucket. It starts full."""

    __slots__ = ("_amount", "_filled", "_now", "_rate", "_since")

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._rate: Final = rate
        self._now: Final = now
        self._amount: Final = float(rate.amount)
        self._filled = self._amount
        self._since = now()

    def spend(self, amount: float = 1.0) -> None:
        """Take an amount. Raises :class:`TooMany` if the bucket holds less."""
        self._refill()
        if self._filled < amount:
            raise TooMany(self._seconds_for(amount - self._filled))
        self._filled -= amount

    def charge(self, amount: float) -> float:
        """Take an amount. If the bucket holds less, the rest becomes a debt. Returns the same as :meth:`wait`."""
        self._refill()
        self._filled = filled = self._filled - amount
        if filled >= 0:
            return 0.0
        self._filled = max(filled, -MOST_DEBT * self._amount)
        return self._seconds_for(-self._filled)

    def wait(self) -> float:
        """The seconds until the debt is paid off; 0 if there is none."""
        self._refill()
        return self._seconds_for(max(0.0, -self._filled))

    def is_flooded(self) -> bool:
        """Whether the debt is so large that the client clearly is not waiting."""
        self._refill()
        return self._filled < -GRACE * self._rate.amount

    def _refill(self) -> None:
        now, most = self._now(), self._amount
        if self._filled < most:
            filled = self._filled + (now - self._since) * most / self._rate.seconds
            self._filled = min(most, filled)
        self._since = now

    def _seconds_for(self, amount: float) -> float:
        return amount * self._rate.seconds / self._rate.amount


BucketKey: TypeAlias = tuple[str, str]
"""A limit, and the address or player that it applies to."""


@dataclasses.dataclass(slots=True)
class LimitCounts:
    """Counts for the metrics."""

    work_milliseconds: float = 0.0
    """The CPU time charged so far."""
    refused_requests: int = 0
    """Requests, sockets and messages that were refused because of a debt."""
    refused_connections: int = 0


class Limiter:
    """All buckets. If there are too many, the least recently used bucket is evicted."""

    def __init__(
        self, limits: Limits, now: Callable[[], float] = time.monotonic, *, most_buckets: int = MOST_BUCKETS
    ) -> None:
        self._limits: Final = limits
        self._now: Final = now
        self._most_buckets: Final = most_buckets
        self._buckets: Final[collections.OrderedDict[BucketKey, Bucket]] = collections.OrderedDict()
        self.counts: Final = LimitCounts()
        self._in_debt: Final[set[BucketKey]] = set()
        """Buckets that may still be in debt."""
        self._unannounced: dict[BucketKey, float] | None = None
        """The amounts spent since the last announcement; ``None`` if there are no other processes."""

    def is_limited(self, kind: str) -> bool:
        """Whether this limit is set."""
        return getattr(self._limits, kind) is not None

    def spend(self, kind: str, who: str, amount: float = 1.0) -> None:
        """Take an amount from ``who``'s bucket for the limit ``kind``. Raises :class:`TooMany` if it holds less."""
        if bucket := self._bucket(kind, who):
            bucket.spend(amount)
            self._note(kind, who, amount)

    def charge(self, kind: str, who: str, amount: float) -> float:
        """Charge an amount to ``who``'s bucket for the limit ``kind``. Returns the same as :meth:`wait`."""
        bucket = self._bucket(kind, who)
        if bucket is None:
            return 0.0
        wait = bucket.charge(amount)
        if wait:
            self._in_debt.add((kind, who))
        if self._unannounced is not None and amount:
            self._note(kind, who, amount)
        return wait

    def wait(self, kind: str, who: str) -> float:
        """The seconds until the bucket's debt is paid off; 0 if there is none."""
        bucket = self._bucket(kind, who)
        return bucket.wait() if bucket else 0.0

    def is_flooded(self, kind: str, who: str) -> bool:
        """Whether the bucket's debt is so large that the client clearly is not waiting."""
        bucket = self._bucket(kind, who)
        return bucket is not None and bucket.is_flooded()

    def debtors(self, kind: str) -> int:
        """How many addresses or players are in debt for the limit ``kind``."""
        self._in_debt.intersection_update([each for each in self._in_debt if self._buckets[each].wait()])
        return sum(each[0] == kind for each in self._in_debt)

    def _bucket(self, kind: str, who: str) -> Bucket | None:
        key = kind, who
        bucket = self._buckets.get(key)
        if bucket is not None:
            self._buckets.move_to_end(key)
            return bucket
        rate: Rate | None = getattr(self._limits, kind)
        if rate is None:
            return None
        bucket = self._buckets[key] = Bucket(rate, self._now)
        if len(self._buckets) > self._most_buckets:
            evicted, _ = self._buckets.popitem(last=False)
            self._in_debt.discard(evicted)
        return bucket

    # --- Several processes

    def start_sharing(self) -> None:
        """Start recording the amounts spent, for :meth:`take_spent`."""
        self._unannounced = {}

    def take_spent(self) -> dict[BucketKey, float]:
        """Take the amounts spent since the last announcement. Amounts that are still too small are held back."""
        noted = self._unannounced or {}
        due, rest = dict[BucketKey, float](), dict[BucketKey, float]()
        for each, amount in noted.items():
            is_due = amount >= ANNOUNCED_SHARE * getattr(self._limits, each[0]).amount
            (due if is_due else rest)[each] = amount
        self._unannounced = rest if len(rest) <= self._most_buckets else {}
        return due

    def spent_elsewhere(self, kind: str, who: str, amount: float) -> None:
        """Charge an amount that another process has announced."""
        if (bucket := self._bucket(kind, who)) and bucket.charge(amount):
            self._in_debt.add((kind, who))

    def _note(self, kind: str, who: str, amount: float) -> None:
        if self._unannounced is not None:
            self._unannounced[kind, who] = self._unannounced.get((kind, who), 0.0) + amount


@functools.lru_cache(MOST_BUCKETS)
def network_of(host: str) -> str:
    """The key for limits: an IPv4 address, or an IPv6 /64 network, which usually belongs to one customer."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _duration(seconds: int) -> str:
    if seconds < 100:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    return f"{math.ceil(seconds / 60)} minutes"
