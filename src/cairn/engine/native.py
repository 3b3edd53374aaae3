"""The engine in the native core."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Final

from cairn import _native
from cairn.board import Board
from cairn.engine.engine import Analysis, Engine, Line, Played, require_decision
from cairn.engine.levels import Level, level_of
from cairn.engine.limits import NO_LIMIT, Limit
from cairn.engine.network import RELEASED, open_network
from cairn.engine.score import Score
from cairn.engine.stopper import OneAtATime, Stopper
from cairn.game import Game
from cairn.vocabulary import TRIBES, Token, Tribe

MOST_THREADS: Final = 64
MOST_MEGABYTES: Final = 65_536
SEEDS: Final = 2**64
CLOSING_SECONDS: Final = 10.0

_Found = Sequence[tuple[int, int, tuple[Token, ...]]]
"""Lines from the core: score, depth, tokens."""


class NativeEngine(Engine):
    """Searches with the native core, at full strength or at a level from 1 to 10.

    At full strength, a search is reproducible if it has one thread and a node or depth limit and follows a call to
    :meth:`new_game`. At a level, the token depends only on the game and the seed; without a seed, it varies. A level
    has its own limits: a ``limit`` is only an upper bound, and ``threads`` and ``hash_megabytes`` are ignored.
    ``network`` names the evaluation for searches at full strength (see :func:`~cairn.engine.network.open_network`).
    A level always chooses its token with the hand-made evaluation, for which it was calibrated.

    >>> game = Game("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    >>> with NativeEngine() as engine:
    ...     played = engine.play(game, Limit(depth=4))
    >>> played.token in game.legal_moves, played.depth
    (True, 4)
    """

    def __init__(
        self,
        threads: int = 1,
        hash_megabytes: int = 64,
        level: int | None = None,
        seed: int | None = None,
        network: str = RELEASED,
    ) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"the number of threads must be from 1 to {MOST_THREADS}, not {threads}")
        if not 1 <= hash_megabytes <= MOST_MEGABYTES:
            raise ValueError(f"the hash size must be from 1 to {MOST_MEGABYTES} megabytes, not {hash_megabytes}")
        self.level: Final[Level | None] = None if level is None else level_of(level)
        self._seed: Final = random.randrange(SEEDS) if seed is None else seed % SEEDS
        # A level always uses one thread and a table of fixed size, so that it plays the same way on every machine.
        megabytes, threads = (_native.core.LEVEL_MEGABYTES, 1) if self.level else (hash_megabytes, threads)
        self._core: Final = _native.Engine(megabytes, threads, open_network(network))
        self._searches: Final = OneAtATime()

    @property
    def name(self) -> str:
        """The engine's name, with its level."""
        return f"Cairn level {self.level.number}" if self.level else "Cairn"

    def play(self, game: Game, limit: Limit = NO_LIMIT, stopper: Stopper | None = None) -> Played:
        """Choose a token. At full strength, raises ``ValueError`` if there is neither a limit nor a ``stopper``."""
        require_decision(game)
        if limit.is_endless and stopper is None and self.level is None:
            raise ValueError("a limit is needed: without one, the search would never end")
        stopper = stopper or Stopper()
        with self._searches.running(stopper):
            if self.level:
                return self._play_level(self.level, game, limit, stopper)
            ((score, depth, tokens),) = self._run(game.board, limit, 1, stopper)
            return Played(tokens[0], Score(score), depth, self._core.nodes, tokens)

    def search(
        self, game: Game, limit: Limit, lines: int, stopper: Stopper, report: Callable[[Analysis], object]
    ) -> None:
        """Find the best tokens at full strength, even if the engine plays at a level."""
        require_decision(game)
        began = time.perf_counter()
        told: list[Analysis] = []

        def tell(nodes: int, found: _Found) -> None:
            lines = tuple(Line(Score(score), tokens) for score, _, tokens in found)
            told[:] = [Analysis(found[0][1], nodes, _milliseconds_since(began), lines)]
            report(told[-1])

        with self._searches.running(stopper):
            found = self._run(game.board, limit, lines, stopper, tell)
            # Report once more if the last, unfinished depth searched more nodes or changed the best token.
            if not told or told[-1].nodes != self._core.nodes or told[-1].best.token != found[0][2][0]:
                tell(self._core.nodes, found)

    def ponder_hit(self, limit: Limit, tribe: Tribe) -> None:
        """Apply the time of ``limit`` to the running search of a decision of ``tribe``, from now on.

        The search ends at once if it has already taken as long as it would have taken with this limit.
        """
        self._core.ponder_hit(*limit.budget(tribe))

    def new_game(self) -> None:
        """Forget the results of other games."""
        with self._searches.running():
            self._core.clear()

    def close(self) -> None:
        """Stop the running search."""
        self._searches.stop_and_wait(CLOSING_SECONDS)

    def _play_level(self, level: Level, game: Game, limit: Limit, stopper: Stopper) -> Played:
        most_ms, _ = limit.budget(_decider(game.board))
        self._core.arm()
        with stopper.calling(self._core.stop):
            score, depth, tokens, nodes = self._core.play_level(
                game.board, level.number, self._seed, limit.nodes or 0, limit.depth or 0, most_ms
            )
        return Played(tokens[0], Score(score), depth, nodes, tokens)

    def _run(
        self,
        board: Board,
        limit: Limit,
        lines: int,
        stopper: Stopper,
        tell: Callable[[int, _Found], object] | None = None,
    ) -> _Found:
        most_ms, wanted_ms = limit.budget(_decider(board))
        self._core.arm()
        with stopper.calling(self._core.stop):
            return self._core.search(board, limit.nodes or 0, limit.depth or 0, lines, most_ms, wanted_ms, tell)


def _decider(board: Board) -> Tribe:
    return TRIBES[board.decider_number]


def _milliseconds_since(began: float) -> int:
    return int((time.perf_counter() - began) * 1000)
