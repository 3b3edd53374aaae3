"""Stopping background tasks."""

from __future__ import annotations

import asyncio

import pytest

from cairn.server.tasks import cancel_and_wait

pytestmark = pytest.mark.anyio


async def test_cancel_and_wait_returns_when_every_task_has_ended() -> None:
    ended, started = list[str](), asyncio.Semaphore(0)

    async def slow_to_stop(name: str) -> None:
        try:
            started.release()
            await asyncio.Event().wait()
        finally:
            for _ in range(3):
                await asyncio.sleep(0)
            ended.append(name)

    tasks = [asyncio.create_task(slow_to_stop(name)) for name in ("one", "two")]
    for _ in tasks:
        await started.acquire()
    await cancel_and_wait([tasks[0], None, tasks[1]])
    assert sorted(ended) == ["one", "two"]
    assert all(task.cancelled() for task in tasks)


async def test_a_task_that_has_failed_does_not_keep_others_running() -> None:
    async def fail() -> None:
        raise ValueError

    failed, running = asyncio.create_task(fail()), asyncio.create_task(asyncio.Event().wait())
    await asyncio.wait([failed])
    await cancel_and_wait([failed, running])
    assert running.cancelled()


async def test_cancel_and_wait_does_not_swallow_the_cancellation_of_its_caller() -> None:
    started = asyncio.Event()

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            started.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    closing = asyncio.create_task(cancel_and_wait([task]))
    await started.wait()
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
