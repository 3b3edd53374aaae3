"""Dependencies of the routes: the services, and the sender of the request."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from fastapi import APIRouter, Depends, Path, Request
from starlette.exceptions import WebSocketException
from starlette.requests import HTTPConnection

from cairn.server.errors import Refusal
from cairn.server.game.access import Actor
from cairn.server.messages.problems import Problem
from cairn.server.players.identity import Visitor, refuse_bots
from cairn.server.players.limits import TooMany
from cairn.server.players.workload import workload_of
from cairn.server.storage.players.rows import Player
from cairn.server.web import socket_registry
from cairn.server.web.close_codes import SESSION_ENDED, TRY_AGAIN_LATER
from cairn.server.web.metrics import SAFE_METHODS, count_refusal
from cairn.server.web.middleware import session_cookie
from cairn.server.web.middleware.rate_limit import address_of
from cairn.server.web.services import Services
from cairn.server.web.tracing import assign_player

# Dependencies are coroutines even if they await nothing, because FastAPI runs plain functions on threads.

PROBLEMS: Final[dict[int | str, dict[str, object]]] = {
    "4XX": {"model": Problem, "description": "The request was refused."},
    "5XX": {"model": Problem, "description": "The request failed. Everything acknowledged earlier is safe."},
}


def api_router(prefix: str, tag: str) -> APIRouter:
    """A router that uses the names of its functions as operation ids."""
    return APIRouter(
        prefix=prefix, tags=[tag], responses=PROBLEMS, generate_unique_id_function=lambda route: route.name
    )


GameId: TypeAlias = Annotated[str, Path(description="The id of a game.", max_length=100)]


def _services_of(connection: HTTPConnection) -> Services:
    """The services. Dependencies call this directly, because each level of FastAPI's dependency tree costs time."""
    services: Services = connection.app.state.services
    return services


async def _services(connection: HTTPConnection) -> Services:
    return _services_of(connection)


ServicesDep: TypeAlias = Annotated[Services, Depends(_services)]


async def _visitor(connection: HTTPConnection) -> Visitor:
    """The visitor, from a bot token or the cookie. Also used for a socket's handshake."""
    identity = _services_of(connection).identity
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        visitor = await identity.visitor(token.strip(), "bot")
        if visitor.player is None:
            raise _unknown_bearer(connection)
    else:
        token = session_cookie.token_of(connection)
        visitor = await identity.visitor(token, "browser")
        if visitor.renewed or (visitor.player and session_cookie.is_outdated(connection)):
            session_cookie.remember(connection, token)
    if visitor.player and visitor.session:
        assign_player(connection.scope, visitor.player.id)
        _require_budget(connection, visitor.player)
        socket_registry.assign_to_player(connection, visitor.player, visitor.session)
    return visitor


def _require_budget(connection: HTTPConnection, player: Player) -> None:
    """Charge the request to its player too, and refuse it if the player is in debt."""
    work = workload_of(connection.scope)
    if work is None:
        return
    work.assign(player.id)
    try:
        work.require()
    except TooMany as refusal:
        if connection.scope["type"] == "websocket":
            count_refusal(connection.scope, refusal.kind)
            raise WebSocketException(TRY_AGAIN_LATER, refusal.sentence) from None
        raise


VisitorDep: TypeAlias = Annotated[Visitor, Depends(_visitor)]
"""The sender of the request, and their session if they have one."""


async def _current_player(visitor: VisitorDep) -> Player | None:
    return visitor.player


async def _player(request: Request, visitor: VisitorDep) -> Player:
    if visitor.player:
        return visitor.player
    if request.method in SAFE_METHODS:
        raise _sign_in_needed()
    made = await _services_of(request).identity.guest(address_of(request))
    session_cookie.remember(request, made.token)
    assign_player(request.scope, made.player.id)
    return made.player


async def _person(visitor: VisitorDep) -> Visitor:
    if visitor.player is None:
        raise _sign_in_needed()
    refuse_bots(visitor.player)
    return visitor


async def _account(visitor: Annotated[Visitor, Depends(_person)]) -> Visitor:
    if visitor.player is None or visitor.player.kind != "account":
        raise Refusal(403, "account-needed", "You need an account for this. Please sign up or sign in.")
    return visitor


async def _admin(visitor: Annotated[Visitor, Depends(_account)]) -> Player:
    if visitor.player is None or not visitor.player.admin:
        raise Refusal(403, "admin-needed", "Only administrators can do this.")
    return visitor.player


async def _address(request: Request) -> str:
    return address_of(request)


CurrentPlayerDep: TypeAlias = Annotated[Player | None, Depends(_current_player)]
"""The player; ``None`` for an unknown visitor."""
PlayerDep: TypeAlias = Annotated[Player, Depends(_player)]
"""The player. A request that changes something turns an unknown visitor into a guest."""
PersonDep: TypeAlias = Annotated[Visitor, Depends(_person)]
"""A guest or an account, not a bot."""
AccountDep: TypeAlias = Annotated[Visitor, Depends(_account)]
"""An account."""
AdminDep: TypeAlias = Annotated[Player, Depends(_admin)]
"""An administrator."""
AddressDep: TypeAlias = Annotated[str, Depends(_address)]
"""The network address, for rate limits."""


async def _actor(connection: HTTPConnection, visitor: VisitorDep) -> Actor:
    """The actor, from the session and the seat token header. A socket can also present a seat token later."""
    public = _services_of(connection).settings.public
    actor = Actor(visitor.player.id if visitor.player else None, owns_local_games=not public)
    token = connection.headers.get("x-seat-token")
    return actor.with_seat(token) if token else actor


ActorDep: TypeAlias = Annotated[Actor, Depends(_actor)]
"""The sender, with the credentials that determine what they may do in a game."""


async def _owner(request: Request, visitor: VisitorDep) -> Player | None:
    """The owner of a new local game. On a public server, every game has one."""
    if _services_of(request).settings.public:
        return await _player(request, visitor)
    return visitor.player


OwnerDep: TypeAlias = Annotated[Player | None, Depends(_owner)]


def _sign_in_needed() -> Refusal:
    return Refusal(401, "sign-in-needed", "You are not signed in.")


def _unknown_bearer(connection: HTTPConnection) -> Exception:
    sentence = "This token does not exist, or it was revoked."
    if connection.scope["type"] == "websocket":
        count_refusal(connection.scope, "unknown-bearer")
        return WebSocketException(SESSION_ENDED, sentence)
    return Refusal(401, "unknown-bearer", sentence, headers={"WWW-Authenticate": "Bearer"})
