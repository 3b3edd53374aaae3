"""How many games somebody may have: so that nobody fills the disk for everybody."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from cairn.server.errors import Refusal
from cairn.server.identity_database import Transactions
from cairn.server.identity_storage import Player
from cairn.server.limits import Limiter, Limits
from cairn.server.tables import games, players, seats, standings


class Quotas:
    """Counts before something is kept. Every refusal is a :class:`~cairn.server.errors.Refusal`."""

    def __init__(self, database: Transactions, limiter: Limiter, limits: Limits, *, shared: bool) -> None:
        self._database: Final = database
        self._limiter: Final = limiter
        self._limits: Final = limits
        self._shared: Final = shared
        """Whether strangers share the server. On one's own machine nobody counts local games."""

    async def begin_local(self, owner: Player | None, address: str, *, played: bool) -> None:
        """That somebody may begin a local game, perhaps one that comes with what was played."""
        if not self._shared:
            return
        self._limiter.spend("game", address)
        if played:
            self._limiter.spend("upload", address)
        guest = owner is None or owner.kind == "guest"
        most = self._limits.games_of_guest if guest else self._limits.games_of_account
        if owner is None or most is None:
            return
        theirs = sa.select(sa.func.count()).select_from(games).where(games.c.owner == owner.id)
        count = await self._database.read(lambda connection: connection.execute(theirs).scalar_one())
        if count >= most:
            more = " An account may have more." if guest else ""
            sentence = f"{most:,} games are kept for you already, those that you deleted among them.{more}"
            raise Refusal(409, "too-many-games", sentence)

    async def sit_down(self, player: str) -> None:
        """That a player may begin one more online game."""
        running = sa.select(sa.func.count()).select_from(seats.join(standings, seats.c.game == standings.c.game))
        running = running.where(seats.c.player == player, standings.c.reason.is_(None))
        of_player = sa.select(players.c.kind, running.scalar_subquery()).where(players.c.id == player)
        kind, count = await self._database.read(lambda connection: connection.execute(of_player).one())
        most = self._limits.running_of_guest if kind == "guest" else self._limits.running_of_account
        if most is None or count < most:
            return
        raise Refusal(409, "too-many-running", f"You play {most:,} games already. Please finish one of them first.")
