"""Game records: download and upload."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response

from cairn.server.models import GameView, RecordText
from cairn.server.routes.common import PROBLEMS, Address, AnActor, Counts, Decides, GameId, Owner

router: Final = APIRouter(prefix="/api", tags=["records"], responses=PROBLEMS)


RECORD: Final[dict[int | str, dict[str, object]]] = {
    200: {"description": "The record.", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


@router.get("/games/{game}/record", response_class=Response, responses=RECORD)
async def get_record(game: GameId, authority: Decides) -> PlainTextResponse:
    """The record of a game, as a file to keep."""
    text, name = await authority.record(game)
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("/records", status_code=201)
async def take_over_record(
    record: RecordText, authority: Decides, owner: Owner, address: Address, quotas: Counts, actor: AnActor
) -> GameView:
    """Take over a game from its record; an unfinished one goes on, at one screen or against its level."""
    await quotas.begin_local(owner, address, played=True)
    return await authority.create_from_record(record.text, owner.id if owner else None, actor.as_player(owner))
