"""Garbage is collected on a timer while a server is running, and by Python's own rules before and after."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from cairn.server.speedups import gc_schedule

pytestmark = pytest.mark.anyio


class Knot:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.self = self


async def until_gone(knot: weakref.ref[Knot]) -> None:
    async with asyncio.timeout(10):
        while knot() is not None:
            await asyncio.sleep(0.01)


async def test_young_cycles_are_collected_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_schedule, "YOUNG_SECONDS", 0.01)
    async with gc_schedule.scheduled_gc():
        assert not gc.isenabled()
        await until_gone(weakref.ref(Knot()))
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


async def test_cycles_of_frozen_objects_are_collected_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such cycles arise, for example, when a socket closes after an hour."""
    for name, value in (("YOUNG_SECONDS", 0.001), ("FULL_SECONDS", 0.2), ("FULL_SHARE", 1)):
        monkeypatch.setattr(gc_schedule, name, value)
    async with gc_schedule.scheduled_gc():
        knot = Knot()
        await asyncio.sleep(0.05)
        assert not any(each is knot for each in gc.get_objects()), "the object was not frozen"
        gone = weakref.ref(knot)
        del knot
        await until_gone(gone)
