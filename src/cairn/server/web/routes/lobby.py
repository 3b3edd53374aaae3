"""The lobby: open challenges and running games."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Query, WebSocket

from cairn.server.messages.lobby import LiveGames, Lobby, RunningGames
from cairn.server.storage.games.listing import GameQuery
from cairn.server.web.dependencies import ActorDep, ServicesDep, api_router
from cairn.server.web.streams import close_on_error, stream_all

MOST_RUNNING: Final = 20
MOST_OFFERS: Final = 5

router: Final = api_router("/api", "lobby")


@router.get("/lobby")
async def get_lobby(actor: ActorDep, services: ServicesDep) -> Lobby:
    """The challenges that are open to everybody, newest first."""
    return Lobby(challenges=await services.lobby.challenges(actor))


@router.get("/live")
async def list_live_games(services: ServicesDep, limit: Annotated[int, Query(ge=1, le=100)] = 50) -> LiveGames:
    """Running online games to watch, most recently changed first."""
    return LiveGames(games=await services.profiles.live_games(limit))


@router.get("/running")
async def list_running_games(services: ServicesDep, actor: ActorDep) -> RunningGames:
    """Your running games, and the rematches that you have been offered. The web app shows them on every page."""
    own = not actor.owns_local_games
    query = GameQuery(state="running", limit=MOST_RUNNING, player=actor.player, own=own, begun=True)
    found = await services.authority.list_games(query)
    return RunningGames(games=found.games, offers=await services.challenges.offers_to(actor, MOST_OFFERS))


@router.websocket("/lobby/socket")
async def watch_lobby(socket: WebSocket, actor: ActorDep, services: ServicesDep) -> None:
    """Send all open challenges, then the changes."""
    await socket.accept()
    async with close_on_error(socket), services.lobby.watch(actor) as (whole, changes):
        await socket.send_text(whole)
        await stream_all(socket, changes)
