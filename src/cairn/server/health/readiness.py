"""Check whether the database accepts writes. A write less than a second ago counts as proof."""

from __future__ import annotations

import asyncio
from typing import Final

from cairn.server.errors import ConnectionLostError, StorageError
from cairn.server.storage import migrations
from cairn.server.storage.engines.database import Database

FRESH_SECONDS: Final = 1.0
"""How long a successful write counts as proof."""
PATIENCE_SECONDS: Final = 2.5
"""How long a request waits for the proof."""


class Readiness:
    """Proves on demand that the database accepts writes. Concurrent requests share one write."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database
        self._proving: asyncio.Task[str | None] | None = None
        self._version: str | None = None
        self._proved = float("-inf")
        self._problem: StorageError | None = None

    async def require(self) -> str | None:
        """Prove that the database accepts writes, and return its schema version. Raises :class:`StorageError`."""
        if asyncio.get_running_loop().time() - self._proved < FRESH_SECONDS:
            return self._version
        if self._proving is None:
            self._proving = asyncio.create_task(self._prove(), name="proof that the database accepts writes")
            # Retrieve the error even if nobody is waiting for it anymore.
            self._proving.add_done_callback(lambda task: task.cancelled() or task.exception())
        proving = self._proving
        # Do not cancel the task: while the database is hanging, cancelling takes as long as waiting.
        await asyncio.wait([proving], timeout=PATIENCE_SECONDS)
        if proving.done():
            return proving.result()
        raise self._problem or ConnectionLostError(f"A write did not complete within {PATIENCE_SECONDS} seconds.")

    def close(self) -> None:
        """Stop waiting for the database."""
        if self._proving:
            self._proving.cancel()

    async def _prove(self) -> str | None:
        try:
            await self._database.prove_writable()
            self._version = await self._database.read(migrations.version_in)
            self._proved, self._problem = asyncio.get_running_loop().time(), None
        except StorageError as error:
            self._problem = error
            raise
        finally:
            self._proving = None
        return self._version
