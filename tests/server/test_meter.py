"""CPU time is attributed to the request that used it, and to no other."""

from __future__ import annotations

import asyncio
import time

import pytest

from cairn.server.meter import Meter, in_thread

pytestmark = pytest.mark.anyio

LONG = 0.05


def work(seconds: float) -> None:
    """Use the given amount of CPU time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def test_only_the_steps_of_the_metered_request_count() -> None:
    """Two requests take turns on the same thread, and one of them does ten times as much work."""
    turn = asyncio.Event()

    async def busy() -> None:
        for _ in range(5):
            work(LONG)
            turn.set()
            await asyncio.sleep(0)

    async def idle() -> None:
        for _ in range(5):
            await turn.wait()
            turn.clear()
            work(LONG / 10)
            await asyncio.sleep(0)

    busy_meter, idle_meter = Meter(), Meter()
    await asyncio.gather(busy_meter.run(busy()), idle_meter.run(idle()))
    assert busy_meter.take() >= 5 * LONG
    assert LONG / 2 <= idle_meter.take() < 2 * LONG


async def test_taking_the_time_resets_it_even_in_the_middle_of_a_step() -> None:
    meter, taken = Meter(), list[float]()

    async def request() -> None:
        work(LONG)
        taken.append(meter.take())
        taken.append(meter.take())
        work(LONG)

    await meter.run(request())
    taken.append(meter.take())
    assert taken[0] >= LONG
    assert taken[1] < LONG / 2
    assert LONG <= taken[2] < 2 * LONG


async def test_work_on_another_thread_counts_even_if_it_fails() -> None:
    def fail() -> None:
        work(LONG)
        raise ValueError("no")

    async def request() -> None:
        await in_thread(work, LONG)
        await asyncio.create_task(in_thread(work, LONG))  # a task inherits the meter
        with pytest.raises(ValueError, match="no"):
            await in_thread(fail)

    meter = Meter()
    await meter.run(request())
    assert meter.take() >= 3 * LONG
    assert await in_thread(lambda: 7) == 7  # works without a meter


async def test_results_errors_and_cancellations_pass_through() -> None:
    async def waiting(cleaned: list[str]) -> None:
        try:
            await asyncio.sleep(3_600)
        finally:
            await asyncio.sleep(0)
            cleaned.append("yes")

    async def failing() -> None:
        await asyncio.sleep(0)
        raise KeyError("a")

    assert await Meter().run(asyncio.sleep(0, "result")) == "result"
    with pytest.raises(KeyError):
        await Meter().run(failing())
    cleaned: list[str] = []
    task = asyncio.create_task(Meter().run(waiting(cleaned)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned == ["yes"]
