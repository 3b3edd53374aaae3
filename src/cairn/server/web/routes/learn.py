"""The boards of the rules and of the gallery."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter

from cairn.server.messages.games import Line
from cairn.server.web import lessons
from cairn.server.web.dependencies import PROBLEMS

router: Final = APIRouter(prefix="/api/learn", tags=["learn"], responses=PROBLEMS)


@router.get("/lines")
async def learn_lines() -> dict[str, Line]:
    """All lines that the rules pages and the gallery show, by name."""
    return await asyncio.to_thread(lessons.lines)
