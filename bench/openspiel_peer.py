"""OpenSpiel as a contender. It plays 5x5 Breakthrough, both with its C++ rollouts and in a Python loop."""

from __future__ import annotations

import importlib.metadata
from typing import Any, Final

from measure import Batch, Tally, random_choice, require

GAME: Final = "breakthrough(rows=5,columns=5)"
GAMES_COUNTED: Final = 20_000
ROLLOUTS_COUNTED: Final = 100_000
ROLLOUTS: Final = 500


def rollouts(count: int, seed: int) -> Any:
    """Return a function that plays ``count`` random games in C++ and returns the first player's average result.

    Python cannot call OpenSpiel's evaluator, but it can call the search that uses the evaluator. A search with one
    simulation only evaluates its root once, with ``count`` rollouts.
    """
    pyspiel = _pyspiel()
    game = pyspiel.load_game(GAME)
    start = game.new_initial_state()
    bot = pyspiel.MCTSBot(
        game,
        evaluator=pyspiel.RandomRolloutEvaluator(n_rollouts=count, seed=seed),
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=1,
        solve=False,
        seed=seed,
        verbose=False,
    )
    return lambda: bot.mcts_search(start).total_reward


def python_game(game: Any, choose: Any) -> tuple[int, Any]:
    """Play one random game through the Python API and return its length and its last state."""
    state = game.new_initial_state()
    moves = 0
    while actions := state.legal_actions():
        state.apply_action(choose(actions))
        moves += 1
    return moves, state


def count_games(games: int, seed: int) -> Tally:
    """Play ``games`` random games move by move and return their tally."""
    game = _pyspiel().load_game(GAME)
    choose = random_choice(seed)
    moves = moves_squared = first_wins = 0
    for _ in range(games):
        length, last = python_game(game, choose)
        moves += length
        moves_squared += length * length
        first_wins += last.returns()[0] > 0
    return Tally(games, moves, moves_squared, first_wins)


class OpenSpiel:
    """OpenSpiel. Rollouts do not report how many moves they play, so the constructor counts moves in separate games."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counted = count_games(GAMES_COUNTED, seed)

    def facts(self) -> dict[str, Any]:
        """Facts about this contender for the report."""
        average = float(rollouts(ROLLOUTS_COUNTED, self.seed)())
        return {
            "version": importlib.metadata.version("open_spiel"),
            "counted": vars(self.counted),
            "rollouts": ROLLOUTS_COUNTED,
            "rollout_first_wins": round((average + 1) / 2 * ROLLOUTS_COUNTED),
        }

    def batches(self) -> dict[str, Batch]:
        """The two measurements, in moves."""
        game = _pyspiel().load_game(GAME)
        choose = random_choice(self.seed)
        roll_out = rollouts(ROLLOUTS, self.seed)

        def rollout_moves() -> float:
            roll_out()
            return ROLLOUTS * self.counted.length

        return {
            "rollouts": rollout_moves,
            "loop": lambda: sum(python_game(game, choose)[0] for _ in range(20)),
        }


def _pyspiel() -> Any:
    return require("pyspiel", "install the dependency group `bench`")
