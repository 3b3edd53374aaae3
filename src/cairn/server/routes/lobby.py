"""The lobby: open challenges, and games that can be watched."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, WebSocket

from cairn.server.challenges import LOBBY
from cairn.server.online_models import LiveGames, Lobby, LobbyMessage
from cairn.server.routes.common import PROBLEMS, AnActor, Hub, Meets, Ranks, closing
from cairn.server.routes.common import told as tell_until_left

router: Final = APIRouter(prefix="/api", tags=["lobby"], responses=PROBLEMS)


@router.get("/lobby")
async def get_lobby(actor: AnActor, challenges: Meets) -> Lobby:
    """The challenges that everybody can accept, the newest first."""
    return Lobby(challenges=await challenges.lobby(actor))


@router.get("/live")
async def list_live_games(rankings: Ranks, limit: Annotated[int, Query(ge=1, le=100)] = 50) -> LiveGames:
    """Running online games that can be watched, the last changed first."""
    return LiveGames(games=await rankings.live_games(limit))


@router.websocket("/lobby/socket")
async def watch_lobby(socket: WebSocket, actor: AnActor, challenges: Meets, hub: Hub) -> None:
    """Tell all open challenges, at once and whenever they change."""
    await socket.accept()

    async def news() -> str:
        return LobbyMessage(challenges=await challenges.lobby(actor)).model_dump_json()

    async with closing(socket):
        await tell_until_left(socket, hub.subscribe(LOBBY), news)
