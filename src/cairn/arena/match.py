"""One game between two engines. Whatever a player does wrong costs it the game and nobody else."""

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
    """The text to open a player's engine with: one that plays by chance gets a seed, so that it plays so again."""
    text = settings.players[player]
    kind = text.partition(":")[0].partition(",")[0]
    if kind not in ("level", "random") or "seed=" in text:
        return text
    return f"{text},seed={random.Random(f'{settings.seed}:player:{player}').getrandbits(31)}"


class OpenEngines:
    """The engines of all players, each open until it fails."""

    def __init__(self, settings: ArenaSettings) -> None:
        self._settings: Final = settings
        self._engines: Final[dict[int, Engine]] = {}

    def get(self, player: int) -> Engine:
        """A player's engine, opened if it is not."""
        if player not in self._engines:
            self._engines[player] = open_engine(engine_text(self._settings, player))
        return self._engines[player]

    def drop(self, player: int) -> None:
        """Close an engine that failed; the next game opens it anew."""
        engine = self._engines.pop(player, None)
        if engine:
            with contextlib.suppress(Exception):
                engine.close()

    def close(self) -> None:
        """Close all engines."""
        for player in list(self._engines):
            self.drop(player)


class Match:
    """A game being played."""

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
        """Is told whenever a player begins to think."""
        self.game: Final = start(settings.seed, job.pair, settings.opening_plies)
        self.opening: Final = len(self.game.tokens)
        self.draws: Final = Draws(settings.seed, job.pair)

    def play(self) -> GameResult:
        """Play it to its end."""
        # 1. Nobody profits from what it found in another game: the result does not depend on who played what before.
        forfeit = self._begin()
        # 2. Tokens until the board, the bound or a forfeit ends it.
        while forfeit is None and self.game.outcome is None:
            if len(self.game.tokens) >= self.settings.longest:
                self.game.end(Outcome(None, Reason.AGREEMENT))
                note = f"drawn by the arena: {self.settings.longest} tokens and no end"
                return result_of(self.job, self.game, self.opening, note=note)
            if self.game.decider is CHANCE:
                self.game.push(self.draws.draw(self.game.legal_moves))
            else:
                forfeit = self._ask()
        # 3. What it came to.
        if forfeit:
            self.players.drop(forfeit.player)
            return forfeited(self.job, self.game, self.opening, forfeit)
        return result_of(self.job, self.game, self.opening)

    def _begin(self) -> Forfeit | None:
        for player in (self.job.forest, self.job.sea):
            self.watch(player, self.game)
            try:
                self.players.get(player).new_game()
            except Exception as error:  # noqa: BLE001  # whatever it is, this player is to blame
                return Forfeit(player, "crash", _one_line(error))
        return None

    def _ask(self) -> Forfeit | None:
        player = self.job.forest if self.game.decider is FOREST else self.job.sea
        self.watch(player, self.game)
        before = time.monotonic()
        token: Token | None = None
        forfeit: Forfeit | None = None
        try:
            token = self.players.get(player).play(self.game, self.settings.limit).token
        except IllegalPlayError as error:
            forfeit = Forfeit(player, "illegal", _one_line(error))
        except Exception as error:  # noqa: BLE001  # whatever it is, this player is to blame
            forfeit = Forfeit(player, "crash", _one_line(error))
        taken_ms = (time.monotonic() - before) * 1000
        allowed_ms = self.settings.allowed_ms
        if allowed_ms is not None and taken_ms > allowed_ms:
            return Forfeit(player, "time", f"took {taken_ms:.0f} ms of {self.settings.limit.movetime_ms}")
        return forfeit or self._push(player, token)

    def _push(self, player: int, token: Token | None) -> Forfeit | None:
        try:
            self.game.push(token or "")
        except CairnError as error:
            return Forfeit(player, "illegal", _one_line(error))
        return None


def _one_line(error: Exception) -> str:
    """An error in a line."""
    return " ".join((str(error) or type(error).__name__).split())[:200]
