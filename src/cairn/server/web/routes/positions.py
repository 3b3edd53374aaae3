"""Positions without a game, for the editor and shared links."""

from __future__ import annotations

import asyncio
from typing import Final

from cairn.board import Board
from cairn.server.errors import malformed, refused_token
from cairn.server.messages.games import Line, PositionQuery
from cairn.server.messages.views import line
from cairn.server.web.dependencies import api_router
from cairn.vocabulary import CairnError, MalformedError

router: Final = api_router("/api/positions", "positions")


@router.post("/line")
async def get_line(query: PositionQuery) -> Line:
    """Play tokens from a position. Returns their steps and the choices that follow."""
    return await asyncio.to_thread(_line, query)


def _line(query: PositionQuery) -> Line:
    try:
        board = Board(query.position)
    except MalformedError as error:
        raise malformed(error, "Not a valid position") from None
    try:
        return line(board, query.tokens)
    except CairnError as error:
        raise refused_token(error) from None
