"""Storage in virtual time, where an outage of several hours takes no real time."""

from __future__ import annotations

import asyncio
import collections
import random

import pytest

from cairn.server.errors import ConnectionLostError
from cairn.server.game.events import TokenPlayed
from cairn.server.storage.engines.append import Append
from cairn.server.storage.engines.database import Database
from cairn.server.storage.engines.group_commit import PATIENCE_SECONDS
from harness.simulation import database
from harness.simulation.database import DatabaseFaults, SimulatedBackend, Store
from harness.simulation.loop import run
from tests.server.test_database import standing


@pytest.mark.slow
def test_an_append_gives_up_on_a_database_that_stays_unreachable() -> None:
    async def append() -> float:
        store = Store(random.Random(1), DatabaseFaults(away=True), collections.Counter())
        opened = Database(SimulatedBackend(store, "here"))
        with pytest.raises(ConnectionLostError):
            await opened.commits.append(Append("game", 1, [TokenPlayed("a1-a2")], standing(1)))
        return asyncio.get_running_loop().time()

    database.prepare()
    assert PATIENCE_SECONDS <= run(append) < PATIENCE_SECONDS + 1
