"""Challenges: offer a game, by a link or to everybody; accept; play again."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, WebSocket

from cairn.server.challenges import topic
from cairn.server.online_models import (
    Accept,
    AddNumber,
    Begun,
    ChallengeMessage,
    ChallengeView,
    Lobby,
    NewChallenge,
    NewChallengeView,
)
from cairn.server.routes.common import PROBLEMS, AnActor, GameId, Hub, Meets, NeedsPlayer, closing
from cairn.server.routes.common import told as tell_until_left

router: Final = APIRouter(prefix="/api", tags=["challenges"], responses=PROBLEMS)

ChallengeName = Annotated[str, Path(description="The id of a challenge, or the secret of its link.", max_length=100)]


@router.post("/challenges", status_code=201)
async def make_challenge(wish: NewChallenge, player: NeedsPlayer, challenges: Meets) -> NewChallengeView:
    """Offer a game. Look at the commitment, and then add your number."""
    return await challenges.create(wish, player)


@router.get("/challenges/{challenge}")
async def get_challenge(challenge: ChallengeName, actor: AnActor, challenges: Meets) -> ChallengeView:
    """A challenge: one of the lobby, your own, or one whose link you have."""
    return await challenges.find(challenge, actor)


@router.put("/challenges/{challenge}/number")
async def add_number(challenge: ChallengeName, wish: AddNumber, actor: AnActor, challenges: Meets) -> ChallengeView:
    """Add a random number of your own to a challenge of yours. Against the computer the game begins by that."""
    return await challenges.add_number(challenge, wish.number, actor)


@router.post("/challenges/{challenge}/accept", status_code=201)
async def accept_challenge(
    challenge: ChallengeName, wish: Accept, player: NeedsPlayer, actor: AnActor, challenges: Meets
) -> Begun:
    """Accept a challenge, with a random number of your own: the game begins."""
    return await challenges.accept(challenge, wish.invite, wish.number, player, actor.as_player(player))


@router.delete("/challenges/{challenge}", status_code=204)
async def withdraw_challenge(challenge: ChallengeName, actor: AnActor, challenges: Meets) -> None:
    """Withdraw a challenge of yours, or decline a rematch."""
    await challenges.withdraw(challenge, actor)


@router.post("/games/{game}/rematch", status_code=201)
async def offer_rematch(game: GameId, actor: AnActor, challenges: Meets) -> NewChallengeView:
    """Offer the other player another game, with sides swapped. Then add your number."""
    return await challenges.offer_rematch(game, actor)


@router.get("/games/{game}/rematch")
async def get_rematches(game: GameId, actor: AnActor, challenges: Meets) -> Lobby:
    """Open offers to play again after a game of yours."""
    return Lobby(challenges=await challenges.rematches(game, actor))


@router.websocket("/challenges/{challenge}/socket")
async def watch_challenge(socket: WebSocket, challenge: str, actor: AnActor, challenges: Meets, hub: Hub) -> None:
    """Tell how a challenge stands, at once and whenever that changes."""
    await socket.accept()
    async with closing(socket):
        view = await challenges.find(challenge[:100], actor)

        async def news() -> str:
            return ChallengeMessage(
                challenge=await challenges.find(view.id if view.yours else challenge, actor)
            ).model_dump_json()

        await tell_until_left(socket, hub.subscribe(topic(view.id)), news)
