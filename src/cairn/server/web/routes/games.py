"""Games: begin, look, list, play, take back, offer, resign, watch."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, WebSocket

from cairn.server.game.access import Actor
from cairn.server.game.commands import Answer, Claim, Command, Confirm, Offer, Play, Resign, Undo
from cairn.server.game.creation import NewGame
from cairn.server.game.names import VariantName
from cairn.server.messages.games import GameList, GameView, Update
from cairn.server.storage.games.listing import GameQuery
from cairn.server.web.dependencies import PROBLEMS, ActorDep, AddressDep, GameId, OwnerDep, ServicesDep
from cairn.server.web.game_socket import GameSocket
from cairn.server.web.services import Services
from cairn.server.web.streams import close_on_error

router: Final = APIRouter(prefix="/api/games", tags=["games"], responses=PROBLEMS)


@router.post("", status_code=201)
async def begin_game(
    wish: NewGame, services: ServicesDep, owner: OwnerDep, address: AddressDep, actor: ActorDep
) -> GameView:
    """Begin a game."""
    await services.quotas.require_local_game(owner, address, upload=bool(wish.tokens))
    player = owner.id if owner else None
    return await services.authority.create(wish, player, actor.as_player(player))


@router.get("")
async def list_games(  # each one is a parameter of the address
    services: ServicesDep,
    actor: ActorDep,
    search: Annotated[str, Query(max_length=600)] = "",
    variant: VariantName | None = None,
    state: Literal["running", "finished"] | None = None,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> GameList:
    """Your games, the last changed first; every word of ``search`` has to occur in names, levels and variant.

    ``a|b`` is either of two words, ``level:3`` exactly that level, ``unnamed:sea`` a person without a name who is Sea.
    """
    query = GameQuery(search, variant, state, offset, limit, player=actor.player, own=not actor.owns_local_games)
    return await services.authority.list_games(query)


@router.get("/{game}")
async def get_game(game: GameId, services: ServicesDep, actor: ActorDep) -> GameView:
    """The whole game."""
    return await services.authority.view(game, actor)


@router.delete("/{game}", status_code=204)
async def delete_game(game: GameId, services: ServicesDep, actor: ActorDep) -> None:
    """Hide a game. It can be restored."""
    await services.authority.delete(game, actor)


@router.post("/{game}/restore", status_code=204)
async def restore_game(game: GameId, services: ServicesDep, actor: ActorDep) -> None:
    """Show a deleted game again."""
    await services.authority.restore(game, actor)


@router.post("/{game}/tokens")
async def play_token(game: GameId, play: Play, services: ServicesDep, actor: ActorDep) -> Update:
    """Play a token. What has to be drawn after it is drawn at once, or with ``hold`` when it is confirmed."""
    return await _performed(services, game, play, actor)


@router.post("/{game}/undo")
async def undo(game: GameId, undo: Undo, services: ServicesDep, actor: ActorDep) -> Update:
    """Take a step or a turn back; never past a drawn tile, and online only what is your own and still your decision."""
    return await _performed(services, game, undo, actor)


@router.post("/{game}/confirm")
async def confirm_turn(game: GameId, confirm: Confirm, services: ServicesDep, actor: ActorDep) -> Update:
    """Finish the turn that is held, or let the tile be drawn that is."""
    return await _performed(services, game, confirm, actor)


@router.post("/{game}/offer")
async def make_offer(game: GameId, offer: Offer, services: ServicesDep, actor: ActorDep) -> Update:
    """Ask the other player for a draw or a takeback."""
    return await _performed(services, game, offer, actor)


@router.post("/{game}/answer")
async def answer_offer(game: GameId, answer: Answer, services: ServicesDep, actor: ActorDep) -> Update:
    """Accept or decline what the other player asks for, or withdraw what you ask for."""
    return await _performed(services, game, answer, actor)


@router.post("/{game}/resign")
async def resign(game: GameId, resign: Resign, services: ServicesDep, actor: ActorDep) -> Update:
    """Give an online game up."""
    return await _performed(services, game, resign, actor)


@router.post("/{game}/claim")
async def claim_game(game: GameId, claim: Claim, services: ServicesDep, actor: ActorDep) -> Update:
    """Claim an online game that the other player has left."""
    return await _performed(services, game, claim, actor)


@router.websocket("/{game}/socket")
async def watch_game(socket: WebSocket, game: str, services: ServicesDep, actor: ActorDep) -> None:
    """Send the whole game at once, then every change; take commands."""
    await socket.accept()
    async with close_on_error(socket):
        await GameSocket(socket, services, game, actor).run()


async def _performed(services: Services, game: str, command: Command, actor: Actor) -> Update:
    return (await services.authority.perform(game, command, actor)).update
