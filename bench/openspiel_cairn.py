"""Cairn as an OpenSpiel game, so that OpenSpiel's bots can play it.

``pyspiel.load_game("python_cairn", {"variant": "expert", "seed": 7})`` is the game that ``Board.start`` deals for this
variant and seed. Forest is player 0 and Sea is player 1, no matter who begins. Each token is an action; actions are
numbered in the ASCII order of all possible tokens. Each tile that can be drawn is a chance outcome; chance outcomes are
numbered in the order of the tile codes.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyspiel

from cairn import Board
from cairn.rulebook.ending import REPETITIONS_TO_DRAW
from cairn.vocabulary import MEGALITHS, SPACES, Phase

TILES: Final = tuple(sorted(MEGALITHS))
LONGEST_GAME: Final = 10_000
"""The maximum length of a game in tokens. OpenSpiel requires a maximum; random games take about 115 tokens."""


def _all_tokens() -> list[str]:
    spaces = [str(space) for space in SPACES]
    pairs = list(itertools.permutations(spaces, 2))
    choices = [
        *(f"+{space}" for space in spaces),
        *(f"{space}-out" for space in spaces),
        *(f"x{space}" for space in spaces),
        *(f"{one}{sign}{other}" for sign in "-~/" for one, other in pairs),
        *(f"{space}={tile}" for space in spaces for tile in TILES),
        *("flip-add", "flip-jump", "flip-move", "stop", "use"),
    ]
    copies = [f"{tile}:{choice}" for tile in TILES for choice in choices]
    others = [*(f"={tile}" for tile in TILES), *(f"T{space}" for space in spaces), "pass"]
    return sorted([*choices, *copies, *others])


TOKENS: Final = tuple(_all_tokens())
ACTIONS: Final[Mapping[str, int]] = {token: action for action, token in enumerate(TOKENS)}
OUTCOMES: Final[Mapping[str, int]] = {f"?{tile}": outcome for outcome, tile in enumerate(TILES)}
CHANCE_NUMBER: Final = 2

GAME_TYPE: Final = pyspiel.GameType(
    short_name="python_cairn",
    long_name="Cairn",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"variant": "beginner", "seed": 0},
)
GAME_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=len(TOKENS),
    max_chance_outcomes=len(TILES),
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LONGEST_GAME,
)


class CairnGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """One deal of Cairn."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, dict(params or {}))
        chosen = self.get_parameters()
        self.start: Final = Board.start(chosen.get("variant", "beginner"), chosen.get("seed", 0))

    def new_initial_state(self) -> CairnState:
        """The start of the game."""
        return CairnState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> None:
        """Return no observer, because nothing is hidden and no player here uses tensors."""


class _Table:
    """The board and how often each position has occurred.

    This is a separate class because OpenSpiel clones a state by deep-copying its attributes.
    """

    def __init__(self, board: Board, past: collections.Counter[int]) -> None:
        self.board = board
        self.past = past
        self.repeated = False

    def push(self, token: str) -> None:
        """Play a token and count the position if it begins a turn (G3)."""
        self.board.push(token)
        if self.board.phase is Phase.ACTION:
            self.past[self.board.key] += 1
            self.repeated = self.past[self.board.key] >= REPETITIONS_TO_DRAW

    def __deepcopy__(self, memo: object) -> _Table:
        copy = _Table(self.board.copy(history=False), self.past.copy())
        copy.repeated = self.repeated
        return copy


class CairnState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A moment of a game, with its repetition counts."""

    def __init__(self, game: CairnGame) -> None:
        super().__init__(game)
        board = game.start.copy(history=False)
        self.table = _Table(board, collections.Counter([board.key]))

    def current_player(self) -> int:
        """0 for Forest, 1 for Sea, or OpenSpiel's IDs for chance and for a finished game."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        decider = self.table.board.decider_number
        return int(pyspiel.PlayerId.CHANCE) if decider == CHANCE_NUMBER else decider

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table.repeated or self.table.board.is_over

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser; 0 for both in a draw or an unfinished game."""
        return [[0.0, 0.0], [1.0, -1.0], [-1.0, 1.0]][self.table.board.winner_number]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The tiles that may be drawn, all equally likely (E4)."""
        draws = self.table.board.legal_moves
        return [(OUTCOMES[str(draw)], 1 / len(draws)) for draw in draws]

    def _legal_actions(self, player: int) -> Sequence[int]:
        return [ACTIONS[str(token)] for token in self.table.board.legal_moves]

    def _apply_action(self, action: int) -> None:
        self.table.push(self._action_to_string(self.current_player(), action))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"?{TILES[action]}" if player == pyspiel.PlayerId.CHANCE else TOKENS[action]

    def __str__(self) -> str:
        return repr(self.table.board)


pyspiel.register_game(GAME_TYPE, CairnGame)


class OpenSpielMcts:
    """OpenSpiel's Monte Carlo tree search with random rollouts. It follows one game token by token."""

    EXPLORATION: Final = 2.0
    """The exploration constant for results between -1 and 1, as in OpenSpiel's example."""

    def __init__(self, variant: str, deal: int, simulations: int, seed: int) -> None:
        import numpy as np
        from open_spiel.python.algorithms import mcts

        game = pyspiel.load_game("python_cairn", {"variant": variant, "seed": deal})
        self.state = game.new_initial_state()
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
        for token in tokens[len(self.state.history()) :]:
            self.state.apply_action(OUTCOMES[token] if token.startswith("?") else ACTIONS[token])
        # Do not use `bot.step`, because it passes the state through C++ and loses the Python attributes.
        return TOKENS[int(self.bot.mcts_search(self.state).best_child().action)]
