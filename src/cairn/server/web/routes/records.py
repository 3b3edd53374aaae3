"""Game records: download and upload."""

from __future__ import annotations

import dataclasses
from typing import Final

from fastapi.responses import PlainTextResponse, Response

from cairn.server.errors import GameExistsError, Refusal
from cairn.server.game.access import Actor
from cairn.server.game.creation import created_from_record
from cairn.server.messages.games import GameView, RecordText
from cairn.server.meter import in_thread
from cairn.server.secret_tokens import derived_game_id
from cairn.server.web.dependencies import ActorDep, AddressDep, GameId, OwnerDep, ServicesDep, api_router
from cairn.server.web.services import Services

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
    player = owner.id if owner else None
    actor = actor.as_player(player)
    # The game's id is derived from the key, so the database refuses a second game, even if another process stored the
    # first one. The text is included, because the same key with a different record must not return the first game.
    game = derived_game_id(player or "", record.id, record.text) if record.id else None
    if game and (existing := await _existing(services, game, actor)):
        return existing
    await services.quotas.require_local_game(owner, address, upload=True)
    creation = dataclasses.replace(await in_thread(created_from_record, record.text), id=game)
    try:
        return await services.authority.begin(creation, player, actor)
    except GameExistsError:
        if game and (existing := await _existing(services, game, actor)):
            return existing
        raise


async def _existing(services: Services, game: str, actor: Actor) -> GameView | None:
    """The game with this id, or ``None`` if there is no such game. A deleted game is restored."""
    try:
        return await services.authority.view(game, actor)
    except Refusal as refusal:
        if refusal.kind == "unknown-game":
            return None
        if refusal.kind != "deleted-game":
            raise
    await services.authority.restore(game, actor)
    return await services.authority.view(game, actor)
