"""Whether the server works."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

import cairn
from cairn.server.models import Health
from cairn.server.routes.common import PROBLEMS

router: Final = APIRouter(prefix="/api", tags=["server"], responses=PROBLEMS)


@router.get("/health")
async def health() -> Health:
    """Answers as long as the server does."""
    return Health(version=cairn.__version__)
