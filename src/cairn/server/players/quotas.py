"""Limits on the number of games per player, so that nobody can fill the disk."""

from __future__ import annotations

from typing import Final

from cairn.server.errors import Refusal
from cairn.server.players.limits import Limiter, Limits
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.players.repository import PlayerRepository
from cairn.server.storage.players.rows import Player


class Quotas:
    """Checks quotas before something is stored."""

    def __init__(
        self, games: GameRepository, players: PlayerRepository, limiter: Limiter, limits: Limits, *, public: bool
    ) -> None:
        self._games: Final = games
        self._players: Final = players
        self._limiter: Final = limiter
        self._limits: Final = limits
        self._public: Final = public
        """Whether the server is public. On a private server, local games are not counted."""

    async def require_local_game(self, owner: Player | None, address: str, *, upload: bool) -> None:
        """Refuse if the player may not begin another local game. With ``upload``, the game comes with tokens."""
        if not self._public:
            return
        self._limiter.spend("game", address)
        if upload:
            self._limiter.spend("upload", address)
        guest = owner is None or owner.kind == "guest"
        most = self._limits.games_of_guest if guest else self._limits.games_of_account
        if owner is None or most is None or await self._games.count_owned(owner.id) < most:
            return
        more = " An account can have more." if guest else ""
        sentence = f"You already have {most:,} games, including deleted ones.{more}"
        raise Refusal(409, "too-many-games", sentence)

    async def require_online_game(self, player: str) -> None:
        """Refuse if the player may not begin another online game."""
        kind, count = await self._players.running_games(player)
        most = self._limits.running_of_guest if kind == "guest" else self._limits.running_of_account
        if most is not None and count >= most:
            sentence = f"You are already playing {most:,} games. Finish one of them first."
            raise Refusal(409, "too-many-running", sentence)
