"""When Python looks for cycles among its objects: by the clock, often among the new ones and rarely among all.

Left to itself, Python counts how many more objects were made than let go. Where games end as fast as others begin, that
takes long, and then everything that was made in between is looked at: a tenth of a second in which nobody is answered.
By the clock the same is done in pieces of a few milliseconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
from collections.abc import AsyncIterator
from typing import Final

NEW_SECONDS: Final = 0.25
"""So often the newest objects are looked at."""
YOUNG_EVERY: Final = 4
"""So often, of these times, those that were new not long ago are, too."""
ALL_EVERY: Final = 2_400
"""And so often all; for hundreds of games that takes some tenths of a second."""


@contextlib.asynccontextmanager
async def by_the_clock() -> AsyncIterator[None]:
    """Meanwhile cycles are looked for so. What is there already stays, and is not looked at."""
    gc.freeze()
    gc.disable()
    looking = asyncio.create_task(_look_again(), name="looking for cycles")
    try:
        yield
    finally:
        looking.cancel()
        gc.enable()
        gc.unfreeze()


async def _look_again() -> None:
    for time in itertools.count(1):
        await asyncio.sleep(NEW_SECONDS)
        gc.collect(2 if time % ALL_EVERY == 0 else 1 if time % YOUNG_EVERY == 0 else 0)
