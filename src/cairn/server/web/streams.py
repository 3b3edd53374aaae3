"""Sockets that only send: either all messages on a topic, or the latest state of a view."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from cairn.server.errors import Refusal, StorageError
from cairn.server.messages.problems import shortened, storage_problem
from cairn.server.speedups.direct_write import direct_writer
from cairn.server.tasks import cancel_and_wait
from cairn.server.transport.hub import Subscription
from cairn.server.web.close_codes import TRY_AGAIN_LATER, UNKNOWN
from cairn.server.web.metrics import count_refusal
from cairn.server.web.socket_registry import open_socket, receive_text

REFRESH_SECONDS: Final = 10.0
"""How old a streamed state may get if a notification is lost."""


@contextlib.asynccontextmanager
async def close_on_error(socket: WebSocket) -> AsyncIterator[None]:
    """Close the socket with a code and a reason if the block raises a refusal or a storage error.

    If the client disconnects, the block ends without an error.
    """
    with contextlib.suppress(WebSocketDisconnect):
        try:
            yield
        except RuntimeError:
            # One task has noticed that the client has disconnected, while another is still sending to it.
            if socket.application_state is not WebSocketState.DISCONNECTED:
                raise
        except Refusal as refusal:
            count_refusal(socket.scope, refusal.kind)
            await socket.close(TRY_AGAIN_LATER if refusal.status >= 500 else UNKNOWN, shortened(refusal.sentence))
        except StorageError as error:
            problem = storage_problem(error)
            count_refusal(socket.scope, problem.kind)
            await socket.close(TRY_AGAIN_LATER, problem.sentence)


@contextlib.asynccontextmanager
async def forwarding(socket: WebSocket, updates: Subscription) -> AsyncIterator[asyncio.Task[None]]:
    """Forward messages in a task. If the subscription ends, close the socket, so that the client reconnects."""

    async def forward() -> None:
        async for message in updates:
            await socket.send_text(message)
        await socket.close(TRY_AGAIN_LATER)

    if writer := direct_writer(socket.scope, open_socket(socket)):
        updates.register_writer(writer)
    task = asyncio.create_task(forward())
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await task


async def stream_all(socket: WebSocket, updates: Subscription) -> None:
    """Send all messages of a subscription until the client disconnects."""
    async with forwarding(socket, updates) as task:
        while not task.done() and await receive_text(socket) is not None:
            pass


async def stream_latest(socket: WebSocket, news: Subscription, latest: Callable[[], Awaitable[str]]) -> None:
    """Send the latest state now, after every notification, and at regular intervals, but only if it has changed.

    Errors from ``latest`` are raised, so that the socket closes and the client does not wait in vain.
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
    """Run coroutines until one ends, then cancel the others. Returns the first result or raises the first error."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task.result() for task in tasks if task.done())
    finally:
        await cancel_and_wait(tasks)
