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
    """Every line that the rules and the gallery show, by its name."""
    return await asyncio.to_thread(lessons.lines)
