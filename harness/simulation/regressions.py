"""Reintroduce faults that the server once had or could have had. The simulation must find each of them."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final
from unittest import mock

from cairn.server.game import decide
from cairn.server.game.events import ClockPaused, Event
from cairn.server.game.state import GameState
from cairn.server.live.downtimes import Downtimes
from cairn.server.live.server_time import ProcessClock, ServerTime
from cairn.vocabulary import Tribe
from harness.simulation.scenario import simulate


@contextlib.contextmanager
def offers_make_decisions_stale() -> Iterator[None]:
    """An opponent who floods a game with offers can win it on time."""
    original = GameState.advance

    def advance(self: GameState, events: Sequence[Event], at: datetime.datetime, command: str | None = None) -> None:
        original(self, events, at, command)
        if not all(isinstance(event, ClockPaused) for event in events):
            self.game.advance(0, changed_board=True)

    with mock.patch.object(GameState, "advance", advance):
        yield


@contextlib.contextmanager
def every_replayed_turn_earns_an_increment() -> Iterator[None]:
    """A player who undoes and replays the end of a turn again and again gains unlimited time."""
    original = GameState.undo

    def undo(self: GameState, count: int, at: datetime.datetime, by: Tribe | None = None) -> list[Event]:
        events = original(self, count, at, by)
        for tribe in self.paid:
            self.paid[tribe] = 0
        return events

    with mock.patch.object(GameState, "undo", undo):
        yield


@contextlib.contextmanager
def undone_decisions_earn_lag_compensation() -> Iterator[None]:
    """A player who reports lag, undoes a token and plays it again thinks for free."""
    with mock.patch.object(decide, "_has_undone", return_value=False):
        yield


@contextlib.contextmanager
def logs_have_no_bounds() -> Iterator[None]:
    """Offers and undos make the log of a game grow without limit."""
    with mock.patch.object(decide, "MOST_TAKEBACKS", 10**9), mock.patch.object(decide, "MOST_UNDOS", 10**9):
        yield


@contextlib.contextmanager
def clocks_follow_the_wall_clock() -> Iterator[None]:
    """Setting the system clock stops game clocks or ends games. Also disables the code that would correct the time."""
    with (
        mock.patch.object(ProcessClock, "__call__", lambda self: self.wall()),
        mock.patch.object(ServerTime, "align"),
        mock.patch.object(ServerTime, "is_frozen", property(lambda _: False)),
        mock.patch.object(Downtimes, "slow_commit"),
    ):
        yield


@contextlib.contextmanager
def no_clock_runs_while_a_draw_waits() -> Iterator[None]:
    """A player who withholds a link for a sealed draw stops the game for good."""
    with mock.patch.object(GameState, "_awaited", lambda self, decider: decider):
        yield


REGRESSIONS: Final[Mapping[str, tuple[str, Callable[[], AbstractContextManager[None]]]]] = {
    "offers make decisions stale": ("an honest player can move", offers_make_decisions_stale),
    "every replayed turn earns an increment": ("one increment per turn", every_replayed_turn_earns_an_increment),
    "undone decisions earn lag compensation": ("one increment per turn", undone_decisions_earn_lag_compensation),
    "logs have no bounds": ("logs are bounded", logs_have_no_bounds),
    "clocks follow the wall clock": ("every game with a clock ends", clocks_follow_the_wall_clock),
    "no clock runs while a draw waits": ("every game with a clock ends", no_clock_runs_while_a_draw_waits),
}
"""For each old fault: the invariant that it violates, and the context manager that reintroduces it."""


def finds(name: str, seed: int) -> bool:
    """Whether a seed detects an old fault once the fault is reintroduced."""
    invariant, regression = REGRESSIONS[name]
    with regression():
        return any(line.startswith(invariant) for line in simulate(seed).broken)


def first_seed(name: str, seeds: int) -> int | None:
    """The first seed below ``seeds`` that detects an old fault; ``None`` if none does."""
    return next((seed for seed in range(seeds) if finds(name, seed)), None)
