"""The clocks of a game, as values. Nothing here looks at the time: it comes as an argument, in whole milliseconds.

The rules:

- The clock of the tribe that must decide runs, also inside the other's turn. While chance decides, nobody's does.
- In real time, the increment comes when a turn ends, to the tribe whose turn it was, whoever made its last decision.
  An extra turn (Pillars of Spring) is a turn like any other.
- In correspondence, each turn gives the full days to both tribes: to its owner, and to the other for decisions in it.
- Whose clock reaches 0 while it runs has lost on time, at that very millisecond; whoever asks later is told the same.
- A takeback restores nothing. Time used stays used, or a takeback would be a way to think for free; increments earned
  stay earned, or one could lose on time by agreeing to a takeback.
- While the server is down, nobody's clock runs (:meth:`Clock.paused`, :meth:`Clock.resumed`).
- The way from the server to the player and back is not the player's time, but only up to :data:`LAG_CAP` for each
  decision. Lag is measured with the player's help, so that a player could feign it: nobody gains more by that than the
  cap. It counts in real time only.
- The time of the computer does not run out. It may have to wait until other games leave it a thread, and nobody is to
  win by keeping the threads busy.
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
"""The most milliseconds of lag that are not charged to a player, for each decision."""


LONGEST_INITIAL: Final = 24 * HOUR


LONGEST_INCREMENT: Final = 10 * MINUTE


MOST_DAYS: Final = 30


@dataclasses.dataclass(frozen=True, slots=True)
class RealTime:
    """So much time for the game, and some more for each turn."""

    initial: int
    increment: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.initial <= LONGEST_INITIAL:
            raise ValueError(f"the initial time is 1 to {LONGEST_INITIAL} ms, not {self.initial}")
        if not 0 <= self.increment <= LONGEST_INCREMENT:
            raise ValueError(f"the increment is 0 to {LONGEST_INCREMENT} ms, not {self.increment}")

    @property
    def start(self) -> int:
        """What each tribe begins with."""
        return self.initial


@dataclasses.dataclass(frozen=True, slots=True)
class Correspondence:
    """So many days for each turn."""

    days: int

    def __post_init__(self) -> None:
        if not 1 <= self.days <= MOST_DAYS:
            raise ValueError(f"a turn has 1 to {MOST_DAYS} days, not {self.days}")

    @property
    def start(self) -> int:
        """What each tribe begins with."""
        return self.days * DAY


TimeControl: TypeAlias = RealTime | Correspondence | None
"""``None``: the game has no limit."""


class Flag(NamedTuple):
    """Somebody's time ran out."""

    loser: Tribe
    at: int
    """The millisecond when it did, however late it was noticed."""


@dataclasses.dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of both tribes at one moment. Transitions give a new clock; this one stays as it is.

    >>> clock = Clock.start(RealTime(5 * MINUTE, 3 * SECOND), FOREST, now=0)
    >>> clock = clock.decided(10_000, FOREST.enemy, turn_ended_by=FOREST)
    >>> clock.left(FOREST, now=60_000), clock.left(FOREST.enemy, now=60_000)
    (293000, 250000)
    >>> clock.flag(now=999_999)
    Flag(loser=<Tribe.SEA: 'sea'>, at=310000)
    """

    control: TimeControl
    forest: int
    """What Forest has left, as of ``since``; 0 and without a meaning where there is no limit."""
    sea: int
    running: Tribe | None
    """Who must decide; ``None`` while chance does, and when the game is over."""
    since: int | None
    """Since when that tribe's time runs; ``None`` while it does not: nobody must decide, or the clock is paused."""
    endless: Tribe | None = None
    """The tribe whose time does not run out, though it is shown: the computer's."""

    def __post_init__(self) -> None:
        if min(self.forest, self.sea) < 0:
            raise ValueError(f"nobody has less than no time: forest {self.forest}, sea {self.sea}")
        if self.running is None and self.since is not None:
            raise ValueError("time runs only while somebody must decide")

    @classmethod
    def start(cls, control: TimeControl, decider: Decider, now: int, endless: Tribe | None = None) -> Clock:
        """The clock of a game that begins."""
        initial = control.start if control else 0
        return cls(control, initial, initial, None, None, endless)._running_for(decider, now)

    # --- Looking

    @property
    def is_paused(self) -> bool:
        """Whether somebody must decide and yet no time runs."""
        return self.running is not None and self.since is None

    def left(self, tribe: Tribe, now: int) -> int | None:
        """What the tribe has left now, at least 0; ``None`` where there is no limit."""
        if self.control is None:
            return None
        return max(0, self._stored(tribe) - (self._elapsed(now) if tribe is self.running else 0))

    def deadline(self, lag: int = 0) -> int | None:
        """When the running time is up, if nothing happens before: the time to ask for the :meth:`flag` again."""
        if self.control is None or self.running is None or self.running is self.endless or self.since is None:
            return None
        return self.since + self._stored(self.running) + self._forgiven(lag)

    def flag(self, now: int, lag: int = 0) -> Flag | None:
        """Who has lost on time, and when; ``None`` if nobody has. ``lag`` is that of the tribe that must decide."""
        deadline = self.deadline(lag)
        if self.running is None or deadline is None or now < deadline:
            return None
        return Flag(self.running, deadline)

    # --- Changing

    def decided(self, now: int, next_decider: Decider, turn_ended_by: Tribe | None = None, lag: int = 0) -> Clock:
        """The clock after whoever had to decide did so; also after chance did.

        ``turn_ended_by`` is the tribe whose turn this ended, if it did. ``ValueError`` if the time was up: ask for the
        :meth:`flag` first, with the same lag.
        """
        if self.is_paused:
            raise ValueError("the clock is paused; resume it before anybody decides")
        if fallen := self.flag(now, lag):
            raise ValueError(f"{fallen.loser.value}'s time was up at {fallen.at}, before {now}")
        return self._charged(now, lag)._turn_ended(turn_ended_by)._running_for(next_decider, now)

    def undone(self, now: int, next_decider: Decider) -> Clock:
        """The clock after decisions were taken back. Time used stays used, increments stay earned.

        ``ValueError`` as for :meth:`decided`.
        """
        return self.decided(now, next_decider)

    def paused(self, at: int) -> Clock:
        """The clock of a server that stops, or that is known to have run until ``at`` when it is started again.

        The last time that it was seen alive may lie before the last decision; then nothing is charged. A clock that
        is paused already stays as it is. Ask for the :meth:`flag` first: a time that was up leaves nothing to go on.
        """
        return dataclasses.replace(self._charged(at), since=None)

    def resumed(self, now: int) -> Clock:
        """The clock of a server that goes on; one that is not paused stays as it is."""
        return dataclasses.replace(self, since=now) if self.is_paused else self

    def stopped(self, now: int) -> Clock:
        """The clock of a game that is over, with what was left: resignation, agreement, or a fallen flag."""
        return dataclasses.replace(self._charged(now), running=None, since=None)

    # --- Inside

    def _stored(self, tribe: Tribe) -> int:
        return self.forest if tribe is FOREST else self.sea

    def _elapsed(self, now: int) -> int:
        """Since the running tribe must decide; nothing if the clock of the machine was set back meanwhile."""
        return 0 if self.since is None else max(0, now - self.since)

    def _forgiven(self, lag: int) -> int:
        return max(0, min(lag, LAG_CAP)) if isinstance(self.control, RealTime) else 0

    def _charged(self, now: int, lag: int = 0) -> Clock:
        """The running tribe has used its time up to now."""
        if self.running is None or self.control is None:
            return self
        used = max(0, self._elapsed(now) - self._forgiven(lag))
        return self._with(self.running, max(0, self._stored(self.running) - used))

    def _turn_ended(self, tribe: Tribe | None) -> Clock:
        match self.control:
            case RealTime(increment=increment) if tribe:
                return self._with(tribe, self._stored(tribe) + increment)
            case Correspondence() as control if tribe:
                return dataclasses.replace(self, forest=control.start, sea=control.start)
        return self

    def _running_for(self, decider: Decider, now: int) -> Clock:
        """The time of whoever decides runs from now on."""
        tribe = decider if isinstance(decider, Tribe) else None
        return Clock(self.control, self.forest, self.sea, tribe, now if tribe else None, self.endless)

    def _with(self, tribe: Tribe, left: int) -> Clock:
        forest, sea = (left, self.sea) if tribe is FOREST else (self.forest, left)
        return Clock(self.control, forest, sea, self.running, self.since, self.endless)


def control_to_json(control: TimeControl) -> dict[str, object] | None:
    """A time control as data for JSON.

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
    """The time control that :func:`control_to_json` wrote; ``ValueError`` if it did not."""
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
            raise ValueError(f"no time control is of kind {other!r}")


def _require_keys(data: Mapping[str, object], *keys: str) -> None:
    if set(data) != set(keys):
        raise ValueError(f"expected {', '.join(keys)}, not {', '.join(map(str, data)) or 'nothing'}")


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"times are whole numbers, not {value!r}")
    return value


def milliseconds(at: datetime.datetime) -> int:
    """A time as clocks have it."""
    return int(at.timestamp() * 1000)
