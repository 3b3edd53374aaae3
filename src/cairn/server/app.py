"""The application: the parts of the server put together."""

from __future__ import annotations

import contextlib
import datetime
import functools
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic.json_schema import models_json_schema

import cairn
from cairn.server import errors
from cairn.server.authority import Authority
from cairn.server.bot_models import BOT_EVENTS
from cairn.server.bots import Bots
from cairn.server.challenges import Challenges
from cairn.server.challenges_database import ChallengeDatabase
from cairn.server.chance import Chance, SecretChance
from cairn.server.chat import Chat
from cairn.server.chat_database import ChatDatabase
from cairn.server.computer import Computer, EnginePool
from cairn.server.cookies import SessionCookie
from cairn.server.data import DATABASE, locked
from cairn.server.database import Database, folder_of, transport_of
from cairn.server.guard import BodyLimit, SameOrigin, SecurityHeaders
from cairn.server.identity import Identity
from cairn.server.identity_database import PlayerDatabase
from cairn.server.identity_storage import Forgotten
from cairn.server.limits import Limiter, RateLimit
from cairn.server.logs import going_on
from cairn.server.metrics import Measured, Metrics
from cairn.server.online_database import OnlineDatabase
from cairn.server.online_models import SOCKET_MESSAGES
from cairn.server.online_pulse import Pulse, ServerTime
from cairn.server.passwords import Passwords
from cairn.server.quotas import Quotas
from cairn.server.ratings import Rankings
from cairn.server.ratings_queries import RatingDatabase
from cairn.server.repeating import Repeating
from cairn.server.routes import (
    account,
    admin,
    bots,
    challenges,
    docs,
    games,
    health,
    learn,
    lobby,
    players,
    positions,
    records,
)
from cairn.server.routes.pages import Pages
from cairn.server.settings import Settings
from cairn.server.sockets import OpenSockets, SocketGate
from cairn.server.transport import Hub

TAKE_OVER_SECONDS: Final = 4.0
"""So often one looks for games whose computer died with its process."""
FIRST_SWEEP_SECONDS: Final = 60.0
SWEEP_SECONDS: Final = 6 * 3_600.0
"""So often guests who did nothing that is kept, and never came back, are forgotten."""

DESCRIPTION: Final = """Everything that the pages do goes through these requests. A game has a revision, which grows
with everything that happens; who changes a game says which revision they saw. The socket `/api/games/{game}/socket`
sends a `GameMessage` at once and an `UpdateMessage` for every change; it takes commands (`PlayCommand`, …), and answers
each with its `UpdateMessage`, a `DoneMessage` or a `RefusedMessage`. A refusal is told as a `Problem`."""


def create_app(
    settings: Settings | None = None,
    *,
    chance: Chance | None = None,
    computer: Computer | None = None,
    now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
) -> FastAPI:
    """The application. Its lifespan holds the data folder and the database.

    Entering that raises :class:`~cairn.server.data.DataError` with a sentence where games cannot be kept.
    """
    settings = settings or Settings()
    limits = settings.limits
    limiter, sockets, metrics = Limiter(limits), OpenSockets(limits), Metrics()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            where = settings.database or settings.data / DATABASE
            folder = folder_of(where)
            app.state.lock = stack.enter_context(locked(folder)) if folder else None
            database = await Database.open(where)
            stack.push_async_callback(database.close)
            transport = transport_of(database)
            stack.push_async_callback(transport.close)
            thinker = computer or EnginePool(settings.engine_threads, settings.computer_seed)
            dealer, online = chance or SecretChance(), OnlineDatabase(database, several=database.shared)
            time = ServerTime(now) if database.shared else None
            authority = Authority(
                database,
                transport,
                thinker,
                dealer,
                online=online,
                most_live_games=settings.most_live_games,
                now=time or now,
            )
            stack.push_async_callback(authority.close)
            always = settings.shared or database.shared
            pulse = app.state.pulse = Pulse(online, authority, now, always=always, time=time)
            stack.push_async_callback(pulse.close)
            await transport.start(authority)
            await authority.resume(await pulse.start())
            problem = "games that wait for the computer were not looked for"
            takeovers = Repeating(authority.take_over, TAKE_OVER_SECONDS, problem)
            stack.push_async_callback(takeovers.close)
            takeovers.start()
            app.state.authority = authority
            app.state.transport = transport
            app.state.database = database
            database.commits.observe = metrics.commit_seconds.observe
            metrics.read(*_counts(authority, database, transport))
            quotas = app.state.quotas = Quotas(database, limiter, limits, shared=settings.shared)
            app.state.challenges = Challenges(ChallengeDatabase(database), authority, dealer, quotas, limits, now)
            app.state.bots = Bots(database, authority, app.state.challenges, transport)
            app.state.chat = Chat(ChatDatabase(database), authority, limits, now)
            app.state.rankings = Rankings(RatingDatabase(database), now)
            await stack.enter_async_context(_people(app, sockets, now))
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
        separate_input_output_schemas=False,  # so that a seat is a seat wherever it stands
        generate_unique_id_function=_operation_id,
    )
    app.state.settings, app.state.limiter, app.state.metrics = settings, limiter, metrics
    errors.install(app)
    for each in (games, challenges, lobby, players, records, positions, learn, account, admin, bots, health, docs):
        app.include_router(each.router)
    app.router.default = Pages(settings.pages)
    app.add_middleware(SocketGate, sockets=sockets, limiter=limiter)
    _guard(app, settings, limiter)
    app.add_middleware(Measured, metrics=metrics)
    app.openapi = functools.partial(_openapi, app, app.openapi)  # type: ignore[method-assign]  # as FastAPI wants it
    return app


@contextlib.asynccontextmanager
async def _people(app: FastAPI, sockets: OpenSockets, now: Callable[[], datetime.datetime]) -> AsyncIterator[None]:
    """Who is who on this server, and who is forgotten."""
    authority, passwords, storage = app.state.authority, Passwords(), PlayerDatabase(app.state.database)

    async def ended(whose: Forgotten) -> None:
        # It is stored already, so that nothing here may refuse it.
        with going_on("sessions are not looked at"):  # they are, every few seconds
            await sockets.look(whose.players)
        for game in whose.games:
            with going_on(f"game {game} was not forgotten"):
                await authority.forget(game)

    identity = app.state.identity = Identity(storage, passwords, app.state.limiter, now, ended=ended)
    idle = datetime.timedelta(days=app.state.settings.guest_days)
    sweeps = Repeating(lambda: identity.sweep(idle), SWEEP_SECONDS, "guests are not swept", first=FIRST_SWEEP_SECONDS)
    sockets.start(storage)
    sweeps.start()
    try:
        yield
    finally:
        await sweeps.close()
        await sockets.close()
        passwords.close()


def _counts(
    authority: Authority, database: Database, transport: Hub
) -> tuple[Callable[[], dict[str, float]], Callable[[], dict[str, float]]]:
    """What is read for the metrics: what grows, and what goes up and down."""
    commits = database.commits

    def counters() -> dict[str, float]:
        counts = commits.counts
        return {
            "commits": counts.commits,
            "appends": counts.appends,
            "appends_refused": counts.refused,
            "appends_failed": counts.failed,
        }

    def gauges() -> dict[str, float]:
        return {
            "live_games": authority.live_games,
            "games_computer_thinks_about": authority.thinking,
            "appends_waiting": commits.waiting,
            "watchers": transport.sockets,
            "messages_waiting": transport.queued,
            "listening": transport.listening,
        }

    return counters, gauges


def _guard(app: FastAPI, settings: Settings, limiter: Limiter) -> None:
    """What every request has to pass. The last one added is the first to see it."""
    app.add_middleware(SessionCookie)
    app.add_middleware(BodyLimit, most_bytes=settings.most_body_bytes)
    app.add_middleware(SameOrigin, hosts=settings.hosts)
    app.add_middleware(RateLimit, limiter=limiter)
    app.add_middleware(errors.Unexpected)
    app.add_middleware(SecurityHeaders)


def _openapi(app: FastAPI, plain: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The description of the web API, with the messages of sockets and streams, which OpenAPI knows nothing of."""
    if app.openapi_schema is None:
        schemas = plain()["components"]["schemas"]
        _, told = models_json_schema(
            [(each, "validation") for each in (*SOCKET_MESSAGES, *BOT_EVENTS)],
            ref_template="#/components/schemas/{model}",
        )
        schemas |= {name: schema for name, schema in told["$defs"].items() if name not in schemas}
    assert app.openapi_schema is not None  # noqa: S101  # made just now
    return app.openapi_schema


def _operation_id(route: APIRoute) -> str:
    return route.name
