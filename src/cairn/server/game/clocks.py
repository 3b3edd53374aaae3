"""The clocks of a game, as immutable values. Callers pass the current time, in whole milliseconds.

The rules:

- The clock of the tribe that must decide runs, even during the opponent's turn. No clock runs while chance decides.
- In a real-time game, the increment is added at the end of a turn, to the tribe whose turn it was, no matter which
  tribe made the last decision. An extra turn (Pillars of Spring) counts as a turn.
- In a correspondence game, each turn gives both tribes the full number of days.
- Each turn number adds time only once. A turn that was taken back and is played again adds nothing; otherwise a player
  could gain time by undoing and playing again. ``GameState.paid`` stores the last turn that added time.
- A tribe whose running clock reaches 0 has lost on time at that millisecond, no matter when this is noticed.
- A takeback does not restore the clock. Used time stays used; otherwise a takeback would be a way to think for free.
  Earned increments stay earned; otherwise a player could lose on time by agreeing to a takeback.
- No clock runs while the server is down (:meth:`Clock.paused`, :meth:`Clock.resumed`).
- Lag compensation: the round trip between server and player is not charged, up to :data:`LAG_CAP` per decision. Players
  report their own lag, so the cap limits what a cheat can gain. For the same reason, a player who has undone a token
  gets no more compensation in that turn. Only real-time clocks compensate lag.
- The computer never loses on time. It may have to wait for a thread, and nobody should win by keeping the threads busy.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from cairn.vocabulary import FOREST, Decider, Tribe

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

LAG_CAP: Final = 300
"""The maximum lag compensation per decision, in milliseconds."""
LONGEST_INITIAL: Final = 24 * HOUR
LONGEST_INCREMENT: Final = 10 * MINUTE
MOST_DAYS: Final = 30


@dataclasses.dataclass(frozen=True, slots=True)
class RealTime:
    """A time for the whole game plus an increment per turn, in milliseconds."""

    initial: int
    increment: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.initial <= LONGEST_INITIAL:
            raise ValueError(f"the initial time must be 1 to {LONGEST_INITIAL} ms, not {self.initial}")
        if not 0 <= self.increment <= LONGEST_INCREMENT:
            raise ValueError(f"the increment must be 0 to {LONGEST_INCREMENT} ms, not {self.increment}")

    @property
    def start(self) -> int:
        """Each tribe's time at the start, in milliseconds."""
        return self.initial


@dataclasses.dataclass(frozen=True, slots=True)
class Correspondence:
    """A number of days per turn."""

    days: int

    def __post_init__(self) -> None:
        if not 1 <= self.days <= MOST_DAYS:
            raise ValueError(f"the time per turn must be 1 to {MOST_DAYS} days, not {self.days}")

    @property
    def start(self) -> int:
        """Each tribe's time at the start, in milliseconds."""
        return self.days * DAY


TimeControl: TypeAlias = RealTime | Correspondence | None
"""``None`` means no time limit."""


class Flag(NamedTuple):
    """A loss on time."""

    loser: Tribe
    at: int
    """The millisecond at which the time ran out. The server may have noticed later."""


@dataclasses.dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of both tribes. Transitions return a new clock.

    >>> clock = Clock.start(RealTime(5 * MINUTE, 3 * SECOND), FOREST, now=0)
    >>> clock = clock.decided(10_000, FOREST.enemy, turn_ended_by=FOREST)
    >>> clock.left(FOREST, now=60_000), clock.left(FOREST.enemy, now=60_000)
    (293000, 250000)
    >>> clock.flag(now=999_999)
    Flag(loser=<Tribe.SEA: 'sea'>, at=310000)
    """

    control: TimeControl
    forest: int
    """The time that Forest had left at ``since``; 0 if there is no limit."""
    sea: int
    running: Tribe | None
    """The tribe that must decide; ``None`` while chance decides and after the end of the game."""
    since: int | None
    """When the tribe in ``running`` was last charged; ``None`` if no tribe must decide or the clock is paused."""
    endless: Tribe | None = None
    """The computer's tribe. Its time is shown but never runs out."""

    def __post_init__(self) -> None:
        if min(self.forest, self.sea) < 0:
            raise ValueError(f"times must not be negative: forest {self.forest}, sea {self.sea}")
        if self.running is None and self.since is not None:
            raise ValueError(f"since must be None while no tribe has to decide, not {self.since}")

    @classmethod
    def start(cls, control: TimeControl, decider: Decider, now: int, endless: Tribe | None = None) -> Clock:
        """The clock at the start of a game."""
        initial = control.start if control else 0
        return cls(control, initial, initial, None, None, endless)._running_for(decider, now, initial, initial)

    # --- Queries

    @property
    def is_paused(self) -> bool:
        """Whether a tribe must decide but its clock is not running."""
        return self.running is not None and self.since is None

    def left(self, tribe: Tribe, now: int) -> int | None:
        """The time that the tribe has left, at least 0; ``None`` if there is no limit."""
        if self.control is None:
            return None
        forest, sea = self.times(now)
        return forest if tribe is FOREST else sea

    def times(self, now: int, lag: int = 0) -> tuple[int, int]:
        """The times that Forest and Sea have left, at least 0. The running clock is charged up to now, less the lag."""
        if self.control is None or self.since is None:
            return self.forest, self.sea
        used = max(0, now - self.since - self.compensated(lag))  # less than 0 if the system clock was set back
        if self.running is FOREST:
            return max(0, self.forest - used), self.sea
        return self.forest, max(0, self.sea - used)

    def compensated(self, lag: int) -> int:
        """The part of the lag that is not charged: at most the cap, and 0 unless the game is played in real time."""
        return max(0, min(lag, LAG_CAP)) if isinstance(self.control, RealTime) else 0

    def deadline(self, lag: int = 0) -> int | None:
        """When the running clock will reach 0, unless it changes before then. Check the :meth:`flag` at that time."""
        if self.control is None or self.running is None or self.running is self.endless or self.since is None:
            return None
        return self.since + (self.forest if self.running is FOREST else self.sea) + self.compensated(lag)

    def flag(self, now: int, lag: int = 0) -> Flag | None:
        """The loss on time, if there is one. ``lag`` is the lag of the tribe that must decide."""
        deadline = self.deadline(lag)
        if self.running is None or deadline is None or now < deadline:
            return None
        return Flag(self.running, deadline)

    # --- Transitions

    def decided(self, now: int, next_decider: Decider, turn_ended_by: Tribe | None = None, lag: int = 0) -> Clock:
        """The clock after a decision by a tribe or by chance.

        ``turn_ended_by`` is the tribe whose turn ended with this decision. Raises ``ValueError`` if the time had run
        out: check the :meth:`flag` first, with the same lag.
        """
        if self.is_paused:
            raise ValueError("the clock is paused; resume it before a decision")
        if fallen := self.flag(now, lag):
            raise ValueError(f"{fallen.loser.value}'s time ran out at {fallen.at}, before {now}")
        forest, sea = self.times(now, lag)
        match self.control:
            case RealTime(increment=increment) if turn_ended_by is FOREST:
                forest += increment
            case RealTime(increment=increment) if turn_ended_by:
                sea += increment
            case Correspondence() as control if turn_ended_by:
                forest = sea = control.start
        return self._running_for(next_decider, now, forest, sea)

    def undone(self, now: int, next_decider: Decider) -> Clock:
        """The clock after decisions were taken back. Used time stays used, and earned increments are kept.

        The other player may accept a takeback just after the deadline, while lag is still being compensated. In that
        case, the tribe that had to decide has no time left.
        """
        if self.is_paused:
            raise ValueError("the clock is paused; resume it before taking back decisions")
        return self._running_for(next_decider, now, *self.times(now))

    def restored(self, forest: int, sea: int, decider: Decider, now: int) -> Clock:
        """The clock with these times, which were stored at ``now``."""
        return self._running_for(decider, now, forest, sea)

    def paused(self, at: int) -> Clock:
        """The clock, paused because the server stopped at ``at``; a paused clock stays as it is.

        ``at`` may come from a heartbeat before the last decision; in that case, nothing is charged. Check the
        :meth:`flag` first; otherwise a tribe whose time had run out would play on with no time left.
        """
        return Clock(self.control, *self.times(at), self.running, None, self.endless)

    def resumed(self, now: int) -> Clock:
        """The clock, resumed because the server is running again; a clock that is not paused stays as it is."""
        return dataclasses.replace(self, since=now) if self.is_paused else self

    def stopped(self, now: int) -> Clock:
        """The clock of a game that ended at ``now``, with the remaining times."""
        return Clock(self.control, *self.times(now), None, None, self.endless)

    # --- Helpers

    def _running_for(self, decider: Decider, now: int, forest: int, sea: int) -> Clock:
        """The clock with these times, running for the decider."""
        tribe = decider if isinstance(decider, Tribe) else None
        return Clock(self.control, forest, sea, tribe, now if tribe else None, self.endless)


def control_to_json(control: TimeControl) -> dict[str, object] | None:
    """A time control as JSON data.

    >>> control_to_json(Correspondence(3))
    {'kind': 'correspondence', 'days': 3}
    """
    match control:
        case RealTime(initial, increment):
            return {"kind": "real-time", "initial": initial, "increment": increment}
        case Correspondence(days):
            return {"kind": "correspondence", "days": days}
        case None:
            return None


def control_from_json(data: Mapping[str, object] | None) -> TimeControl:
    """The inverse of :func:`control_to_json`. Raises ``ValueError`` if the data is not valid."""
    if data is None:
        return None
    match data.get("kind"):
        case "real-time":
            _require_keys(data, "kind", "initial", "increment")
            return RealTime(_whole(data["initial"]), _whole(data["increment"]))
        case "correspondence":
            _require_keys(data, "kind", "days")
            return Correspondence(_whole(data["days"]))
        case other:
            raise ValueError(f"unknown kind of time control: {other!r}")


def _require_keys(data: Mapping[str, object], *keys: str) -> None:
    if set(data) != set(keys):
        raise ValueError(f"expected {', '.join(keys)}, not {', '.join(map(str, data)) or 'nothing'}")


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"a time must be a whole number, not {value!r}")
    return value


def milliseconds(at: datetime.datetime) -> int:
    """A time in milliseconds, the unit that clocks use."""
    return int(at.timestamp() * 1000)
