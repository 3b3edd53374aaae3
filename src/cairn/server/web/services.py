"""The parts of a running server, assembled once and shared by all routes."""

from __future__ import annotations

import dataclasses

from cairn.server.health.damaged_games import DamagedGames
from cairn.server.health.readiness import Readiness
from cairn.server.live.authority import Authority
from cairn.server.live.explorer import Explorer
from cairn.server.live.heartbeat import Heartbeat
from cairn.server.lobby.bots import BotStreams
from cairn.server.lobby.challenges import Challenges
from cairn.server.lobby.chat import Chat
from cairn.server.lobby.feed import LobbyFeed
from cairn.server.players.analysis import AnalysisService
from cairn.server.players.identity import Identity
from cairn.server.players.limits import Limiter
from cairn.server.players.profiles import Profiles
from cairn.server.players.puzzles import Puzzles
from cairn.server.players.quotas import Quotas
from cairn.server.players.traffic_report import TrafficReport
from cairn.server.previews.pictures import Pictures
from cairn.server.settings import Settings
from cairn.server.storage.engines.database import Database
from cairn.server.transport.hub import Hub
from cairn.server.web.metrics import Metrics


@dataclasses.dataclass(frozen=True, slots=True)
class Services:
    """Everything that the routes use."""

    settings: Settings
    limiter: Limiter
    metrics: Metrics
    database: Database
    hub: Hub
    authority: Authority
    heartbeat: Heartbeat
    readiness: Readiness
    damaged_games: DamagedGames
    identity: Identity
    quotas: Quotas
    challenges: Challenges
    lobby: LobbyFeed
    bots: BotStreams
    chat: Chat
    profiles: Profiles
    puzzles: Puzzles
    analysis: AnalysisService
    traffic: TrafficReport
    pictures: Pictures
    explorer: Explorer
