"""The boards of the rules and of the gallery."""

from __future__ import annotations

import asyncio
from typing import Final

from cairn.server.messages.games import Line
from cairn.server.web import lessons
from cairn.server.web.dependencies import api_router

router: Final = api_router("/api/learn", "learn")


@router.get("/lines")
async def learn_lines() -> dict[str, Line]:
    """All lines that the rules pages and the gallery show, by name."""
    return await asyncio.to_thread(lessons.lines)
