"""The explorer: what was played at a moment in the finished games of this server, and how it scored."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Query
from starlette.requests import Request

from cairn.board import Board
from cairn.server.errors import malformed, refused_token
from cairn.server.game.names import VariantName
from cairn.server.messages.games import ExplorationView, ExplorerQuery, ExplorerSummary
from cairn.server.players.workload import LINE_TOKEN, workload_of
from cairn.server.web.dependencies import ServicesDep, api_router
from cairn.vocabulary import CairnError, MalformedError

router: Final = api_router("/api/explorer", "explorer")


@router.post("/moment")
async def explore(query: ExplorerQuery, request: Request, services: ServicesDep) -> ExplorationView:
    """What was played after some tokens from a position.

    Symmetric moments count as one, and so do moments that differ only in the upcoming megaliths and the deck.
    """
    if work := workload_of(request.scope):
        work.charge(LINE_TOKEN * (1 + len(query.tokens)))
        work.require()
    try:
        board = Board(query.position)
    except MalformedError as error:
        raise malformed(error, "Not a valid position") from None
    try:
        for token in query.tokens:
            board.push(token)
    except CairnError as error:
        raise refused_token(error) from None
    found = await services.explorer.explore(board, query.variant, query.rating_from, any_megaliths=query.any_megaliths)
    return ExplorationView(tokens=found)


@router.get("/summary")
async def get_summary(
    services: ServicesDep, variant: VariantName | None = None, rating_from: Annotated[int, Query(ge=0, le=4_000)] = 0
) -> ExplorerSummary:
    """How often each megalith was chosen, the results of the tribes that built it, and the results by tile faces."""
    return await services.explorer.summary(variant, rating_from)
