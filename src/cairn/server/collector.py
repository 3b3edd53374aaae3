"""When Python looks for cycles among its objects: by the clock, soon after they were made, and seldom among all.

Left to itself, Python counts how many more objects were made than let go. Where games end as fast as others begin, that
takes long, and then everything that was made in between is looked at: a tenth of a second in which nobody is answered.
And what lives on is looked at again and again. By the clock it is done in pieces of some milliseconds, and what lives
on is set aside: it goes when nothing needs it any more, as almost everything does. Cycles that are made of it later
wait for a look at all objects. That cannot be divided: the longer it takes, the longer it is until the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator
from typing import Final

NEW_SECONDS: Final = 2.0
"""From one look at the newest objects to the next."""
ALL_SECONDS: Final = 60.0
"""From one look at all objects to the next, at least."""
ALL_SHARE: Final = 1 / 1_000
"""Of the time that looks at all objects may take."""


@contextlib.asynccontextmanager
async def by_the_clock() -> AsyncIterator[None]:
    """Meanwhile cycles are looked for so."""
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
    while True:
        await asyncio.sleep(NEW_SECONDS)
        began = time.monotonic()
        if began >= all_at:
            gc.unfreeze()
            gc.collect()
            ended = time.monotonic()
            all_at = ended + max(ALL_SECONDS, (ended - began) / ALL_SHARE)
        else:
            gc.collect(0)
        gc.freeze()
