"""A game's socket. It receives commands, and sends answers and updates.

A command with an ``id`` is answered by the update that it caused, by ``done`` or by ``refused``. A message without an
id cannot be answered and is ignored.
"""

from __future__ import annotations

import asyncio
import contextlib

from starlette.websockets import WebSocket

from cairn.server.errors import Refusal, StorageError
from cairn.server.game.access import Actor, take_seat
from cairn.server.messages.base import Message
from cairn.server.messages.chat import Say
from cairn.server.messages.commands import Hello, Ping, id_in, parse_command
from cairn.server.messages.problems import Problem, problem_of, shortened, storage_problem
from cairn.server.messages.sockets import DoneMessage, GameMessage, RefusedMessage
from cairn.server.players.workload import CHANGE, workload_of
from cairn.server.tasks import cancel_and_wait
from cairn.server.traces.trace import DONE, IGNORED, UNANSWERED, outcome_of
from cairn.server.transport.hub import Subscription
from cairn.server.web import socket_registry
from cairn.server.web.metrics import count_refusal
from cairn.server.web.services import Services
from cairn.server.web.streams import forwarding
from cairn.server.web.tracing import tracing_of


class GameSocket:
    """One open socket for a game."""

    def __init__(self, socket: WebSocket, services: Services, game: str, actor: Actor) -> None:
        self._socket = socket
        self._authority = services.authority
        self._chat = services.chat
        self._game = game
        self._actor = actor
        self._at_table = contextlib.AsyncExitStack()
        """The place at the table, which changes when the client presents a seat token."""
        self._seated = False
        self._work = workload_of(socket.scope)
        self._tracing = tracing_of(socket.scope)

    async def run(self) -> None:
        """Send the whole game, then every update, and execute commands until the socket closes."""
        async with self._at_table:
            await self._sit_down(self._actor)
            async with self._authority.watch(self._game, self._actor) as (view, updates):
                await self._send(GameMessage(game=view))
                if self._tracing:
                    self._tracing.opened_or_closed(self._socket.scope)
                async with forwarding(self._socket, updates) as forwarder:
                    # Run in a separate task. Otherwise every message would resume about 40 await frames.
                    commands = self._listen(forwarder, updates)
                    listening = asyncio.create_task(self._work.meter.run(commands) if self._work else commands)
                    try:
                        await listening
                    finally:
                        await cancel_and_wait([listening])

    async def _listen(self, forwarder: asyncio.Task[None], updates: Subscription) -> None:
        """Execute one command after another until the socket closes."""
        while not forwarder.done() and (text := await socket_registry.receive_text(self._socket)) is not None:
            kind, outcome = "malformed", UNANSWERED
            try:
                command = parse_command(text)
                kind = command.type
                if command.id is None:
                    outcome = IGNORED
                    continue
                if isinstance(command, Hello | Ping | Say):
                    await self._answer(command, command.id)
                else:
                    if self._work:
                        self._work.charge(CHANGE)
                    performed = await self._authority.perform(self._game, command, self._actor, updates)
                    if not performed.answered:
                        await self._send_done(command.id, performed.revision)
                outcome = DONE
            except Refusal as refusal:
                outcome = outcome_of(refusal.kind)
                await self._refuse(text, problem_of(refusal))
            except StorageError as error:
                problem = storage_problem(error)
                outcome = outcome_of(problem.kind)
                await self._refuse(text, problem)
            finally:
                if self._tracing:
                    self._tracing.record(self._socket.scope, kind, self._game, outcome, write=True)

    async def _answer(self, command: Hello | Ping | Say, command_id: str) -> None:
        """Execute a command that exists only on sockets."""
        match command:
            case Hello(seat=token):
                header, _ = await self._authority.header(self._game)
                await self._sit_down(take_seat(header, self._actor, token))
                await self._send(GameMessage(game=await self._authority.view(self._game, self._actor)))
            case Say():
                if self._work:
                    self._work.charge(CHANGE)
                await self._chat.say(self._game, command, self._actor)
        await self._send_done(command_id, None)

    async def _send_done(self, command_id: str, revision: int | None) -> None:
        await self._send(DoneMessage(id=command_id, revision=revision, at=self._authority.clock_time()))

    async def _sit_down(self, actor: Actor) -> None:
        """Take a place at the table. A client that presents the same seat token again keeps its place."""
        if actor == self._actor and self._seated:
            return
        place = contextlib.AsyncExitStack()
        await place.enter_async_context(self._authority.at_table(self._game, actor))
        await self._at_table.aclose()  # only now: if the line above fails, the client keeps its old place
        self._at_table.push_async_exit(place)
        self._actor, self._seated = actor, True

    async def _refuse(self, text: str, problem: Problem) -> None:
        count_refusal(self._socket.scope, problem.kind)
        if (command_id := id_in(text)) is not None:
            await self._send(RefusedMessage(id=shortened(command_id), problem=problem))

    async def _send(self, message: Message) -> None:
        await self._socket.send_text(message.model_dump_json())
