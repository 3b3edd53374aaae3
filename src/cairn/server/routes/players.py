"""Players: profiles, the leaderboard; talk and reports at a table."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query

from cairn.server.models import VariantName
from cairn.server.online_models import ChatLog, Leaderboard, Profile, ReportWish, Say
from cairn.server.routes.common import PROBLEMS, AnActor, GameId, Knows, NeedsPlayer, Ranks, Talks

router: Final = APIRouter(prefix="/api", tags=["players"], responses=PROBLEMS)


@router.get("/players/{name}")
async def get_profile(
    name: Annotated[str, Path(description="The name or the id of a player.", max_length=100)], rankings: Ranks
) -> Profile:
    """A player: ratings and how they changed, results by variant, the last games."""
    return await rankings.profile(name)


@router.get("/leaderboard")
async def get_leaderboard(
    rankings: Ranks,
    variant: VariantName | Literal["all"] = "all",
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
) -> Leaderboard:
    """The strongest players, guests left out."""
    return await rankings.leaderboard(variant, limit)


@router.get("/games/{game}/chat")
async def get_chat(game: GameId, chat: Talks) -> ChatLog:
    """Everything that was said at a table."""
    return ChatLog(lines=await chat.lines(game))


@router.post("/games/{game}/chat", status_code=204)
async def say(game: GameId, say: Say, chat: Talks, actor: AnActor) -> None:
    """Say something at the table, for a player of the game."""
    await chat.say(game, say, actor)


@router.post("/games/{game}/report", status_code=204)
async def report(game: GameId, wish: ReportWish, player: NeedsPlayer, identity: Knows, chat: Talks) -> None:
    """Tell the administrators something about a game, or about one of its players."""
    about = await chat.player_of(game, wish.about)
    await identity.report(player, about, game, wish.text)
