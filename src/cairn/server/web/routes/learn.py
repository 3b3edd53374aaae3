"""The boards on the rules pages and in the gallery."""

from __future__ import annotations

import asyncio
from typing import Final

from cairn.server.messages.games import LineView
from cairn.server.web import lessons
from cairn.server.web.dependencies import api_router

router: Final = api_router("/api/learn", "learn")


@router.get("/lines")
async def learn_lines() -> dict[str, LineView]:
    """All lines shown on the rules pages and in the gallery, by name."""
    return await asyncio.to_thread(lessons.lines)
