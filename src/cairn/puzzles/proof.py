"""A second proof of every puzzle, without the solver: plain searches of the whole tree.

:func:`native_faults` uses the brute-force searches of the core, which have no table, no move order and no bounds.
:func:`rulebook_faults` does not use the core at all. It searches with the Python rulebook, which is slow, so it has a
limit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from cairn import rulebook
from cairn._native import core
from cairn.notation import read_position, read_token
from cairn.puzzles.mining import EXTRA_TURNS, LEAST_LEAD
from cairn.puzzles.puzzle import Goal, Puzzle
from cairn.rulebook import Moment
from cairn.vocabulary import CHANCE, TRIBES, Phase, Tribe

NATIVE_NODES: Final = 20_000_000_000


class TooLongError(Exception):
    """A search reached its limit."""


def native_faults(puzzle: Puzzle) -> list[str]:
    """What is wrong with a puzzle according to the core's brute-force searches; empty if it is proven."""
    attacker = TRIBES.index(puzzle.attacker)
    if puzzle.goal is Goal.ODDS:
        chances = core.chances_by_token(puzzle.board, attacker, puzzle.turns, NATIVE_NODES)
        if chances is None:
            raise TooLongError
        whole = core.CERTAIN_CHANCE
        return _odds_faults(puzzle, {str(token): Fraction(chance, whole) for token, chance in chances})

    def wins(token: str, turns: int) -> bool:
        board = puzzle.board
        board.push(token)
        if board.is_over:
            return board.winner_number == attacker + 1
        left = turns - (board.phase is Phase.ACTION)
        if not left:
            return False
        won = core.wins_exhaustively(board, attacker, left, NATIVE_NODES)
        if won is None:
            raise TooLongError
        return won

    return _win_faults(puzzle, [str(token) for token in puzzle.board.legal_moves], wins)


def rulebook_faults(puzzle: Puzzle, nodes: int) -> list[str]:
    """What is wrong with a puzzle according to the rulebook. Raises :class:`TooLongError` after ``nodes`` tokens."""
    moment = rulebook.begin(read_position(puzzle.position))
    for token in puzzle.tokens:
        moment = rulebook.play(moment, read_token(token))
    legal = [str(token) for token in rulebook.legal_tokens(moment)]
    search = RulebookSearch(puzzle.attacker, nodes)
    if puzzle.goal is Goal.ODDS:
        after = functools.partial(search.after, moment, turns=puzzle.turns, certain=False)
        return _odds_faults(puzzle, {token: after(token) for token in legal})
    return _win_faults(puzzle, legal, lambda token, turns: search.after(moment, token, turns, certain=True) == 1)


def _win_faults(puzzle: Puzzle, legal: list[str], wins: Callable[[str, int], bool]) -> list[str]:
    """Compare what the attacker can force after each token with what the puzzle claims."""
    right = puzzle.solution[0]
    faults = [] if right in legal else [f"{right} is not legal"]
    for token in legal:
        should_win = (token == right) == (puzzle.goal is Goal.WIN)
        turns = puzzle.turns if should_win else puzzle.turns + EXTRA_TURNS
        if wins(token, turns) is not should_win:
            faults.append(f"{token} {'does not force' if should_win else 'forces'} a win within {turns} turns")
    # The number of turns is the smallest possible.
    if puzzle.turns > 1:
        sooner = [token for token in legal if wins(token, puzzle.turns - 1)]
        if puzzle.goal is Goal.WIN and sooner:
            faults.append(f"{sooner[0]} forces a win within {puzzle.turns - 1} turns already")
        if puzzle.goal is Goal.DEFEND and len(sooner) == len(legal) - 1:
            faults.append(f"all other decisions lose within {puzzle.turns - 1} turns already")
    return faults


def _odds_faults(puzzle: Puzzle, chances: dict[str, Fraction]) -> list[str]:
    """Compare the exact chances with what the puzzle claims."""
    right = puzzle.solution[0]
    others = max(chance for token, chance in chances.items() if token != right)
    if chances.get(right) != puzzle.chance:
        return [f"the chance of {right} is {chances.get(right)}, not {puzzle.chance}"]
    if others != puzzle.next_chance or chances[right] - others < LEAST_LEAD:
        return [f"the next chance is {others}, not {puzzle.next_chance}"]
    return []


class RulebookSearch:
    """The chance that the attacker wins within a number of turns; with ``certain``, only whether it is 1.

    Raises :class:`TooLongError` after ``nodes`` tokens.
    """

    def __init__(self, attacker: Tribe, nodes: int) -> None:
        self._attacker: Final = attacker
        self._nodes = nodes

    def wins(self, moment: Moment, turns: int) -> bool:
        """Whether the attacker can force a win within this many turns, including the current one."""
        if moment.outcome:
            return moment.outcome.winner is self._attacker
        return turns > 0 and self._at(moment, turns, certain=True) == 1

    def after(self, moment: Moment, token: str, turns: int, *, certain: bool) -> Fraction:
        """The chance after a token, which is played in the first of ``turns`` turns."""
        return self._after(rulebook.play(moment, read_token(token)), turns, certain)

    def _after(self, moment: Moment, turns: int, certain: bool) -> Fraction:
        """The chance at a moment that the last token led to, which was played in the first of ``turns`` turns."""
        if not self._nodes:
            raise TooLongError
        self._nodes -= 1
        if moment.outcome:
            return Fraction(moment.outcome.winner is self._attacker)
        left = turns - (moment.phase is Phase.ACTION)
        return self._at(moment, left, certain) if left else Fraction(0)

    def _at(self, moment: Moment, turns: int, certain: bool) -> Fraction:
        chances = (self._after(rulebook.play(moment, token), turns, certain) for token in rulebook.legal_tokens(moment))
        if moment.decider is self._attacker:
            return next((chance for chance in chances if chance == 1), Fraction(0)) if certain else max(chances)
        if certain:
            return next((Fraction(0) for chance in chances if chance != 1), Fraction(1))
        if moment.decider is CHANCE:
            found = list(chances)
            return sum(found, Fraction(0)) / len(found)
        return min(chances)
