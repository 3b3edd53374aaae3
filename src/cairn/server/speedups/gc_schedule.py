"""Run the garbage collector on a timer, in small steps.

By default, Python starts a collection after a certain number of net allocations. When games end as fast as new ones
begin, it takes a long time to reach that number. The collection then examines everything allocated in between, which
takes up to 130 ms, and nobody is served during that time. On a timer, each collection of young objects takes a few
milliseconds, and survivors are frozen, so they are not examined again. A full collection still finds cycles among the
survivors. It cannot be split up, so the longer it takes, the less often it runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator
from typing import Final

YOUNG_SECONDS: Final = 2.0
"""The time between collections of young objects."""
FULL_SECONDS: Final = 300.0
"""The shortest time between full collections. With 500 games, a full collection blocks the server for half a second."""
FULL_SHARE: Final = 1 / 1_000
"""The largest share of the time that full collections may take."""


@contextlib.asynccontextmanager
async def scheduled_gc() -> AsyncIterator[None]:
    """Collect garbage on a timer instead of by allocation count."""
    gc.freeze()
    gc.disable()
    collecting = asyncio.create_task(_collect(), name="garbage collection")
    try:
        yield
    finally:
        collecting.cancel()
        gc.enable()
        gc.unfreeze()


async def _collect() -> None:
    full_at = time.monotonic() + FULL_SECONDS
    while True:
        await asyncio.sleep(YOUNG_SECONDS)
        began = time.monotonic()
        if began >= full_at:
            gc.unfreeze()
            gc.collect()
            ended = time.monotonic()
            full_at = ended + max(FULL_SECONDS, (ended - began) / FULL_SHARE)
        else:
            gc.collect(0)
        gc.freeze()
