"""For bots: what concerns them, as it happens. Everything else they do as players do."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends
from fastapi.responses import Response, StreamingResponse
from starlette.requests import HTTPConnection

from cairn.server.bot_models import BOT_EVENTS
from cairn.server.bots import Bots
from cairn.server.errors import Refusal
from cairn.server.routes.account import view_of
from cairn.server.routes.common import PROBLEMS, AVisitor, Knows

LINES: Final = "application/x-ndjson"
EVENTS: Final[dict[int | str, dict[str, object]]] = {
    200: {
        "description": f"One event to a line: {', '.join(each.__name__ for each in BOT_EVENTS)}.",
        "content": {LINES: {"schema": {"type": "string"}}},
    }
}

router: Final = APIRouter(prefix="/api/bot", tags=["bots"], responses=PROBLEMS)


async def _bots(connection: HTTPConnection) -> Bots:
    bots = connection.app.state.bots
    assert isinstance(bots, Bots)  # noqa: S101  # the application put it there
    return bots


@router.get("/events", response_class=Response, responses=EVENTS)
async def bot_events(
    visitor: AVisitor, identity: Knows, connection: HTTPConnection, bots: Annotated[Bots, Depends(_bots)]
) -> StreamingResponse:
    """Challenges that a bot can accept and games in which it has a seat, at first and as they come; without an end."""
    if visitor.player is None:
        raise Refusal(401, "sign-in-needed", "The server does not know who you are: this needs the token of a bot.")
    if visitor.player.kind != "bot":
        raise Refusal(403, "bot-needed", "Only bots are told this.")
    token = connection.headers.get("authorization", "").partition(" ")[2].strip()

    async def welcome() -> bool:
        return (await identity.visitor(token, "bot")).player is not None

    headers = {"X-Accel-Buffering": "no"}  # so that no proxy keeps lines back
    return StreamingResponse(bots.events(view_of(visitor.player), welcome), headers=headers, media_type=LINES)
