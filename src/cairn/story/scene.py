"""What a spectator sees at one moment of a game."""

from __future__ import annotations

import dataclasses

from cairn.board import Board
from cairn.game import Game
from cairn.vocabulary import Outcome, Phase, Setup, Space


@dataclasses.dataclass(frozen=True, slots=True)
class Scene:
    """What a spectator sees at one moment. It does not change when the game continues."""

    setup: Setup
    phase: Phase
    focus: Space | None
    """The space of the megalith whose power is being applied, or the space to build on."""
    outcome: Outcome | None

    @classmethod
    def of(cls, moment: Game | Board | Scene) -> Scene:
        """The scene of a game or a board; only a game can end by repetition."""
        if isinstance(moment, Scene):
            return moment
        board = moment.board if isinstance(moment, Game) else moment
        return cls(board.setup, moment.phase, board.focus, moment.outcome)
