"""Puzzles: what people achieve, the ratings that follow, and reports. The puzzles themselves are part of the pages."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path, Request

from cairn.server.messages.players import PuzzleAttempts, PuzzleRatings, PuzzleReport
from cairn.server.players.identity import refuse_bots
from cairn.server.players.workload import CHANGE, workload_of
from cairn.server.web.dependencies import PlayerDep, ServicesDep, api_router

router: Final = api_router("/api/puzzles", "puzzles")


@router.get("/ratings")
async def get_puzzle_ratings(services: ServicesDep) -> PuzzleRatings:
    """The ratings of all puzzles that people have tried. The others keep the ratings that they were published with."""
    return await services.puzzles.ratings()


@router.post("/attempts")
async def add_attempts(
    body: PuzzleAttempts, request: Request, player: PlayerDep, services: ServicesDep
) -> PuzzleRatings:
    """Rate your first attempts at puzzles. Returns the new ratings of these puzzles.

    An attempt is stored once, however often it is sent. Unknown puzzles are ignored.
    """
    refuse_bots(player)
    if work := workload_of(request.scope):
        work.charge(CHANGE * len(body.attempts))
    return await services.puzzles.attempt(player, body.attempts)


@router.post("/{puzzle}/report", status_code=204)
async def report_puzzle(
    puzzle: Annotated[str, Path(description="The id of a puzzle.", max_length=100)],
    body: PuzzleReport,
    player: PlayerDep,
    services: ServicesDep,
) -> None:
    """Report a puzzle that seems to be wrong to the administrators."""
    await services.puzzles.report(player, puzzle, body.text)
