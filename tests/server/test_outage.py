"""An outage of PostgreSQL pauses every running clock exactly once, no matter how long it takes to store the pauses."""

from __future__ import annotations

import dataclasses

import pytest

from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.server.outage import restart_database
from harness.server.postgresql import programs, running_postgres

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.proof]


@pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed")
async def test_an_outage_pauses_every_clock_once(settings: Settings) -> None:
    # If the 40 pauses were committed one by one, they would take two seconds: long enough to miss heartbeats.
    with running_postgres(safe=True) as server:
        shared = dataclasses.replace(settings, database=server.new_database(), limits=NO_LIMITS, public=True)
        outcome = await restart_database(shared, server, games=40, commit_delay=0.05)
    assert outcome.faults == []
    assert (outcome.pauses, outcome.downtimes) == (40, 1)
