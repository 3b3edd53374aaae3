"""The event loop with virtual time."""

from __future__ import annotations

import asyncio
import time

import pytest

from harness.simulation.loop import Stuck, run


def test_time_is_virtual() -> None:
    async def sleep() -> float:
        await asyncio.sleep(86_400)
        return asyncio.get_running_loop().time()

    began = time.monotonic()
    assert run(sleep) == 86_400
    assert time.monotonic() - began < 60


def test_timers_for_the_same_time_run_in_the_order_in_which_they_were_set() -> None:
    ran = list[int]()

    async def set_timers() -> None:
        for number in range(100):
            asyncio.get_running_loop().call_at(1.0, ran.append, number)
        await asyncio.sleep(2)

    run(set_timers)
    assert ran == list(range(100))


def test_a_cancelled_timer_neither_runs_nor_advances_the_time() -> None:
    async def cancel() -> float:
        loop = asyncio.get_running_loop()
        loop.call_later(5, lambda: pytest.fail("the cancelled timer ran")).cancel()
        loop.call_later(10, lambda: None)
        await asyncio.sleep(1)
        return loop.time()

    assert run(cancel) == 1


def test_a_deadlock_is_an_error() -> None:
    async def wait() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(Stuck):
        run(wait)


def test_an_unhandled_error_in_a_callback_fails_the_run() -> None:
    async def forget() -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(1)

    with pytest.raises(AssertionError, match="not handled"):
        run(forget)
