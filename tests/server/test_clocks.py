"""Clocks: whose clock runs, and who gains or loses time."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn import CHANCE, FOREST, SEA, Game, Phase, Tribe
from cairn.server.game.clocks import (
    DAY,
    LAG_CAP,
    MINUTE,
    SECOND,
    Clock,
    Correspondence,
    Flag,
    RealTime,
    TimeControl,
    control_from_json,
    control_to_json,
)
from cairn.vocabulary import TRIBES, Decider

FIVE_THREE = RealTime(5 * MINUTE, 3 * SECOND)
THREE_DAYS = Correspondence(3)

real_times = st.builds(RealTime, st.integers(1, 20 * MINUTE), st.integers(0, MINUTE))
correspondences = st.builds(Correspondence, st.integers(1, 14))
controls: st.SearchStrategy[TimeControl] = st.one_of(real_times, correspondences, st.none())
deciders: st.SearchStrategy[Decider] = st.sampled_from((FOREST, SEA, CHANCE))
tribes = st.sampled_from(TRIBES)
times = st.integers(0, 2**43)


@dataclasses.dataclass(frozen=True)
class Decision:
    """A decision that takes ``thought`` ms; ``decider`` decides next."""

    thought: int
    decider: Decider
    turn_ended_by: Tribe | None
    pause: int = 0
    """The length of a server outage that begins halfway through ``thought``, in ms."""


decisions = st.builds(
    Decision, st.integers(0, 2 * MINUTE), deciders, st.one_of(st.none(), tribes), st.sampled_from((0, 0, 1, 10 * DAY))
)
games = st.lists(decisions, max_size=30)


def play(clock: Clock, now: int, course: Sequence[Decision]) -> tuple[Clock, int, list[Decision]]:
    """Play a game up to the first fallen flag; return the clock, the time, and the decisions until then."""
    done = []
    for each in course:
        half = each.thought // 2
        later = now + each.thought
        if clock.flag(later):
            break
        if each.pause:
            clock = clock.paused(now + half).resumed(now + half + each.pause)
            later += each.pause
        clock, now = clock.decided(later, each.decider, each.turn_ended_by), later
        done.append(each)
    return clock, now, done


def stored(clock: Clock) -> dict[Tribe, int]:
    return {FOREST: clock.forest, SEA: clock.sea}


# --- Properties


@given(real_times, deciders, times, games)
def test_time_is_conserved(control: RealTime, first: Decider, now: int, course: list[Decision]) -> None:
    clock, now, done = play(Clock.start(control, first, now), now, course)
    used, gained = dict.fromkeys(TRIBES, 0), dict.fromkeys(TRIBES, 0)
    decider = first
    for each in done:
        if isinstance(decider, Tribe):
            used[decider] += each.thought
        if each.turn_ended_by:
            gained[each.turn_ended_by] += control.increment
        decider = each.decider
    for tribe in TRIBES:
        assert clock.left(tribe, now) == control.initial + gained[tribe] - used[tribe]


@given(controls, deciders, times, games)
def test_pauses_cost_no_time(control: TimeControl, first: Decider, now: int, course: list[Decision]) -> None:
    start = Clock.start(control, first, now)
    with_pauses, _, done = play(start, now, course)
    without, _, same = play(start, now, [dataclasses.replace(each, pause=0) for each in course])
    assert len(done) == len(same)
    assert stored(with_pauses) == stored(without)
    assert with_pauses.running == without.running


@given(controls, deciders, times, games, st.integers(0, 10 * MINUTE))
def test_nobody_gains_time_from_the_opponents_decisions(
    control: TimeControl, first: Decider, now: int, course: list[Decision], thought: int
) -> None:
    clock, now, _ = play(Clock.start(control, first, now), now, course)
    if clock.flag(now + thought):
        return
    for tribe in TRIBES:
        after = stored(clock.decided(now + thought, tribe.enemy, turn_ended_by=None))
        used = thought if control and clock.running is tribe else 0
        assert after[tribe] == stored(clock)[tribe] - used
        if isinstance(control, RealTime):
            ended = stored(clock.decided(now + thought, tribe.enemy, turn_ended_by=tribe.enemy))
            assert ended[tribe] == after[tribe]


@given(correspondences, deciders, times, games)
def test_each_turn_begins_with_the_full_time_and_never_gets_more(
    control: Correspondence, first: Decider, now: int, course: list[Decision]
) -> None:
    clock, now, done = play(Clock.start(control, first, now), now, course)
    assert max(stored(clock).values()) <= control.days * DAY
    if done and done[-1].turn_ended_by:
        assert stored(clock) == dict.fromkeys(TRIBES, control.days * DAY)


@given(controls, deciders, times, games, st.integers(0, 40 * DAY), st.integers(0, 40 * DAY), st.integers(-50, 2_000))
def test_a_fallen_flag_stays_fallen(
    control: TimeControl, first: Decider, now: int, course: list[Decision], wait: int, more: int, lag: int
) -> None:
    clock, now, _ = play(Clock.start(control, first, now), now, course)
    at = now + wait
    fallen = clock.flag(at, lag)
    if fallen is None:
        clock.decided(at, CHANCE, lag=lag)  # still in time: raises no error
    else:
        assert fallen.loser is clock.running
        assert fallen.at <= at
        assert clock.flag(at + more, lag) == fallen
        assert clock.flag(fallen.at - 1, lag) is None
        with pytest.raises(ValueError, match=f"{fallen.loser.value}'s time ran out at {fallen.at}"):
            clock.decided(at, CHANCE, lag=lag)
    if clock.running and control:
        assert (clock.left(clock.running, at) == 0) == (clock.flag(at) is not None)


@given(real_times, times, st.integers(0, 10 * MINUTE), st.integers(-1_000, 10 * MINUTE))
def test_lag_is_forgiven_up_to_a_cap(control: RealTime, now: int, thought: int, lag: int) -> None:
    clock = Clock.start(control, FOREST, now)
    forgiven = max(0, min(lag, LAG_CAP))
    if thought - forgiven >= control.initial:
        assert clock.flag(now + thought, lag) == Flag(FOREST, now + control.initial + forgiven)
        return
    after = clock.decided(now + thought, SEA, lag=lag)
    assert after.forest == control.initial - max(0, thought - forgiven)
    assert after.sea == control.initial


@given(controls)
def test_a_time_control_survives_a_json_round_trip(control: TimeControl) -> None:
    assert control_from_json(json.loads(json.dumps(control_to_json(control)))) == control


@given(real_times, times, st.integers(0, 10 * MINUTE))
def test_the_computers_time_is_shown_but_never_runs_out(control: RealTime, now: int, thought: int) -> None:
    clock = Clock.start(control, FOREST, now, endless=FOREST)
    late = now + control.initial + thought
    assert (clock.deadline(), clock.flag(late), clock.left(FOREST, late)) == (None, None, 0)
    after = clock.decided(late, SEA, turn_ended_by=FOREST)
    assert (after.forest, after.sea, after.deadline()) == (control.increment, control.initial, late + control.initial)
    assert after.flag(late + control.initial) == Flag(SEA, late + control.initial)


# --- Whose clock runs


def test_the_clock_of_the_decider_runs_even_in_the_opponents_turn() -> None:
    """Forest moves one of Sea's shamans onto a megalith. Sea then uses the megalith's power, within Forest's turn."""
    game = Game("S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F")
    clock = Clock.start(FIVE_THREE, game.decider, now=0)
    now = 0
    course = []
    for token in ("a1-c3", "d5-d4", "c3~b3"):
        active = game.board.active
        game.push(token)
        now += 10 * SECOND
        clock = clock.decided(now, game.decider, active if game.phase is Phase.ACTION else None)
        course.append((clock.running, clock.forest, clock.sea))
    assert course == [
        (FOREST, 290_000, 300_000),
        (SEA, 280_000, 300_000),
        (SEA, 283_000, 290_000),  # Sea's decision ended Forest's turn, so Forest gets the increment
    ]


def test_chance_does_not_cost_time() -> None:
    clock = Clock.start(FIVE_THREE, FOREST, now=0).decided(1_000, CHANCE)
    assert (clock.running, clock.since, clock.deadline(), clock.is_paused) == (None, None, None, False)
    assert clock.flag(10**12) is None
    clock = clock.decided(500_000, SEA, turn_ended_by=FOREST)
    assert stored(clock) == {FOREST: 302_000, SEA: 300_000}


def test_an_extra_turn_earns_its_increment() -> None:
    clock = Clock.start(FIVE_THREE, FOREST, now=0).decided(1_000, FOREST, turn_ended_by=FOREST)
    assert (clock.running, clock.forest) == (FOREST, 302_000)


def test_a_whole_game_is_timed() -> None:
    """Every decision takes a second, so the time left shows how many decisions each tribe made."""
    rng, game, now = random.Random(4), Game.start("expert", seed=4), 0
    control = RealTime(60 * MINUTE)
    clock = Clock.start(control, game.decider, now)
    made = dict.fromkeys(TRIBES, 0)
    while game.outcome is None:
        if isinstance(game.decider, Tribe):
            made[game.decider] += 1
        active = game.board.active
        game.push(rng.choice(game.legal_moves))
        now += SECOND
        clock = clock.decided(now, game.decider, active if game.phase is Phase.ACTION else None)
    assert min(made.values()) > 5
    assert (clock.running, clock.since) == (None, None)
    assert stored(clock) == {tribe: control.initial - SECOND * made[tribe] for tribe in TRIBES}


def test_a_correspondence_clock_renews_both_times_at_the_end_of_a_turn() -> None:
    clock = Clock.start(THREE_DAYS, FOREST, now=0).decided(2 * DAY, SEA)  # Sea decides within Forest's turn
    assert clock.left(SEA, now=3 * DAY) == 2 * DAY
    clock = clock.decided(3 * DAY, FOREST)
    assert clock.deadline(lag=LAG_CAP) == 4 * DAY  # the rest of Forest's three days; correspondence ignores lag
    clock = clock.decided(4 * DAY - 1, SEA, turn_ended_by=FOREST)
    assert stored(clock) == {FOREST: 3 * DAY, SEA: 3 * DAY}
    assert clock.flag(7 * DAY - 1) == Flag(SEA, 7 * DAY - 1)


def test_nobody_loses_on_time_without_a_time_control() -> None:
    clock = Clock.start(None, FOREST, now=0).decided(1_000 * DAY, SEA, turn_ended_by=FOREST)
    assert clock.running is SEA
    assert clock.flag(10**15) is None
    assert clock.deadline() is None
    assert clock.left(SEA, 10**15) is None
    assert stored(clock) == {FOREST: 0, SEA: 0}


# --- Takebacks, pauses, ends


def test_a_takeback_does_not_restore_time() -> None:
    clock = Clock.start(FIVE_THREE, FOREST, now=0).decided(60_000, SEA, turn_ended_by=FOREST)
    undone = clock.undone(70_000, FOREST)
    assert undone.running is FOREST
    assert undone.since == 70_000
    assert stored(undone) == {FOREST: 243_000, SEA: 290_000}  # Sea used its own time to agree


def test_the_clock_stays_at_zero_after_a_takeback_if_the_time_was_up() -> None:
    undone = Clock.start(RealTime(1_000), FOREST, now=0).undone(1_001, SEA)
    assert (stored(undone), undone.running) == ({FOREST: 0, SEA: 1_000}, SEA)


def test_a_paused_clock_has_to_be_resumed_before_a_takeback() -> None:
    clock = Clock.start(RealTime(1_000), FOREST, now=0).paused(500)
    with pytest.raises(ValueError, match="the clock is paused"):
        clock.undone(600, SEA)


def test_a_crash_pauses_clocks_at_the_time_when_the_server_was_last_seen() -> None:
    clock = Clock.start(FIVE_THREE, FOREST, now=10_000)
    back = clock.paused(15_000).resumed(900_000)
    assert (back.forest, back.since, back.deadline()) == (295_000, 900_000, 1_195_000)
    # The server was last seen before the last decision was stored, so no time is charged or given.
    assert clock.paused(9_000).resumed(900_000).forest == 300_000


def test_a_paused_clock_does_not_run() -> None:
    paused = Clock.start(FIVE_THREE, SEA, now=0).paused(1_000)
    assert paused.is_paused
    assert paused.flag(10**12) is None
    assert paused.deadline() is None
    assert paused.left(SEA, now=10**12) == 299_000
    assert paused.paused(50_000) == paused
    with pytest.raises(ValueError, match="the clock is paused; resume it"):
        paused.decided(2_000, FOREST)
    running = paused.resumed(60_000)
    assert not running.is_paused
    assert running.resumed(70_000) == running


def test_a_pause_while_chance_decides_changes_nothing() -> None:
    clock = Clock.start(FIVE_THREE, CHANCE, now=0)
    assert clock.paused(5_000) == clock
    assert clock.resumed(9_000) == clock


def test_the_time_left_is_kept_when_a_game_ends() -> None:
    clock = Clock.start(FIVE_THREE, SEA, now=0)
    assert clock.stopped(100_000) == Clock(FIVE_THREE, 300_000, 200_000, None, None)
    assert stored(clock.stopped(10**9)) == {FOREST: 300_000, SEA: 0}
    assert stored(clock.paused(1_000).stopped(10**9)) == {FOREST: 300_000, SEA: 299_000}


def test_no_time_is_charged_if_the_system_clock_was_set_back() -> None:
    clock = Clock.start(FIVE_THREE, FOREST, now=50_000).decided(40_000, SEA, turn_ended_by=FOREST)
    assert stored(clock) == {FOREST: 303_000, SEA: 300_000}
    assert clock.left(SEA, now=45_000) == 295_000
    assert clock.left(SEA, now=30_000) == 300_000


# --- Invalid values


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: RealTime(0), "the initial time must be 1 to"),
        (lambda: RealTime(25 * 60 * MINUTE), "the initial time must be 1 to 86400000 ms, not 90000000"),
        (lambda: RealTime(1, -1), "the increment must be 0 to 600000 ms, not -1"),
        (lambda: Correspondence(0), "the time per turn must be 1 to 30 days, not 0"),
        (lambda: Correspondence(31), "the time per turn must be 1 to 30 days, not 31"),
        (lambda: Clock(FIVE_THREE, -1, 0, None, None), "times must not be negative"),
        (lambda: Clock(FIVE_THREE, 1, 1, None, 0), "since must be None while no tribe has to decide, not 0"),
        (lambda: control_from_json({"kind": "sand"}), "unknown kind of time control: 'sand'"),
        (lambda: control_from_json({"kind": "correspondence"}), "expected kind, days, not kind"),
        (lambda: control_from_json({"kind": "correspondence", "days": 1.5}), "a time must be a whole number, not 1.5"),
        (lambda: control_from_json({"kind": "correspondence", "days": True}), "a time must be a whole number, not T"),
    ],
)
def test_invalid_values_are_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()
