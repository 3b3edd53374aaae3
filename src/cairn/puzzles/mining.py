"""Find puzzles in games that the engine played against itself.

Every filter is cheaper than the next one: the solver looks for a single decision that wins within three turns, the
engine estimates the other decisions, and the solver then proves that none of them wins two turns later either.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from cairn import _native
from cairn._native import core
from cairn.board import Board
from cairn.engine.score import Score
from cairn.puzzles.puzzle import Goal, Puzzle, identity
from cairn.puzzles.themes import themes_of
from cairn.vocabulary import TRIBES, Phase, Token, Tribe, Variant

MOST_TURNS: Final = 3
"""The largest number of turns of a puzzle."""
EXTRA_TURNS: Final = 2
"""No other decision may win within this many turns more."""
MOST_EXPECTED: Final = 0.65
"""The highest estimate of another decision."""
LEAST_EXPECTED: Final = 1 - MOST_EXPECTED
"""The lowest estimate of the right decision, if the goal is to defend."""
LEAST_LEGAL: Final = 3
"""A puzzle has at least this many legal decisions."""
LEAST_STEPS: Final = 2
"""The winner has to find at least this many decisions, not counting the tiles to build."""
LEAST_CHANCE: Final = Fraction(1, 5)
"""With uncertain ways, the lowest chance of the best one."""
LEAST_LEAD: Final = Fraction(1, 10)
"""With uncertain ways, by how much the best chance exceeds the next."""

LAST_TURNS: Final = 3
"""A win within three turns is looked for in the last three turns of a game."""
EARLIER_TURNS: Final = 8
"""A defence, and a choice between uncertain ways, are looked for in this many turns."""

QUICK_NODES: Final = 200_000
PROOF_NODES: Final = 5_000_000
ODDS_NODES: Final = 1_500_000
ESTIMATE_NODES: Final = 100_000
MEGABYTES: Final = 64

SelfPlayGame = tuple[int, str, list[Token], int, list[int | None]]
"""A game from ``core.self_play_games``: variant number, start, tokens, winner number, scores."""


@dataclasses.dataclass(frozen=True, slots=True)
class Moment:
    """A decision in a game."""

    board: Board
    """The board, without earlier turns: a puzzle has no history."""
    index: int
    """The number of tokens before it."""
    turns_left: int
    """The number of turns until the game ended, counting the current one."""


class Miner:
    """Finds the puzzles of one game at a time. Its results do not depend on the games before."""

    def __init__(self, network: core.Network | None) -> None:
        self._engine: Final = _native.Engine(8, 1, network)
        self._solver = core.Solver(MEGABYTES)

    def puzzles(self, game: SelfPlayGame, source: str) -> Iterator[Puzzle]:
        """At most one puzzle for each goal, since the moments of a game resemble each other."""
        variant_number, _, _, winner_number, _ = game
        if not winner_number:
            return
        self._solver = core.Solver(MEGABYTES)
        variant, winner = tuple(Variant)[variant_number], TRIBES[winner_number - 1]
        moments = list(_moments(game))
        for goal, find, candidates in (
            (Goal.WIN, self._win, [each for each in moments if _is_win_candidate(each, winner)]),
            (Goal.DEFEND, self._defence, moments),
            (Goal.ODDS, self._odds, moments),
        ):
            for moment in candidates:
                found = find(moment.board)
                if found is None:
                    continue
                yield self._puzzle(found, goal, variant, moment, f"{source}:{moment.index}")
                break

    def _puzzle(self, found: _Found, goal: Goal, variant: Variant, moment: Moment, source: str) -> Puzzle:
        position, tokens = moment.board.turn_start, tuple(map(str, moment.board.turn_tokens))
        solution = tuple(map(str, found.line))
        return Puzzle(
            id=identity(position, tokens),
            variant=variant,
            position=position,
            tokens=tokens,
            goal=goal,
            turns=found.turns,
            solution=solution,
            themes=themes_of(moment.board, goal, solution),
            source=source,
            estimate=round(found.estimate, 3),
            chance=found.chance,
            next_chance=found.next_chance,
        )

    # --- Win

    def _win(self, board: Board) -> _Found | None:
        decider = board.decider_number
        quick = self._solver.turns_by_token(board, decider, MOST_TURNS, QUICK_NODES)
        winning = [(token, turns) for token, turns in quick if turns]
        if len(winning) != 1 or any(turns is None for _, turns in quick):
            return None
        [(token, turns)] = winning
        line = self._solver.solve(board, turns, QUICK_NODES)[2]
        if _steps(board, line) < LEAST_STEPS or line[0] != token:
            return None
        estimate = self._best_other(board, token)
        if estimate > MOST_EXPECTED:
            return None
        proof = self._solver.turns_by_token(board, decider, turns + EXTRA_TURNS, PROOF_NODES)
        if any(found != (turns if each == token else 0) for each, found in proof):
            return None
        return _Found(turns, line, estimate)

    def _best_other(self, board: Board, token: Token) -> float:
        """The engine's highest estimate of another decision than ``token``."""
        self._engine.clear()
        lines = self._engine.search(board, ESTIMATE_NODES, 0, 2, 0, 0, None)
        return max((Score(score).expected for score, _, tokens in lines if tokens[0] != token), default=1.0)

    # --- Defend

    def _defence(self, board: Board) -> _Found | None:
        enemy = 1 - board.decider_number
        quick = self._solver.turns_by_token(board, enemy, MOST_TURNS, QUICK_NODES)
        safe = [token for token, turns in quick if turns == 0]
        if len(safe) != 1 or any(turns is None for _, turns in quick):
            return None
        turns = max(number or 0 for _, number in quick)
        if turns < 2:
            return None
        self._engine.clear()
        score, _, tokens = self._engine.search(board, ESTIMATE_NODES, 0, 1, 0, 0, None)[0]
        estimate = Score(score).expected
        if tokens[0] != safe[0] or estimate < LEAST_EXPECTED:
            return None
        proof = self._solver.turns_by_token(board, enemy, turns + EXTRA_TURNS, PROOF_NODES)
        if any((each == safe[0]) != (found == 0) or found is None for each, found in proof):
            return None
        return _Found(turns, (safe[0],), estimate)

    # --- Odds

    def _odds(self, board: Board) -> _Found | None:
        chances = core.chances_by_token(board, board.decider_number, MOST_TURNS, ODDS_NODES)
        if chances is None:
            return None
        best, second = sorted(chances, key=lambda each: -each[1])[:2]
        chance, next_chance = (Fraction(each[1], core.CERTAIN_CHANCE) for each in (best, second))
        if chance == 1 or chance < LEAST_CHANCE or chance - next_chance < LEAST_LEAD:
            return None
        estimate = self._best_other(board, best[0])
        if estimate > MOST_EXPECTED:
            return None
        return _Found(MOST_TURNS, (best[0],), estimate, chance, next_chance)


@dataclasses.dataclass(frozen=True, slots=True)
class _Found:
    turns: int
    line: Sequence[Token]
    estimate: float
    chance: Fraction | None = None
    next_chance: Fraction | None = None


def _moments(game: SelfPlayGame) -> Iterator[Moment]:
    """The decisions in the last turns of a game with enough choice, in the order of play."""
    _, start, tokens, _, _ = game
    board = Board(start)
    starts = [0]
    for number, token in enumerate(tokens, start=1):
        board.push(token)
        if board.phase is Phase.ACTION:
            starts.append(number)
    first = max(len(starts) - EARLIER_TURNS, 0)
    board = Board(start, tokens[: starts[first]])
    turn = first
    for index in range(starts[first], len(tokens)):
        turn += board.phase is Phase.ACTION
        if board.decider_number < len(TRIBES) and len(board.legal_moves) >= LEAST_LEGAL:
            alone = Board(board.turn_start, board.turn_tokens)
            yield Moment(alone, index, len(starts) - turn + 1)
        board.push(tokens[index])


def _is_win_candidate(moment: Moment, winner: Tribe) -> bool:
    return moment.turns_left <= LAST_TURNS and moment.board.decider is winner


def _steps(board: Board, line: Sequence[Token]) -> int:
    """The number of decisions of the winner in the line that are real choices, not counting the tiles to build."""
    board = board.copy()
    decider = board.decider
    steps = 0
    for token in line:
        if board.decider is decider and board.phase is not Phase.BUILD and len(board.legal_moves) > 1:
            steps += 1
        board.push(token)
    return steps
