"""Game records: download and upload."""

from __future__ import annotations

from typing import Final

from fastapi.responses import PlainTextResponse, Response

from cairn.server.messages.games import GameView, RecordText
from cairn.server.web.dependencies import ActorDep, AddressDep, GameId, OwnerDep, ServicesDep, api_router

router: Final = api_router("/api", "records")


RECORD: Final[dict[int | str, dict[str, object]]] = {
    200: {"description": "The record.", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


@router.get("/games/{game}/record", response_class=Response, responses=RECORD)
async def get_record(game: GameId, services: ServicesDep) -> PlainTextResponse:
    """Download the record of a game."""
    record = await services.authority.record_source(game)
    return PlainTextResponse(
        record.write(), headers={"Content-Disposition": f'attachment; filename="{record.file_name}"'}
    )


@router.post("/records", status_code=201)
async def import_record(
    record: RecordText, services: ServicesDep, owner: OwnerDep, address: AddressDep, actor: ActorDep
) -> GameView:
    """Create a game from a record.

    An unfinished game continues against the computer at the level given in the record, or between two people who share
    a screen.
    """
    await services.quotas.require_local_game(owner, address, upload=True)
    player = owner.id if owner else None
    return await services.authority.create_from_record(record.text, player, actor.as_player(player))
