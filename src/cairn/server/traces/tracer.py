"""Record traces in memory and in files."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

from cairn.server.traces.files import TraceWriter
from cairn.server.traces.recent import RecentTraffic
from cairn.server.traces.trace import Trace

_log: Final = logging.getLogger("cairn.server")


class Tracer:
    """Records the traces of this process."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.recent: Final = RecentTraffic(now)
        self._writer: TraceWriter | None = None

    @property
    def dropped(self) -> int:
        """How many traces are missing from the files."""
        return self._writer.dropped if self._writer else 0

    def record(self, trace: Trace, *, write: bool) -> None:
        """Count a trace and, with ``write``, write it to the files."""
        self.recent.add(trace)
        if write and self._writer:
            self._writer.put(trace)

    @contextlib.asynccontextmanager
    async def writing(
        self, folder: Path, process: str, *, most_bytes: int, files: int, days: int
    ) -> AsyncIterator[None]:
        """Write traces to a folder during the block. If that fails, log it and keep the traces in memory only."""
        try:
            self._writer = TraceWriter(folder, process, most_bytes=most_bytes, files=files, days=days)
        except OSError as error:
            _log.warning("cannot write traces to %s: %s", folder, error)
        try:
            yield
        finally:
            writer, self._writer = self._writer, None
            if writer:
                await asyncio.to_thread(writer.stop)
                writer.release()
