"""One game between two engines. A player that crashes, plays an illegal token or is too slow loses that game."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from typing import Final

from cairn.arena.result import Forfeit, GameResult, forfeited, result_of
from cairn.arena.settings import ArenaSettings, Job
from cairn.arena.start import Draws, start
from cairn.engine import Engine, IllegalPlayError, open_engine
from cairn.game import Game
from cairn.vocabulary import CHANCE, FOREST, CairnError, Outcome, Reason, Token


def engine_text(settings: ArenaSettings, player: int) -> str:
    """The text that specifies a player's engine, with a seed if the engine uses one, so that games are reproducible."""
    text = settings.players[player]
    kind = text.partition(":")[0].partition(",")[0]
    if kind not in ("level", "random") or "seed=" in text:
        return text
    return f"{text},seed={random.Random(f'{settings.seed}:player:{player}').getrandbits(31)}"


class OpenEngines:
    """All players' engines. Each engine stays open until it fails."""

    def __init__(self, settings: ArenaSettings) -> None:
        self._settings: Final = settings
        self._engines: Final[dict[int, Engine]] = {}

    def get(self, player: int) -> Engine:
        """Return a player's engine, opening it if necessary."""
        if player not in self._engines:
            self._engines[player] = open_engine(engine_text(self._settings, player))
        return self._engines[player]

    def drop(self, player: int) -> None:
        """Close an engine that failed; the next game opens it again."""
        engine = self._engines.pop(player, None)
        if engine:
            with contextlib.suppress(Exception):
                engine.close()

    def close(self) -> None:
        """Close all engines."""
        for player in list(self._engines):
            self.drop(player)


class Match:
    """A game in progress."""

    def __init__(
        self,
        settings: ArenaSettings,
        job: Job,
        players: OpenEngines,
        watch: Callable[[int, Game], object] = lambda *_: None,
    ) -> None:
        self.settings: Final = settings
        self.job: Final = job
        self.players: Final = players
        self.watch: Final = watch
        """A callback that is called whenever a player starts thinking."""
        self.game: Final = start(settings.seed, job.pair, settings.opening_plies)
        self.opening: Final = len(self.game.tokens)
        self.draws: Final = Draws(settings.seed, job.pair)

    def play(self) -> GameResult:
        """Play the game to its end."""
        # 1. Clear the engines, so that the result does not depend on earlier games.
        forfeit = self._begin()
        # 2. Play until the board, the length limit or a forfeit ends the game.
        while forfeit is None and self.game.outcome is None:
            if len(self.game.tokens) >= self.settings.longest:
                self.game.end(Outcome(None, Reason.AGREEMENT))
                note = f"drawn by the arena after {self.settings.longest} tokens"
                return result_of(self.job, self.game, self.opening, note=note)
            if self.game.decider is CHANCE:
                self.game.push(self.draws.draw(self.game.legal_moves))
            else:
                forfeit = self._ask()
        # 3. Return the result.
        if forfeit:
            self.players.drop(forfeit.player)
            return forfeited(self.job, self.game, self.opening, forfeit)
        return result_of(self.job, self.game, self.opening)

    def _begin(self) -> Forfeit | None:
        for player in (self.job.forest, self.job.sea):
            self.watch(player, self.game)
            try:
                self.players.get(player).new_game()
            except Exception as error:  # noqa: BLE001  # any error counts as a crash of this player
                return Forfeit(player, "crash", _one_line(error))
        return None

    def _ask(self) -> Forfeit | None:
        player = self.job.forest if self.game.decider is FOREST else self.job.sea
        self.watch(player, self.game)
        limit = self.settings.limit_of(player)
        before = time.monotonic()
        token: Token | None = None
        forfeit: Forfeit | None = None
        try:
            token = self.players.get(player).play(self.game, limit).token
        except IllegalPlayError as error:
            forfeit = Forfeit(player, "illegal", _one_line(error))
        except Exception as error:  # noqa: BLE001  # any error counts as a crash of this player
            forfeit = Forfeit(player, "crash", _one_line(error))
        taken_ms = (time.monotonic() - before) * 1000
        allowed_ms = self.settings.allowed_ms(player)
        if allowed_ms is not None and taken_ms > allowed_ms:
            return Forfeit(player, "time", f"took {taken_ms:.0f} ms; the limit is {limit.movetime_ms} ms")
        return forfeit or self._push(player, token)

    def _push(self, player: int, token: Token | None) -> Forfeit | None:
        try:
            self.game.push(token or "")
        except CairnError as error:
            return Forfeit(player, "illegal", _one_line(error))
        return None


def _one_line(error: Exception) -> str:
    """An error's message as one line."""
    return " ".join((str(error) or type(error).__name__).split())[:200]
