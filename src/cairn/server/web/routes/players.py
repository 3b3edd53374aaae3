"""Player profiles, the leaderboard, and chat and reports for games."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import Path, Query

from cairn.server.game.names import VariantName
from cairn.server.messages.chat import ChatLog, ReportRequest, Say
from cairn.server.messages.players import Leaderboard, Profile
from cairn.server.web.dependencies import ActorDep, GameId, PlayerDep, ServicesDep, api_router

router: Final = api_router("/api", "players")


@router.get("/players/{name}")
async def get_profile(
    name: Annotated[str, Path(description="The name or id of a player.", max_length=100)], services: ServicesDep
) -> Profile:
    """The profile of a player: ratings, rating history, results per variant, and recent games."""
    return await services.profiles.profile(name)


@router.get("/leaderboard")
async def get_leaderboard(
    services: ServicesDep,
    variant: VariantName | Literal["all"] = "all",
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
) -> Leaderboard:
    """The strongest players, excluding guests."""
    return await services.profiles.leaderboard(variant, limit)


@router.get("/games/{game}/chat")
async def get_chat(game: GameId, services: ServicesDep) -> ChatLog:
    """All chat messages in a game."""
    return ChatLog(lines=await services.chat.lines(game))


@router.post("/games/{game}/chat", status_code=204)
async def say(game: GameId, say: Say, services: ServicesDep, actor: ActorDep) -> None:
    """Send a chat message as a player of the game."""
    await services.chat.say(game, say, actor)


@router.post("/games/{game}/report", status_code=204)
async def report(game: GameId, body: ReportRequest, player: PlayerDep, services: ServicesDep) -> None:
    """Report a game or one of its players to the administrators."""
    about = await services.chat.player_of(game, body.about)
    await services.identity.report(player, about, game, body.text)
