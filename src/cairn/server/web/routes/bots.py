"""For bots: what concerns them, as it happens. Everything else they do as players do."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse
from starlette.requests import HTTPConnection

from cairn.server.errors import Refusal
from cairn.server.messages.bots import BOT_EVENTS
from cairn.server.messages.players import player_view
from cairn.server.web.dependencies import PROBLEMS, ServicesDep, VisitorDep

LINES: Final = "application/x-ndjson"
EVENTS: Final[dict[int | str, dict[str, object]]] = {
    200: {
        "description": f"One event to a line: {', '.join(each.__name__ for each in BOT_EVENTS)}.",
        "content": {LINES: {"schema": {"type": "string"}}},
    }
}

router: Final = APIRouter(prefix="/api/bot", tags=["bots"], responses=PROBLEMS)


@router.get("/events", response_class=Response, responses=EVENTS)
async def bot_events(visitor: VisitorDep, services: ServicesDep, connection: HTTPConnection) -> StreamingResponse:
    """Challenges that a bot can accept and games in which it has a seat, at first and as they come; without an end."""
    if visitor.player is None:
        raise Refusal(401, "sign-in-needed", "The server does not know who you are: this needs the token of a bot.")
    if visitor.player.kind != "bot":
        raise Refusal(403, "bot-needed", "Only bots are told this.")
    token = connection.headers.get("authorization", "").partition(" ")[2].strip()

    async def welcome() -> bool:
        return (await services.identity.visitor(token, "bot")).player is not None

    headers = {"X-Accel-Buffering": "no"}  # so that no proxy keeps lines back
    return StreamingResponse(
        services.bots.events(player_view(visitor.player.public), welcome), headers=headers, media_type=LINES
    )
