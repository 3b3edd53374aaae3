"""When Python looks for cycles among its objects: by the clock, often among the new ones and seldom among all.

Left to itself, Python counts how many more objects were made than let go. Where games end as fast as others begin, that
takes long, and then everything that was made in between is looked at: a tenth of a second in which nobody is answered.
By the clock the same is done in pieces of some milliseconds. A look at all objects cannot be divided: the longer it
takes, the longer it is until the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import time
from collections.abc import AsyncIterator
from typing import Final

NEW_SECONDS: Final = 0.25
"""From one look at the newest objects to the next."""
NEW_LOOKS: Final = 4
"""Every so many looks go further, to the objects that the last ones left."""
ALL_SECONDS: Final = 60.0
"""From one look at all objects to the next, at least."""
ALL_SHARE: Final = 1 / 1_000
"""Of the time that looks at all objects may take."""


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
    all_at = time.monotonic() + ALL_SECONDS
    for look in itertools.count(1):
        await asyncio.sleep(NEW_SECONDS)
        began = time.monotonic()
        if began >= all_at:
            gc.collect()
            ended = time.monotonic()
            all_at = ended + max(ALL_SECONDS, (ended - began) / ALL_SHARE)
        else:
            gc.collect(1 if look % NEW_LOOKS == 0 else 0)
