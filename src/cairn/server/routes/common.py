"""What all routes share."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Annotated, Any, Final, TypeAlias

from fastapi import Depends, Path, Request
from starlette.exceptions import WebSocketException
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect

from cairn.server import cookies, sockets
from cairn.server.authority import Authority
from cairn.server.challenges import Challenges
from cairn.server.chat import Chat
from cairn.server.errors import TRY_AGAIN_LATER, UNKNOWN_SOCKET, Refusal, storage_problem
from cairn.server.guard import SAFE_METHODS
from cairn.server.identity import Identity, Visitor, refuse_bots
from cairn.server.identity_storage import Player
from cairn.server.limits import address_of
from cairn.server.models import Problem
from cairn.server.online_access import Actor
from cairn.server.quotas import Quotas
from cairn.server.ratings import Rankings
from cairn.server.storage import StorageError
from cairn.server.transport import Subscription, Transport

LOOK_AGAIN_SECONDS: Final = 10.0
"""So long what a socket tells may be old, should news get lost on their way."""

# What routes depend on is found by coroutines, also where nothing is waited for: FastAPI gives functions to threads.

PROBLEMS: Final[dict[int | str, dict[str, object]]] = {
    "4XX": {"model": Problem, "description": "The request was refused, and why."},
    "5XX": {"model": Problem, "description": "Nothing could be stored; what was confirmed before is safe."},
}


async def _authority(connection: HTTPConnection) -> Authority:
    authority = connection.app.state.authority
    assert isinstance(authority, Authority)  # noqa: S101  # the application put it there
    return authority


Decides: TypeAlias = Annotated[Authority, Depends(_authority)]
"""The authority of this server."""
GameId: TypeAlias = Annotated[str, Path(description="The id of a game.", max_length=100)]


async def _identity(connection: HTTPConnection) -> Identity:
    identity = connection.app.state.identity
    assert isinstance(identity, Identity)  # noqa: S101  # the application put it there
    return identity


Knows: TypeAlias = Annotated[Identity, Depends(_identity)]
"""Who is who on this server."""


async def _visitor(connection: HTTPConnection, identity: Knows) -> Visitor:
    """By the header for bots, or by the cookie; also at the handshake of a socket."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        visitor = await identity.visitor(token.strip(), "bot")
        if visitor.player is None:
            raise _unknown_bearer(connection)
    else:
        token = connection.cookies.get(cookies.NAME, "")
        visitor = await identity.visitor(token, "browser")
        if visitor.renewed:
            cookies.remember(connection, token)
    if visitor.player and visitor.session:
        sockets.belongs_to(connection, visitor.player, visitor.session)
    return visitor


AVisitor: TypeAlias = Annotated[Visitor, Depends(_visitor)]
"""Whoever asks, with their session."""


async def _current_player(visitor: AVisitor) -> Player | None:
    return visitor.player


async def _needs_player(request: Request, visitor: AVisitor, identity: Knows) -> Player:
    if visitor.player:
        return visitor.player
    if request.method in SAFE_METHODS:
        raise _sign_in_needed()
    made = await identity.guest(address_of(request))
    cookies.remember(request, made.token)
    return made.player


async def _needs_person(visitor: AVisitor) -> Visitor:
    if visitor.player is None:
        raise _sign_in_needed()
    refuse_bots(visitor.player)
    return visitor


async def _needs_account(visitor: Annotated[Visitor, Depends(_needs_person)]) -> Visitor:
    if visitor.player is None or visitor.player.kind != "account":
        raise Refusal(403, "account-needed", "This needs an account: please sign up or sign in.")
    return visitor


async def _needs_admin(visitor: Annotated[Visitor, Depends(_needs_account)]) -> Player:
    if visitor.player is None or not visitor.player.admin:
        raise Refusal(403, "admin-needed", "Only administrators may do this.")
    return visitor.player


async def _address(request: Request) -> str:
    return address_of(request)


CurrentPlayer: TypeAlias = Annotated[Player | None, Depends(_current_player)]
"""Who asks, if the server knows them; for sockets, too."""
NeedsPlayer: TypeAlias = Annotated[Player, Depends(_needs_player)]
"""Who asks. Whoever changes something without being known becomes a guest."""
NeedsPerson: TypeAlias = Annotated[Visitor, Depends(_needs_person)]
"""A guest or an account, in a browser."""
NeedsAccount: TypeAlias = Annotated[Visitor, Depends(_needs_account)]
"""An account, in a browser."""
NeedsAdmin: TypeAlias = Annotated[Player, Depends(_needs_admin)]
"""An administrator, in a browser."""
Address: TypeAlias = Annotated[str, Depends(_address)]
"""Where the request comes from."""


async def _actor(connection: HTTPConnection, visitor: AVisitor) -> Actor:
    """By the session, and by the token of a seat that the header shows."""
    actor = Actor(visitor.player.id if visitor.player else None, shared=connection.app.state.settings.shared)
    token = connection.headers.get("x-seat-token")
    return actor.with_seat(token) if token else actor


AnActor: TypeAlias = Annotated[Actor, Depends(_actor)]
"""For whom whoever asks may act. Sockets can show the token of a seat later, too."""


async def _owner(request: Request, visitor: AVisitor, identity: Knows) -> Player | None:
    """Who begins a local game: where strangers share the server somebody, elsewhere perhaps nobody."""
    if request.app.state.settings.shared:
        return await _needs_player(request, visitor, identity)
    return visitor.player


Owner: TypeAlias = Annotated[Player | None, Depends(_owner)]


async def _quotas(connection: HTTPConnection) -> Quotas:
    quotas = connection.app.state.quotas
    assert isinstance(quotas, Quotas)  # noqa: S101  # the application put it there
    return quotas


Counts: TypeAlias = Annotated[Quotas, Depends(_quotas)]
"""How much one may have."""


async def _challenges(connection: HTTPConnection) -> Challenges:
    challenges = connection.app.state.challenges
    assert isinstance(challenges, Challenges)  # noqa: S101  # the application put it there
    return challenges


async def _chat(connection: HTTPConnection) -> Chat:
    chat = connection.app.state.chat
    assert isinstance(chat, Chat)  # noqa: S101  # the application put it there
    return chat


async def _rankings(connection: HTTPConnection) -> Rankings:
    rankings = connection.app.state.rankings
    assert isinstance(rankings, Rankings)  # noqa: S101  # the application put it there
    return rankings


async def _transport(connection: HTTPConnection) -> Transport:
    transport: Transport = connection.app.state.transport
    return transport


Meets: TypeAlias = Annotated[Challenges, Depends(_challenges)]
"""How players meet."""
Talks: TypeAlias = Annotated[Chat, Depends(_chat)]
"""What they say."""
Ranks: TypeAlias = Annotated[Rankings, Depends(_rankings)]
"""How strong they are."""
Hub: TypeAlias = Annotated[Transport, Depends(_transport)]
"""How news are told."""


@contextlib.asynccontextmanager
async def closing(socket: WebSocket) -> AsyncIterator[None]:
    """Whatever ends a socket is said to whoever is there: there is no such thing, or they should come back."""
    with contextlib.suppress(WebSocketDisconnect):
        try:
            yield
        except Refusal as refusal:
            await socket.close(UNKNOWN_SOCKET, refusal.problem.sentence)
        except StorageError as error:
            await socket.close(TRY_AGAIN_LATER, storage_problem(error).sentence)


async def told(socket: WebSocket, news: Subscription, latest: Callable[[], Awaitable[str]]) -> None:
    """Tell the latest at once, whenever there are news, and now and then, if it changed; until the other has left.

    What ``latest`` raises is raised here, so that nobody waits at a socket that says nothing more.
    """
    changed = asyncio.Event()

    async def hear() -> bool:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
        return True

    async def listen() -> bool:
        async for _ in news:
            changed.set()
        return False

    async def tell() -> bool:
        said = ""
        while True:
            changed.clear()
            if (now := await latest()) != said:
                said = now
                await socket.send_text(said)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), LOOK_AGAIN_SECONDS)

    try:
        has_left = await _first(hear(), listen(), tell())
    finally:
        news.close()
    if not has_left:
        await socket.close(TRY_AGAIN_LATER)


async def _first(*works: Coroutine[Any, Any, bool]) -> bool:
    """Do several things at the same time until one is done: what it returns or raises. The others end by that."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task.result() for task in tasks if task.done())
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _sign_in_needed() -> Refusal:
    return Refusal(401, "sign-in-needed", "The server does not know who you are: please sign in.")


def _unknown_bearer(connection: HTTPConnection) -> Exception:
    sentence = "There is no such token, or it was revoked."
    if connection.scope["type"] == "websocket":
        return WebSocketException(sockets.SESSION_ENDED, sentence)
    return Refusal(401, "unknown-bearer", sentence, headers={"WWW-Authenticate": "Bearer"})
