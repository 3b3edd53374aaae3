"""Games: create, list, play, undo, offer, resign and watch."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Final, Literal

from fastapi import Depends, Query, Request, Response, WebSocket

from cairn.server.game.access import WATCHER, Actor
from cairn.server.game.commands import Answer, Claim, Command, Confirm, Offer, Play, Resign, Reveal, Undo
from cairn.server.game.creation import NewGame
from cairn.server.game.names import VariantName
from cairn.server.messages.games import GameList, GameView, Update
from cairn.server.players.workload import PICTURE, workload_of
from cairn.server.storage.games.listing import GameQuery
from cairn.server.web.dependencies import ActorDep, AddressDep, GameId, OwnerDep, ServicesDep, api_router
from cairn.server.web.game_socket import GameSocket
from cairn.server.web.services import Services
from cairn.server.web.streams import close_on_error

router: Final = api_router("/api/games", "games")


@dataclasses.dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list to return."""

    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0
    limit: Annotated[int, Query(ge=1, le=200)] = 50


@router.post("", status_code=201)
async def begin_game(
    body: NewGame, services: ServicesDep, owner: OwnerDep, address: AddressDep, actor: ActorDep
) -> GameView:
    """Begin a game."""
    await services.quotas.require_local_game(owner, address, upload=bool(body.tokens))
    player = owner.id if owner else None
    return await services.authority.create(body, player, actor.as_player(player))


@router.get("")
async def list_games(
    services: ServicesDep,
    actor: ActorDep,
    page: Annotated[Page, Depends()],
    search: Annotated[str, Query(max_length=600)] = "",
    variant: VariantName | None = None,
    state: Literal["running", "finished"] | None = None,
    begun: bool = False,
) -> GameList:
    """Your games, most recently changed first.

    ``search`` selects games in which all words match a name, a level or the variant. ``a|b`` matches either word,
    ``level:3`` matches exactly that level, and ``unnamed:sea`` matches a person without a name who plays Sea. With
    ``begun``, local games in which nothing has been played are left out, except the newest game and games from a
    custom position.
    """
    own = not actor.owns_local_games
    query = GameQuery(search, variant, state, page.offset, page.limit, player=actor.player, own=own, begun=begun)
    return await services.authority.list_games(query)


@router.get("/{game}")
async def get_game(game: GameId, services: ServicesDep, actor: ActorDep) -> GameView:
    """A whole game."""
    return await services.authority.view(game, actor)


@router.get("/{game}/picture.png", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def get_picture(game: GameId, services: ServicesDep, request: Request) -> Response:
    """A picture of the board, as previews of links show it. After the end of the game, it marks the winner."""
    now = (await services.authority.view(game, WATCHER)).now
    winner = now.outcome.winner if now.outcome else None
    picture = services.pictures.kept(now.position, winner)
    if picture is None:
        if work := workload_of(request.scope):
            work.charge(PICTURE)
            work.require()
        picture = await services.pictures.draw(now.position, winner)
    seconds = 86_400 if now.outcome else 60
    return Response(picture, headers={"Cache-Control": f"public, max-age={seconds}"}, media_type="image/png")


@router.delete("/{game}", status_code=204)
async def delete_game(game: GameId, services: ServicesDep, actor: ActorDep) -> None:
    """Delete a game. It can be restored."""
    await services.authority.delete(game, actor)


@router.post("/{game}/restore", status_code=204)
async def restore_game(game: GameId, services: ServicesDep, actor: ActorDep) -> None:
    """Restore a deleted game."""
    await services.authority.restore(game, actor)


@router.post("/{game}/tokens")
async def play_token(game: GameId, play: Play, services: ServicesDep, actor: ActorDep) -> Update:
    """Play a token. A draw that follows happens immediately or, with ``hold``, waits for confirmation."""
    return await _perform(services, game, play, actor)


@router.post("/{game}/undo")
async def undo(game: GameId, undo: Undo, services: ServicesDep, actor: ActorDep) -> Update:
    """Take back a step or a turn, but not past a drawn tile.

    In an online game, you can take back only your own decisions, only while it is your turn to decide, and up to 20
    times per turn.
    """
    return await _perform(services, game, undo, actor)


@router.post("/{game}/confirm")
async def confirm_turn(game: GameId, confirm: Confirm, services: ServicesDep, actor: ActorDep) -> Update:
    """Confirm a held turn or a held draw."""
    return await _perform(services, game, confirm, actor)


@router.post("/{game}/offer")
async def make_offer(game: GameId, offer: Offer, services: ServicesDep, actor: ActorDep) -> Update:
    """Offer a draw (once per turn), or ask for a takeback (up to three times per turn)."""
    return await _perform(services, game, offer, actor)


@router.post("/{game}/answer")
async def answer_offer(game: GameId, answer: Answer, services: ServicesDep, actor: ActorDep) -> Update:
    """Accept or decline the opponent's offer, or withdraw your own."""
    return await _perform(services, game, answer, actor)


@router.post("/{game}/resign")
async def resign(game: GameId, resign: Resign, services: ServicesDep, actor: ActorDep) -> Update:
    """Resign an online game."""
    return await _perform(services, game, resign, actor)


@router.post("/{game}/claim")
async def claim_game(game: GameId, claim: Claim, services: ServicesDep, actor: ActorDep) -> Update:
    """Claim the win in an online game that the opponent has left.

    In a game without a clock, you can claim the win if the opponent has not decided for three days.
    """
    return await _perform(services, game, claim, actor)


@router.post("/{game}/reveal")
async def reveal_link(game: GameId, reveal: Reveal, services: ServicesDep, actor: ActorDep) -> Update:
    """Reveal your next link in a game with sealed draws. The tile is drawn when both players have revealed theirs."""
    return await _perform(services, game, reveal, actor)


@router.websocket("/{game}/socket")
async def watch_game(socket: WebSocket, game: str, services: ServicesDep, actor: ActorDep) -> None:
    """Send the whole game, then every change, and accept commands."""
    await socket.accept()
    async with close_on_error(socket):
        await GameSocket(socket, services, game, actor).run()


async def _perform(services: Services, game: str, command: Command, actor: Actor) -> Update:
    return (await services.authority.perform(game, command, actor)).update
