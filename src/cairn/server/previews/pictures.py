"""Pictures of positions for link previews.

A separate process draws them, because the drawing library holds the interpreter lock while it draws.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import sys
from typing import Final

from cairn.server.errors import Refusal
from cairn.server.game.names import TribeName
from cairn.server.players.limits import TooMany

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

        Raises :class:`TooMany` if many pictures are waiting, and :class:`Refusal` if the position cannot be drawn, as
        before the starting position of a game with sealed draws is known.
        """
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
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            picture, _ = await process.communicate(f"{position}\n{winner or ''}".encode())
    except TimeoutError:
        picture = b""
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    if process.returncode or not picture:
        raise Refusal(404, "no-picture", "There is no picture of this position.")
    return picture
