"""Cycles are looked for by the clock while a server runs, and by Python itself before and after."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from cairn.server.speedups import gc_schedule as collector

pytestmark = pytest.mark.anyio


class Knot:
    """Holds itself."""

    def __init__(self) -> None:
        self.self = self


async def until_gone(knot: weakref.ref[Knot]) -> None:
    async with asyncio.timeout(10):
        while knot() is not None:
            await asyncio.sleep(0.01)


async def test_new_cycles_are_found_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "NEW_SECONDS", 0.01)
    async with collector.by_the_clock():
        assert not gc.isenabled()
        await until_gone(weakref.ref(Knot()))
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


async def test_cycles_of_what_was_there_long_are_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a socket that closes after an hour."""
    for name, value in (("NEW_SECONDS", 0.001), ("ALL_SECONDS", 0.2), ("ALL_SHARE", 1)):
        monkeypatch.setattr(collector, name, value)
    async with collector.by_the_clock():
        knot = Knot()
        await asyncio.sleep(0.05)
        assert not any(each is knot for each in gc.get_objects()), "it was set aside"
        gone = weakref.ref(knot)
        del knot
        await until_gone(gone)
