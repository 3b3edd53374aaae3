"""OpenSpiel's Monte Carlo tree search as a player of Cairn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from cairn import Board
from cairn.research import encoding
from cairn.research.openspiel import NAME, deal_outcomes


class OpenSpielMcts:
    """OpenSpiel's Monte Carlo tree search with random rollouts. It follows one game token by token."""

    EXPLORATION: Final = 2.0
    """The exploration constant for results between -1 and 1, as in OpenSpiel's example."""

    def __init__(self, variant: str, deal: int, simulations: int, seed: int) -> None:
        game = pyspiel.load_game(NAME, {"variant": variant})
        self.state = game.new_initial_state()
        for outcome in deal_outcomes(variant, Board.start(variant, deal).setup):
            self.state.apply_action(outcome)
        self.dealt = len(self.state.history())
        chance = np.random.RandomState(seed)
        self.bot = mcts.MCTSBot(
            game,
            uct_c=self.EXPLORATION,
            max_simulations=simulations,
            evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=chance),
            random_state=chance,
        )

    def choose(self, tokens: Sequence[str]) -> str:
        """Choose the next token, given all tokens of the game so far."""
        for token in tokens[len(self.state.history()) - self.dealt :]:
            number = encoding.id_of(self.state.board, token)
            self.state.apply_action(number - encoding.ACTIONS if number >= encoding.ACTIONS else number)
        # Do not use `bot.step`, because it passes the state through C++ and loses the Python attributes.
        return str(encoding.token_of(self.state.board, int(self.bot.mcts_search(self.state).best_child().action)))
