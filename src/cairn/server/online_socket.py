"""The conversation over the socket of a game: commands come, answers and news go.

What carries an ``id`` is a command and is answered: by the update that it made, ``done`` or ``refused``. What carries
none is not, and is passed over.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Final

import pydantic
from starlette.websockets import WebSocket, WebSocketDisconnect

from cairn.server.authority import Authority
from cairn.server.errors import TRY_AGAIN_LATER, Refusal, storage_problem
from cairn.server.models import GameMessage, Message
from cairn.server.online_access import Actor
from cairn.server.online_models import (
    ChatCommand,
    DoneMessage,
    HelloCommand,
    PingCommand,
    RefusedMessage,
    Say,
    SocketCommand,
)
from cairn.server.sockets import shorter_way
from cairn.server.storage import StorageError
from cairn.server.transport import Subscription

LONGEST_ID: Final = 40

_COMMANDS: Final[pydantic.TypeAdapter[SocketCommand]] = pydantic.TypeAdapter(SocketCommand)


class Conversation:
    """One socket at the table of a game."""

    def __init__(
        self,
        socket: WebSocket,
        authority: Authority,
        game: str,
        actor: Actor,
        say: Callable[[str, Say, Actor], Awaitable[object]],
        spend: Callable[[], None],
    ) -> None:
        self._socket: Final = socket
        self._authority: Final = authority
        self._game: Final = game
        self._actor = actor
        self._say: Final = say
        self._spend: Final = spend
        """Raises a refusal when so many commands came that one has to wait."""

    async def run(self) -> None:
        """Tell the whole game, then everything that changes, and do what is commanded; until the socket closes."""
        async with contextlib.AsyncExitStack() as place:
            await place.enter_async_context(self._authority.at_table(self._game, self._actor))
            async with self._authority.watch(self._game, self._actor) as (view, updates):
                await self._send(GameMessage(game=view))
                if write := shorter_way(self._socket):
                    updates.write_by(write)
                async with _sending(self._socket, updates) as sending:
                    await _apart(self._listen(sending, place, updates))

    async def _listen(
        self, sending: asyncio.Task[None], place: contextlib.AsyncExitStack, updates: Subscription
    ) -> None:
        """Do what is commanded, one command after another, until the socket closes."""
        while not sending.done():
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._hear(message.get("text") or "", place, updates)

    async def _hear(self, text: str, place: contextlib.AsyncExitStack, updates: Subscription) -> None:
        command = _command(text)
        given = _id_in(text) if isinstance(command, Refusal) else command.id
        if given is None or not given.isprintable():
            return
        try:
            self._spend()
            if isinstance(command, Refusal):
                raise command
            await self._do(command, place, updates)
        except Refusal as refusal:
            await self._send(RefusedMessage(id=given, problem=refusal.problem))
        except StorageError as error:
            await self._send(RefusedMessage(id=given, problem=storage_problem(error)))

    async def _do(self, command: SocketCommand, place: contextlib.AsyncExitStack, updates: Subscription) -> None:
        revision: int | None = None
        match command:
            case PingCommand():
                pass
            case HelloCommand(seat=token):
                self._actor = self._actor.with_seat(token)
                await place.aclose()
                await place.enter_async_context(self._authority.at_table(self._game, self._actor))
                await self._send(GameMessage(game=await self._authority.view(self._game, self._actor)))
            case ChatCommand():
                await self._say(self._game, command, self._actor)
            case _:
                performed = await self._authority.perform(self._game, command, self._actor, updates)
                if performed.answered:
                    return
                revision = performed.revision
        await self._send(DoneMessage(id=command.id, revision=revision, at=self._authority.clock_time()))

    async def _send(self, message: Message) -> None:
        await self._socket.send_text(message.model_dump_json())


async def _apart(work: Coroutine[Any, Any, None]) -> None:
    """Do something in a task of its own.

    Whatever a coroutine waits for comes to it through all that wait for it: forty layers of the server, for each token.
    """
    task = asyncio.create_task(work)
    try:
        await task
    finally:
        if task.cancel():
            with contextlib.suppress(asyncio.CancelledError):
                await task


@contextlib.asynccontextmanager
async def _sending(socket: WebSocket, updates: Subscription) -> AsyncIterator[asyncio.Task[None]]:
    """Pass news on in the meantime. A watcher that is cut off is told to come back."""

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


def _id_in(text: str) -> str | None:
    """The id of a malformed command, if it can be answered by that."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = given.get("id") if isinstance(given, dict) else None
    return found if isinstance(found, str) and 1 <= len(found) <= LONGEST_ID else None


def _command(text: str) -> SocketCommand | Refusal:
    """What a text commands, or why it is refused."""
    try:
        return _COMMANDS.validate_json(text)
    except pydantic.ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        places = [".".join(str(part) for part in fault["loc"]) for fault in faults[:3]]
        said = [f"{place}: {fault['msg']}" for place, fault in zip(places, faults, strict=False)]
        return Refusal(422, "malformed", "; ".join(said))
