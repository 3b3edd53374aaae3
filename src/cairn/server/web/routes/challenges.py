"""Create, accept and withdraw challenges, and offer rematches."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path, WebSocket

from cairn.server.lobby.challenges import topic
from cairn.server.messages.lobby import Accept, AddNumber, Begun, ChallengeView, Lobby, NewChallenge, NewChallengeView
from cairn.server.messages.sockets import ChallengeMessage
from cairn.server.web.dependencies import ActorDep, GameId, PlayerDep, ServicesDep, api_router
from cairn.server.web.streams import close_on_error, stream_latest

router: Final = api_router("/api", "challenges")

ChallengeName = Annotated[str, Path(description="The id of a challenge, or the secret from its link.", max_length=100)]


@router.post("/challenges", status_code=201)
async def create_challenge(body: NewChallenge, player: PlayerDep, services: ServicesDep) -> NewChallengeView:
    """Create a challenge. Once you have received the commitment, add your number."""
    return await services.challenges.create(body, player)


@router.get("/challenges/{challenge}")
async def get_challenge(challenge: ChallengeName, actor: ActorDep, services: ServicesDep) -> ChallengeView:
    """A challenge from the lobby, your own challenge, or a challenge whose link you have."""
    return await services.challenges.find(challenge, actor)


@router.put("/challenges/{challenge}/number")
async def add_number(
    challenge: ChallengeName, body: AddNumber, actor: ActorDep, services: ServicesDep
) -> ChallengeView:
    """Add your random number to your challenge. Against the computer, this begins the game."""
    return await services.challenges.add_number(challenge, body, actor)


@router.post("/challenges/{challenge}/accept", status_code=201)
async def accept_challenge(
    challenge: ChallengeName, body: Accept, player: PlayerDep, actor: ActorDep, services: ServicesDep
) -> Begun:
    """Accept a challenge with your random number, and begin the game."""
    return await services.challenges.accept(challenge, body, player, actor.as_player(player.id))


@router.delete("/challenges/{challenge}", status_code=204)
async def withdraw_challenge(challenge: ChallengeName, actor: ActorDep, services: ServicesDep) -> None:
    """Withdraw your challenge, or decline a rematch."""
    await services.challenges.withdraw(challenge, actor)


@router.post("/games/{game}/rematch", status_code=201)
async def offer_rematch(game: GameId, actor: ActorDep, services: ServicesDep) -> NewChallengeView:
    """Offer a rematch with the tribes swapped. Then add your number."""
    return await services.challenges.offer_rematch(game, actor)


@router.get("/games/{game}/rematch")
async def get_rematches(game: GameId, actor: ActorDep, services: ServicesDep) -> Lobby:
    """The open rematch offers for one of your games."""
    return Lobby(challenges=await services.challenges.rematches(game, actor))


@router.websocket("/challenges/{challenge}/socket")
async def watch_challenge(socket: WebSocket, challenge: str, actor: ActorDep, services: ServicesDep) -> None:
    """Send the challenge now and after every change."""
    await socket.accept()
    async with close_on_error(socket):
        view = await services.challenges.find(challenge[:100], actor)

        async def latest() -> str:
            return ChallengeMessage(
                challenge=await services.challenges.find(view.id if view.yours else challenge, actor)
            ).model_dump_json()

        await stream_latest(socket, services.hub.subscribe(topic(view.id)), latest)
