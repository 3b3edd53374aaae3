"""Sockets that stream the latest state of something, such as the lobby."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from cairn.server.errors import Refusal, StorageError
from cairn.server.messages.problems import shortened, storage_problem
from cairn.server.transport.hub import Subscription
from cairn.server.web.close_codes import TRY_AGAIN_LATER, UNKNOWN
from cairn.server.web.socket_registry import receive_text

REFRESH_SECONDS: Final = 10.0
"""How old a streamed state may get if a notification is lost."""


@contextlib.asynccontextmanager
async def close_on_error(socket: WebSocket) -> AsyncIterator[None]:
    """Close the socket with a code and a sentence when the block is refused or storage fails."""
    with contextlib.suppress(WebSocketDisconnect):
        try:
            yield
        except Refusal as refusal:
            await socket.close(TRY_AGAIN_LATER if refusal.status >= 500 else UNKNOWN, shortened(refusal.sentence))
        except StorageError as error:
            await socket.close(TRY_AGAIN_LATER, storage_problem(error).sentence)


async def stream_latest(socket: WebSocket, news: Subscription, latest: Callable[[], Awaitable[str]]) -> None:
    """Send the latest state now, after every notification, and at regular intervals; skip it if it has not changed.

    Errors in ``latest`` are raised, so that no client waits on a silent socket.
    """
    changed = asyncio.Event()

    async def receive() -> bool:
        while await receive_text(socket) is not None:
            pass
        return True

    async def listen() -> bool:
        async for _ in news:
            changed.set()
        return False

    async def send() -> bool:
        sent = ""
        while True:
            changed.clear()
            if (state := await latest()) != sent:
                sent = state
                await socket.send_text(sent)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), REFRESH_SECONDS)

    try:
        client_left = await _first(receive(), listen(), send())
    finally:
        news.close()
    if not client_left:
        await socket.close(TRY_AGAIN_LATER)


async def _first(*works: Coroutine[Any, Any, bool]) -> bool:
    """Run several coroutines until one ends, and cancel the others. Returns its result, or raises its error."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task.result() for task in tasks if task.done())
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
