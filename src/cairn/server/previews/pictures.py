"""Pictures of positions for link previews.

A separate process draws them, because the drawing library holds the interpreter lock while it draws.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
import sys
from typing import Final

from cairn.fairness import UNKNOWN_START
from cairn.server.errors import Refusal
from cairn.server.game.names import TribeName
from cairn.server.players.limits import TooMany

_log: Final = logging.getLogger("cairn.server")

MOST_KEPT: Final = 32
"""How many pictures to keep. Each takes about 200 kB."""
MOST_WAITING: Final = 4
LONGEST_SECONDS: Final = 20


class Pictures:
    """Draws one picture at a time and keeps the latest ones."""

    def __init__(self) -> None:
        self._kept: Final[collections.OrderedDict[tuple[str, TribeName | None], bytes]] = collections.OrderedDict()
        self._drawing: Final = asyncio.Lock()
        self._waiting = 0

    def kept(self, position: str, winner: TribeName | None) -> bytes | None:
        """The picture, if it has been drawn lately."""
        return self._kept.get((position, winner))

    async def draw(self, position: str, winner: TribeName | None) -> bytes:
        """The picture as PNG.

        Raises :class:`TooMany` if many pictures are waiting, and :class:`Refusal` if there is nothing to draw yet,
        because the draws are sealed and the starting position is not known, or if drawing fails.
        """
        if position == UNKNOWN_START:
            raise Refusal(404, "no-picture", "There is no picture of this game before it starts.")
        if self._waiting >= MOST_WAITING:
            raise TooMany(5)
        self._waiting += 1
        try:
            async with self._drawing:
                found = self.kept(position, winner) or await _drawn(position, winner)
        finally:
            self._waiting -= 1
        self._kept[position, winner] = found
        self._kept.move_to_end((position, winner))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found


async def _drawn(position: str, winner: TribeName | None) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cairn.svg.png"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            picture, errors = await process.communicate(f"{position}\n{winner or ''}".encode())
    except TimeoutError:
        picture, errors = b"", b"it took too long"
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    if process.returncode or not picture:
        reason = errors.decode(errors="replace").strip().rpartition("\n")[2]
        _log.error("A picture of %s could not be drawn: %s", position, reason)
        raise Refusal(503, "no-picture", "The picture could not be drawn.")
    return picture
