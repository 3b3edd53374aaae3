"""Clocks and pondering in the protocol, and how the time of a game is divided."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.engine import Clock, Limit
from cairn.vocabulary import FOREST, SEA
from tests.engine.test_protocol import GUARD, POSITION, Driver, position


@given(left=st.integers(0, 10**8), increment=st.integers(0, 10**6))
def test_a_decision_never_uses_more_than_is_left(left: int, increment: int) -> None:
    most, wanted = Clock(left, 0, increment, 0).budget(FOREST)
    assert 1 <= wanted <= most <= max(1, left)
    assert Clock(0, left, 0, increment).budget(SEA) == (most, wanted)


def test_a_movetime_limits_a_clock_further() -> None:
    assert Limit(movetime_ms=7, clock=Clock(60_000, 60_000)).budget(FOREST)[0] == 7


@pytest.mark.parametrize("words", ["ftime 200 stime 1", "ftime 1 stime 1", "ftime 0 stime 0 finc 5 sinc 5"])
def test_a_clock_limits_a_search(words: str) -> None:
    began = time.monotonic()
    Driver().go(words)
    assert time.monotonic() - began < GUARD / 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("ftime 100", "stime is missing"),
        ("finc 5", "ftime is missing"),
        ("ftime -1 stime 5", "expected a whole number after ftime"),
        ("ponder infinite", "exclude each other"),
        ("ponder ponder", "appears twice"),
    ],
)
def test_a_faulty_clock_is_one_error(words: str, reason: str) -> None:
    (answer,) = Driver().ask(f"go {words}")
    assert answer.startswith("error go: ")
    assert reason in answer


def test_pondering_waits_for_the_expected_token() -> None:
    driver = Driver()
    assert driver.ask("setoption name Ponder value 1") == []
    assert driver.ask("go depth 6") == []
    while not (line := driver.output.get(timeout=GUARD)).startswith("bestmove"):
        pass
    _, token, word, reply = line.split()
    assert word == "ponder"
    assert driver.ask(position(POSITION, [token, reply])) == []

    # Without ponderhit, a pondering search does not answer, even if it has reached its depth.
    assert driver.ask("go ponder depth 2 ftime 100 stime 100") == []
    while not driver.output.get(timeout=GUARD).startswith("info depth 2"):
        pass
    time.sleep(0.2)
    assert driver.output.empty()
    assert driver.ask("ponderhit") == []
    assert driver.output.get(timeout=GUARD).startswith("bestmove ")
    assert driver.ask("ponderhit") == ["error ponderhit: the engine is not pondering"]


def test_a_hit_starts_the_clock_and_a_stop_ends_pondering() -> None:
    driver = Driver()
    assert driver.ask("go ponder ftime 300 stime 300") == []
    time.sleep(0.5)
    assert not any(line.startswith("bestmove") for line in list(driver.output.queue))
    assert driver.ask("ponderhit") == []
    driver.until_best()
    assert driver.ask("go ponder ftime 300 stime 300") == []
    assert driver.ask("stop") == []
    driver.until_best()
