"""One game in which the tribes choose numbers and chance draws by itself. Environments for single games wrap this."""

from __future__ import annotations

import collections
import io
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from rich.console import Console

from cairn import terminal
from cairn._native import core
from cairn.board import Board
from cairn.game import Game
from cairn.research.encoding import ACTIONS, Array, IllegalActionError, refusal
from cairn.vocabulary import CHANCE, TRIBES, Token, Tribe, Variant

SEEDS: Final = 2**63


class SingleGame:
    """A game with its chance.

    ``generator`` is a ``numpy.random.Generator``; it deals and draws. ``options`` may have a ``position`` to start from
    instead of a deal, and ``draws``: the codes of the tiles to draw first, for games that are played again.
    """

    def __init__(
        self, variant: Variant | str, generator: Any, options: Mapping[str, Any] | None = None, *, strict: bool = True
    ) -> None:
        options = options or {}
        position = options.get("position")
        self.game: Final = Game(position or Board.start(variant, int(generator.integers(SEEDS))))
        self.strict: Final = strict
        self._generator: Final = generator
        self._draws: Final = collections.deque[str](options.get("draws", ()))
        self._draw()

    @property
    def board(self) -> Board:
        """The current moment."""
        return self.game.board

    @property
    def decider(self) -> Tribe | None:
        """The tribe that chooses next; ``None`` after the end of the game."""
        decider = self.game.decider
        return decider if isinstance(decider, Tribe) else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.outcome is not None

    def reward(self, tribe: Tribe) -> float:
        """1 if the tribe has won, -1 if it has lost, otherwise 0."""
        outcome = self.game.outcome
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner is tribe else -1.0

    def choose(self, action: int) -> bool:
        """Play the token with this number.

        If it is not legal, raises :class:`~cairn.research.encoding.IllegalActionError` if the game is strict; otherwise
        returns false, and nothing changes.
        """
        token = core.token_of(self.board, int(action)) if 0 <= action < ACTIONS else None
        if token is None:
            if self.strict:
                raise IllegalActionError(refusal(self.board, action))
            return False
        self.play(token)
        return True

    def play(self, token: Token) -> None:
        """Play a legal token, and the draw after it."""
        self.game.push(token)
        self._draw()

    def mask(self) -> Array:
        """An ``int8`` array of size ``ACTIONS``: 1 where the action is legal. After the end of the game, none is."""
        if self.is_over:
            return np.zeros(ACTIONS, np.int8)
        return np.frombuffer(core.legal_mask(self.board), np.int8, ACTIONS)

    def observe(self, tribe: Tribe) -> Array:
        """The observation of a tribe."""
        return np.frombuffer(core.observe(self.board, TRIBES.index(tribe)), np.uint8)

    def drawing(self) -> str:
        """The board as text."""
        console = Console(file=io.StringIO(), width=terminal.WIDTH, color_system=None)
        with console.capture() as capture:
            console.print(terminal.board(self.board.setup))
        return capture.get()

    def _draw(self) -> None:
        while self.game.decider is CHANCE:
            if self._draws:
                self.game.push(f"?{self._draws.popleft()}")
            else:
                draws = self.board.legal_moves
                self.game.push(draws[int(self._generator.integers(len(draws)))])
