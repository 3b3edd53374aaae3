"""The web application."""

from __future__ import annotations

import contextlib
import functools
import typing
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

import cairn
from cairn.server.attribute_docs import add_descriptions
from cairn.server.errors import DataError, StorageError
from cairn.server.messages.bots import BOT_EVENTS
from cairn.server.messages.sockets import SOCKET_MESSAGES
from cairn.server.players.limits import Limiter
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE, lock_folder
from cairn.server.storage.engines.database import folder_of
from cairn.server.traces.loop_delays import LoopDelays
from cairn.server.traces.tracer import Tracer
from cairn.server.web import error_handlers
from cairn.server.web.lifespan import Observers, World, open_services
from cairn.server.web.metrics import Measured, Metrics
from cairn.server.web.middleware.forwarded import Forwarded, Proxies
from cairn.server.web.middleware.guard import BodyLimit, NulPaths, SameOrigin, SecurityHeaders
from cairn.server.web.middleware.rate_limit import RateLimit
from cairn.server.web.middleware.session_cookie import SessionCookie
from cairn.server.web.middleware.socket_gate import SocketGate
from cairn.server.web.routes import (
    account,
    admin,
    bots,
    challenges,
    docs,
    explorer,
    games,
    health,
    lobby,
    players,
    positions,
    puzzles,
    records,
)
from cairn.server.web.socket_registry import SocketRegistry
from cairn.server.web.static import Pages, build_of
from cairn.server.web.tracing import Traced
from cairn.story import Effect

DESCRIPTION: Final = """The web app uses only these requests. Every game has a revision, which grows with each
event; a command contains the revision that its sender has seen. The socket `/api/games/{game}/socket` first sends a
`GameMessage`, then an `UpdateMessage` for every change. It accepts commands (`Play`, `Undo`, …) and answers each with
the resulting `UpdateMessage`, a `DoneMessage` or a `RefusedMessage`. A refusal contains a `Problem`. Responses contain
the build id of the server's pages in the header `X-Cairn-Build`."""


def create_app(settings: Settings | None = None, world: World | None = None) -> FastAPI:
    """Create the application. Its lifespan locks the data folder and opens the database.

    Raises :class:`DataError` if a setting is not valid. Entering the lifespan raises the same
    error if games cannot be stored.
    """
    settings = settings or Settings()
    world = world or World()
    limiter, sockets, metrics = Limiter(settings.limits, world.monotonic), SocketRegistry(settings.limits), Metrics()
    tracer = Tracer(world.monotonic) if settings.traced else None
    observers = Observers(metrics, tracer, LoopDelays(metrics.loop_delay.observe))

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            where = settings.database or settings.data / DATABASE
            folder = folder_of(where)
            app.state.lock = stack.enter_context(lock_folder(folder)) if folder else None
            database = await world.open_database(where)
            stack.push_async_callback(database.close)
            services = open_services(settings, database, sockets, limiter, observers, world)
            try:
                app.state.services = await stack.enter_async_context(services)
            except StorageError as error:  # for example, the disk is still full
                raise DataError(str(error)) from None
            yield

    app = FastAPI(
        title="Cairn",
        version=cairn.__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        separate_input_output_schemas=False,  # one schema per message, for input and output
    )
    error_handlers.install(app)
    routes = (games, challenges, lobby, players, puzzles, records, positions, explorer, account, admin, bots, health)
    for each in (*routes, docs):
        # include_router would analyse every route again for each application, which would delay startup by 0.17 s.
        app.router.routes.extend(each.router.routes)
    app.router.default = Pages(settings.pages)
    app.state.limiter, app.state.metrics = limiter, metrics
    app.state.tracer, app.state.loop_delays = tracer, observers.loop_delays
    _add_middleware(app, settings, sockets, limiter, observers, world)
    app.openapi = functools.partial(_openapi, app, app.openapi)  # type: ignore[method-assign]  # as FastAPI documents
    return app


def _add_middleware(
    app: FastAPI, settings: Settings, sockets: SocketRegistry, limiter: Limiter, observers: Observers, world: World
) -> None:
    """Add the middleware from the inside out. The last one added sees each request first."""
    app.add_middleware(SocketGate, sockets=sockets)
    app.add_middleware(SessionCookie)
    app.add_middleware(NulPaths)
    app.add_middleware(BodyLimit, most_bytes=settings.most_body_bytes)
    app.add_middleware(SameOrigin, hosts=settings.hosts)
    app.add_middleware(RateLimit, limiter=limiter, processor_time=world.processor_time)
    app.add_middleware(error_handlers.Unexpected)
    app.add_middleware(SecurityHeaders, build=build_of(settings.pages))
    if observers.tracer:
        app.add_middleware(Traced, tracer=observers.tracer)
    app.add_middleware(Measured, metrics=observers.metrics)
    app.add_middleware(Forwarded, proxies=Proxies(settings.proxies))


def _openapi(app: FastAPI, plain: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The OpenAPI description, plus the messages on sockets and streams, which OpenAPI does not cover."""
    if app.openapi_schema is None:
        schema = plain()
        schemas = schema["components"]["schemas"]
        _, described = models_json_schema(
            [(each, "validation") for each in (*SOCKET_MESSAGES, *BOT_EVENTS)],
            ref_template="#/components/schemas/{model}",
        )
        schemas |= {name: each for name, each in described["$defs"].items() if name not in schemas}
        for effect in typing.get_args(Effect):  # plain classes, which do not call add_descriptions themselves
            add_descriptions(schemas[effect.__name__], effect)
        app.openapi_schema = schema
    return app.openapi_schema
