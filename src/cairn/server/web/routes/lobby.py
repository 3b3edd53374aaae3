"""The lobby: open challenges and running games."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Query, WebSocket

from cairn.server.messages.lobby import LiveGames, Lobby
from cairn.server.web.dependencies import ActorDep, ServicesDep, api_router
from cairn.server.web.streams import close_on_error, stream_all

router: Final = api_router("/api", "lobby")


@router.get("/lobby")
async def get_lobby(actor: ActorDep, services: ServicesDep) -> Lobby:
    """The challenges that are open to everybody, newest first."""
    return Lobby(challenges=await services.lobby.challenges(actor))


@router.get("/live")
async def list_live_games(services: ServicesDep, limit: Annotated[int, Query(ge=1, le=100)] = 50) -> LiveGames:
    """Running online games to watch, most recently changed first."""
    return LiveGames(games=await services.profiles.live_games(limit))


@router.websocket("/lobby/socket")
async def watch_lobby(socket: WebSocket, actor: ActorDep, services: ServicesDep) -> None:
    """Send all open challenges, then the changes."""
    await socket.accept()
    async with close_on_error(socket), services.lobby.watch(actor) as (whole, changes):
        await socket.send_text(whole)
        await stream_all(socket, changes)
