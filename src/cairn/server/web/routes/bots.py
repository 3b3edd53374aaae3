"""A bot's event stream. Bots play with the same requests as people."""

from __future__ import annotations

from typing import Final

from fastapi.responses import Response, StreamingResponse
from starlette.requests import HTTPConnection

from cairn.server.errors import Refusal
from cairn.server.messages.bots import BOT_EVENTS
from cairn.server.messages.players import player_view
from cairn.server.web.dependencies import ServicesDep, VisitorDep, api_router

LINES: Final = "application/x-ndjson"
EVENTS: Final[dict[int | str, dict[str, object]]] = {
    200: {
        "description": f"One event per line: {', '.join(each.__name__ for each in BOT_EVENTS)}.",
        "content": {LINES: {"schema": {"type": "string"}}},
    }
}

router: Final = api_router("/api/bot", "bots")


@router.get("/events", response_class=Response, responses=EVENTS)
async def bot_events(visitor: VisitorDep, services: ServicesDep, connection: HTTPConnection) -> StreamingResponse:
    """Stream all challenges that the bot can accept and all games in which it has a seat, and then the changes."""
    if visitor.player is None:
        raise Refusal(401, "sign-in-needed", "You are not signed in. This request needs a bot token.")
    if visitor.player.kind != "bot":
        raise Refusal(403, "bot-needed", "Only bots can use this.")
    token = connection.headers.get("authorization", "").partition(" ")[2].strip()

    async def is_valid() -> bool:
        return (await services.identity.visitor(token, "bot")).player is not None

    headers = {"X-Accel-Buffering": "no"}  # proxies must not buffer the lines
    return StreamingResponse(
        services.bots.events(player_view(visitor.player.public), is_valid), headers=headers, media_type=LINES
    )
