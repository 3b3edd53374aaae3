"""Games: begin, look, list, play, take back, offer, resign, watch."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, WebSocket

from cairn.server.authority import Authority
from cairn.server.limits import address_of
from cairn.server.models import Confirm, GameList, GameView, NewGame, Play, Undo, Update, VariantName
from cairn.server.online_access import Actor
from cairn.server.online_models import Answer, Claim, Command, Offer, Resign
from cairn.server.online_socket import Conversation
from cairn.server.routes.common import PROBLEMS, Address, AnActor, Counts, Decides, GameId, Owner, Talks, closing
from cairn.server.storage import GameQuery

router: Final = APIRouter(prefix="/api/games", tags=["games"], responses=PROBLEMS)


@router.post("", status_code=201)
async def begin_game(
    wish: NewGame, authority: Decides, owner: Owner, address: Address, quotas: Counts, actor: AnActor
) -> GameView:
    """Begin a game."""
    await quotas.begin_local(owner, address, played=bool(wish.tokens))
    return await authority.create(wish, owner.id if owner else None, actor.as_player(owner))


@router.get("")
async def list_games(  # each one is a parameter of the address
    authority: Decides,
    actor: AnActor,
    search: Annotated[str, Query(max_length=600)] = "",
    variant: VariantName | None = None,
    state: Literal["running", "finished"] | None = None,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> GameList:
    """Your games, the last changed first; every word of ``search`` has to occur in names, levels and variant.

    ``a|b`` is either of two words, ``level:3`` exactly that level, ``unnamed:sea`` a person without a name who is Sea.
    """
    query = GameQuery(search, variant, state, offset, limit, player=actor.player, own=actor.shared)
    return await authority.list_games(query)


@router.get("/{game}")
async def get_game(game: GameId, authority: Decides, actor: AnActor) -> GameView:
    """The whole game."""
    return await authority.view(game, actor)


@router.delete("/{game}", status_code=204)
async def delete_game(game: GameId, authority: Decides, actor: AnActor) -> None:
    """Hide a game. It can be restored."""
    await authority.delete(game, actor)


@router.post("/{game}/restore", status_code=204)
async def restore_game(game: GameId, authority: Decides, actor: AnActor) -> None:
    """Show a deleted game again."""
    await authority.restore(game, actor)


@router.post("/{game}/tokens")
async def play_token(game: GameId, play: Play, authority: Decides, actor: AnActor) -> Update:
    """Play a token. What has to be drawn after it is drawn at once, or with ``hold`` when it is confirmed."""
    return await _performed(authority, game, play, actor)


@router.post("/{game}/undo")
async def undo(game: GameId, undo: Undo, authority: Decides, actor: AnActor) -> Update:
    """Take a step or a turn back; never past a drawn tile, and online only what is your own and still your decision."""
    return await _performed(authority, game, undo, actor)


@router.post("/{game}/confirm")
async def confirm_turn(game: GameId, confirm: Confirm, authority: Decides, actor: AnActor) -> Update:
    """Finish the turn that is held, or let the tile be drawn that is."""
    return await _performed(authority, game, confirm, actor)


@router.post("/{game}/offer")
async def make_offer(game: GameId, offer: Offer, authority: Decides, actor: AnActor) -> Update:
    """Ask the other player for a draw or a takeback."""
    return await _performed(authority, game, offer, actor)


@router.post("/{game}/answer")
async def answer_offer(game: GameId, answer: Answer, authority: Decides, actor: AnActor) -> Update:
    """Accept or decline what the other player asks for, or withdraw what you ask for."""
    return await _performed(authority, game, answer, actor)


@router.post("/{game}/resign")
async def resign(game: GameId, resign: Resign, authority: Decides, actor: AnActor) -> Update:
    """Give an online game up."""
    return await _performed(authority, game, resign, actor)


@router.post("/{game}/claim")
async def claim_game(game: GameId, claim: Claim, authority: Decides, actor: AnActor) -> Update:
    """Claim an online game that the other player has left."""
    return await _performed(authority, game, claim, actor)


@router.websocket("/{game}/socket")
async def watch_game(socket: WebSocket, game: str, authority: Decides, actor: AnActor, chat: Talks) -> None:
    """Tell the whole game at once, and then everything that changes; take commands."""
    await socket.accept()
    limiter, address = socket.app.state.limiter, address_of(socket)
    conversation = Conversation(socket, authority, game, actor, chat.say, lambda: limiter.spend("request", address))
    async with closing(socket):
        await conversation.run()


async def _performed(authority: Authority, game: str, command: Command, actor: Actor) -> Update:
    return (await authority.perform(game, command, actor)).update
