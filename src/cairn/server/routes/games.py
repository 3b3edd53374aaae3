"""Games: begin, look, list, play, take back, watch."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, WebSocket
from starlette.websockets import WebSocketDisconnect

from cairn.server.errors import Refusal
from cairn.server.models import (
    Confirm,
    GameList,
    GameMessage,
    GameView,
    NewGame,
    Play,
    Undo,
    Update,
    VariantName,
)
from cairn.server.routes.common import PROBLEMS, Decides, GameId
from cairn.server.storage import GameQuery, StorageError
from cairn.server.transport import Subscription

UNKNOWN_GAME_SOCKET: Final = 4404
TRY_AGAIN_LATER: Final = 1013

router: Final = APIRouter(prefix="/api/games", tags=["games"], responses=PROBLEMS)


@router.post("", status_code=201)
async def begin_game(wish: NewGame, authority: Decides) -> GameView:
    """Begin a game."""
    return await authority.create(wish)


@router.get("")
async def list_games(  # each one is a parameter of the address
    authority: Decides,
    search: Annotated[str, Query(max_length=200)] = "",
    variant: VariantName | None = None,
    state: Literal["running", "finished"] | None = None,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> GameList:
    """The games, the last changed first; every word of ``search`` has to occur in names, levels and variant."""
    return await authority.list_games(GameQuery(search, variant, state, offset, limit))


@router.get("/{game}")
async def get_game(game: GameId, authority: Decides) -> GameView:
    """The whole game."""
    return await authority.view(game)


@router.delete("/{game}", status_code=204)
async def delete_game(game: GameId, authority: Decides) -> None:
    """Hide a game. It can be restored."""
    await authority.delete(game)


@router.post("/{game}/restore", status_code=204)
async def restore_game(game: GameId, authority: Decides) -> None:
    """Show a deleted game again."""
    await authority.restore(game)


@router.post("/{game}/tokens")
async def play_token(game: GameId, play: Play, authority: Decides) -> Update:
    """Play a token. What has to be drawn after it is drawn at once."""
    return await authority.play(game, play)


@router.post("/{game}/undo")
async def undo(game: GameId, undo: Undo, authority: Decides) -> Update:
    """Take a step or a turn back; never past a drawn tile."""
    return await authority.undo(game, undo)


@router.post("/{game}/confirm")
async def confirm_turn(game: GameId, confirm: Confirm, authority: Decides) -> Update:
    """Finish the turn that is held."""
    return await authority.confirm(game, confirm)


@router.websocket("/{game}/socket")
async def watch_game(socket: WebSocket, game: str, authority: Decides) -> None:
    """Tell the whole game at once, and then everything that changes."""
    await socket.accept()
    try:
        async with authority.watch(game) as (view, updates):
            await socket.send_text(GameMessage(game=view).model_dump_json())
            async with _sending(socket, updates) as sending:
                # What a watcher says is not listened to, but that it has left is.
                while not sending.done() and (await socket.receive())["type"] != "websocket.disconnect":
                    pass
    except Refusal as refusal:
        await socket.close(UNKNOWN_GAME_SOCKET, refusal.problem.sentence)
    except StorageError as error:
        await socket.close(TRY_AGAIN_LATER, str(error)[:100])
    except WebSocketDisconnect:
        pass


@contextlib.asynccontextmanager
async def _sending(socket: WebSocket, updates: Subscription) -> AsyncIterator[asyncio.Task[None]]:
    """Pass updates on in the meantime. A watcher that is cut off is told to come back."""

    async def send() -> None:
        async for message in updates:
            await socket.send_text(message)
        await socket.close(TRY_AGAIN_LATER)

    task = asyncio.create_task(send())
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await task
