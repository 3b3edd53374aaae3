"""Start a server's services, and stop them in reverse order."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

from cairn.server.game.chance import Chance, SecretChance
from cairn.server.health.damaged_games import DamagedGames
from cairn.server.health.log_check import LogCheck
from cairn.server.health.readiness import Readiness
from cairn.server.live.authority import Authority
from cairn.server.live.engine_pool import Computer, EnginePool
from cairn.server.live.explorer import Explorer
from cairn.server.live.heartbeat import Heartbeat
from cairn.server.live.periodic import PeriodicTask
from cairn.server.live.server_time import ProcessClock, ServerTime
from cairn.server.lobby.bots import BotStreams
from cairn.server.lobby.challenges import Challenges
from cairn.server.lobby.chat import Chat
from cairn.server.lobby.feed import LobbyFeed
from cairn.server.logs import log_and_continue
from cairn.server.players.analysis import AnalysisService
from cairn.server.players.identity import Identity
from cairn.server.players.limit_exchange import LimitExchange
from cairn.server.players.limits import Limiter
from cairn.server.players.passwords import Passwords
from cairn.server.players.profiles import Profiles
from cairn.server.players.puzzles import Puzzles
from cairn.server.players.quotas import Quotas
from cairn.server.players.traffic_report import TrafficReport
from cairn.server.players.workload import ADDRESS, PLAYER
from cairn.server.previews.pictures import Pictures
from cairn.server.settings import Settings
from cairn.server.storage.challenges import ChallengeRepository
from cairn.server.storage.chat import ChatRepository
from cairn.server.storage.data_folder import TRACES
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.players.repository import PlayerRepository
from cairn.server.storage.players.rows import Forgotten
from cairn.server.storage.presence import PresenceRepository
from cairn.server.storage.puzzles import PuzzleRepository
from cairn.server.storage.rankings import RankingRepository
from cairn.server.traces.loop_delays import LoopDelays
from cairn.server.traces.tracer import Tracer
from cairn.server.transport.hub import Hub
from cairn.server.transport.opening import open_hub
from cairn.server.web.metrics import Metrics
from cairn.server.web.services import Services
from cairn.server.web.socket_registry import SocketRegistry

TAKE_OVER_SECONDS: Final = 4.0
"""How often to check for games whose computer player died with its process."""
FIRST_SECONDS: Final = 10.0
"""How long after startup to check the storage for the first time."""
FIRST_SWEEP_SECONDS: Final = 60.0
SWEEP_SECONDS: Final = 6 * 3_600.0
"""How often to delete idle guests and stale presence rows, and to end abandoned games."""
FILE_CHECK_SECONDS: Final = 600.0
"""How often to check the database file for damage."""
EXPLORER_SECONDS: Final = 30.0
"""How often to add finished games to the explorer."""
LOG_CHECK_SECONDS: Final = 3_600.0
"""How long to wait after verifying all logs before verifying them again."""


@dataclasses.dataclass(frozen=True, slots=True)
class World:
    """The parts that the server does not control: chance, the computer player and the time. Tests replace them."""

    chance: Chance = dataclasses.field(default_factory=SecretChance)
    computer: Computer | None = None
    """By default, an engine pool with the threads and the seed from the settings."""
    now: Callable[[], datetime.datetime] = dataclasses.field(default_factory=ProcessClock)
    monotonic: Callable[[], float] = time.monotonic
    """The clock for refilling rate limits, in seconds."""
    processor_time: Callable[[], float] = time.thread_time
    """The CPU time used by the current thread, in seconds."""
    open_database: Callable[[Path | str], Awaitable[Database]] = Database.open
    open_hub: Callable[[Database], Hub] = open_hub


@dataclasses.dataclass(frozen=True, slots=True)
class Observers:
    """The metrics, the tracer and the measurement of loop delays. They are active before the services start."""

    metrics: Metrics
    tracer: Tracer | None
    """``None`` if tracing is off."""
    loop_delays: LoopDelays


@contextlib.asynccontextmanager
async def open_services(
    settings: Settings,
    database: Database,
    sockets: SocketRegistry,
    limiter: Limiter,
    observers: Observers,
    world: World,
) -> AsyncIterator[Services]:
    """Start a server's services on an open database, and stop them at the end of the block."""
    now = world.now
    async with contextlib.AsyncExitStack() as stack:
        hub = world.open_hub(database)
        stack.push_async_callback(hub.close)
        damaged = DamagedGames(now)
        games = GameRepository(database, damaged.report)
        players, presence = PlayerRepository(database), PresenceRepository(database)
        time = ServerTime(now, freezes=database.multi_process)
        authority = Authority(
            games,
            presence,
            hub,
            world.computer or EnginePool(settings.engine_threads, settings.computer_seed),
            world.chance,
            most_games_in_memory=settings.most_games_in_memory,
            time=time,
        )
        stack.push_async_callback(authority.close)
        always = settings.public or database.multi_process
        heartbeat = Heartbeat(presence, games, authority, time, always=always)
        stack.push_async_callback(heartbeat.close)
        await hub.start(authority)
        exchange = LimitExchange(limiter, hub)
        stack.push_async_callback(exchange.close)
        exchange.start()
        await authority.start(await heartbeat.start())
        identity = await stack.enter_async_context(_identity(players, authority, sockets, limiter, now))
        explorer = Explorer(database, games, now)
        await stack.enter_async_context(_periodic(settings, authority, identity, presence, explorer, now))
        await stack.enter_async_context(_checks(database, LogCheck(database, games, damaged)))
        readiness = Readiness(database)
        stack.callback(readiness.close)
        await stack.enter_async_context(_traces(settings, observers.tracer, authority))
        database.commits.observe = observers.metrics.commit_seconds.observe
        observers.metrics.collect_from(*_counts(authority, database, hub, limiter, damaged, observers.tracer))
        limits = settings.limits
        quotas = Quotas(games, players, limiter, limits, public=settings.public)
        offers, rankings = ChallengeRepository(database), RankingRepository(database)
        challenges = Challenges(offers, authority, world.chance, quotas, limits, now)
        lobby = LobbyFeed(offers, hub, now)
        stack.push_async_callback(lobby.close)
        lobby.start()
        analysis = AnalysisService(games)
        stack.push_async_callback(analysis.close)
        yield Services(
            settings=settings,
            limiter=limiter,
            metrics=observers.metrics,
            database=database,
            hub=hub,
            authority=authority,
            heartbeat=heartbeat,
            readiness=readiness,
            damaged_games=damaged,
            identity=identity,
            quotas=quotas,
            challenges=challenges,
            lobby=lobby,
            bots=BotStreams(authority, challenges, lobby, hub),
            chat=Chat(ChatRepository(database), authority, limits, now),
            profiles=Profiles(rankings, now),
            puzzles=Puzzles(PuzzleRepository(database), identity, now),
            analysis=analysis,
            traffic=TrafficReport(
                observers.tracer, observers.loop_delays, rankings, authority.attendance.presence.process
            ),
            pictures=Pictures(),
            explorer=explorer,
        )


def _traces(
    settings: Settings, tracer: Tracer | None, authority: Authority
) -> contextlib.AbstractAsyncContextManager[None]:
    """Write traces to the data folder, if tracing is on."""
    if tracer is None:
        return contextlib.nullcontext()
    return tracer.writing(
        settings.data / TRACES,
        authority.attendance.presence.process,
        most_bytes=settings.trace_bytes,
        files=settings.trace_files,
        days=settings.trace_days,
    )


@contextlib.asynccontextmanager
async def _identity(
    players: PlayerRepository,
    authority: Authority,
    sockets: SocketRegistry,
    limiter: Limiter,
    now: Callable[[], datetime.datetime],
) -> AsyncIterator[Identity]:
    """Run the identity service, which closes the sockets of sessions that have ended."""

    async def ended(forgotten: Forgotten) -> None:
        # The change is already stored, so the request must succeed even if something fails here.
        with log_and_continue("could not check sessions"):  # the registry checks them again in a few seconds
            await sockets.check(players, forgotten.players)
        for game in forgotten.games:
            with log_and_continue(f"could not drop game {game} from memory"):
                await authority.forget(game)

    passwords = Passwords()
    sockets.start(players)
    try:
        yield Identity(players, passwords, limiter, now, ended=ended)
    finally:
        await sockets.close()
        passwords.close()


@contextlib.asynccontextmanager
async def _periodic(
    settings: Settings,
    authority: Authority,
    identity: Identity,
    presence: PresenceRepository,
    explorer: Explorer,
    now: Callable[[], datetime.datetime],
) -> AsyncIterator[None]:
    """Run a server's periodic tasks during the block."""
    idle = datetime.timedelta(days=settings.guest_days)
    tasks = (
        PeriodicTask(authority.take_over, TAKE_OVER_SECONDS, "could not take over the computer's games"),
        PeriodicTask(
            lambda: identity.sweep(idle), SWEEP_SECONDS, "could not delete idle guests", first=FIRST_SWEEP_SECONDS
        ),
        PeriodicTask(
            lambda: presence.sweep(now()), SWEEP_SECONDS, "could not delete stale presence", first=FIRST_SWEEP_SECONDS
        ),
        PeriodicTask(
            authority.end_abandoned, SWEEP_SECONDS, "could not end abandoned games", first=FIRST_SWEEP_SECONDS
        ),
        PeriodicTask(explorer.update, EXPLORER_SECONDS, "could not add finished games to the explorer"),
    )
    async with _running(*tasks):
        yield


@contextlib.asynccontextmanager
async def _checks(database: Database, logs: LogCheck) -> AsyncIterator[None]:
    """Check the storage in the background during the block."""
    async with _running(
        PeriodicTask(
            database.backend.check_file, FILE_CHECK_SECONDS, "could not check the database file", first=FIRST_SECONDS
        ),
        PeriodicTask(logs.check_all, LOG_CHECK_SECONDS, "could not verify the logs", first=FIRST_SECONDS),
    ):
        yield


@contextlib.asynccontextmanager
async def _running(*tasks: PeriodicTask) -> AsyncIterator[None]:
    for task in tasks:
        task.start()
    try:
        yield
    finally:
        for task in tasks:
            await task.close()


def _counts(
    authority: Authority,
    database: Database,
    hub: Hub,
    limiter: Limiter,
    damaged: DamagedGames,
    tracer: Tracer | None,
) -> tuple[Callable[[], dict[str, float]], Callable[[], dict[str, float]]]:
    """Functions that read the counters and the gauges for the metrics."""
    commits = database.commits

    def counters() -> dict[str, float]:
        counts = commits.counts
        return {
            "commits": counts.commits,
            "appends": counts.appends,
            "appends_refused": counts.refused,
            "appends_failed": counts.failed,
            **dataclasses.asdict(limiter.counts),
            "traces_dropped": tracer.dropped if tracer else 0,
        }

    def gauges() -> dict[str, float]:
        return {
            "live_games": authority.games_in_memory,
            "games_computer_thinks_about": len(authority.computer_turns),
            "appends_waiting": commits.waiting,
            "watchers": hub.watchers,
            "messages_waiting": hub.queued,
            "listening": hub.listening,
            "addresses_in_debt": limiter.debtors(ADDRESS),
            "players_in_debt": limiter.debtors(PLAYER),
            "damaged_games": len(damaged),
            "database_damaged": database.backend.damage is not None,
        }

    return counters, gauges
