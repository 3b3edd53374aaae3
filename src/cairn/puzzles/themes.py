"""The themes of a puzzle, from the effects of its solution. docs/puzzles.md describes them for readers."""

from __future__ import annotations

from collections.abc import Sequence

from cairn import story
from cairn.board import Board
from cairn.puzzles.puzzle import Goal, Theme
from cairn.story import Effect
from cairn.vocabulary import Phase, Tribe


def themes_of(board: Board, goal: Goal, solution: Sequence[str]) -> tuple[Theme, ...]:
    """The themes of a solution, in the order of :class:`Theme`. ``board`` is the moment of the puzzle."""
    decider = board.decider
    if not isinstance(decider, Tribe):
        raise TypeError("no tribe decides here")
    found = {Goal.DEFEND: {Theme.DEFENCE}, Goal.ODDS: {Theme.ODDS}}.get(goal, set())
    turns = _effects_by_turn(board, solution)
    if goal is Goal.WIN:
        found |= _ways_to_score(turns, decider)
        if _gives_something_up(turns, decider):
            found.add(Theme.SACRIFICE)
    if any(_activations(turn, decider) > 1 for turn in turns):
        found.add(Theme.CHAIN)
    if any(effect.kind == "extra-turn" and effect.tribe == decider.value for turn in turns for effect in turn):
        found.add(Theme.EXTRA_TURN)
    return tuple(theme for theme in Theme if theme in found)


def _effects_by_turn(board: Board, solution: Sequence[str]) -> list[list[Effect]]:
    """The effects of the solution, one list for each turn."""
    board = board.copy()
    turns: list[list[Effect]] = [[]]
    for token in solution:
        turns[-1].extend(story.play(board, token))
        if board.phase is Phase.ACTION:
            turns.append([])
    return turns


def _ways_to_score(turns: list[list[Effect]], winner: Tribe) -> set[Theme]:
    """How the winner scores: by leaving the field, by transforming an enemy, or both."""
    ways = set()
    way = None
    for effect in (effect for turn in turns for effect in turn):
        if effect.kind == "left" and effect.tribe == winner.value:
            way = Theme.EXIT
        elif effect.kind == "transformed" and effect.tribe == winner.value:
            way = Theme.TRANSFORMATION
        elif effect.kind == "built" and effect.tribe == winner.value and effect.score is not None and way:
            ways.add(way)
    return ways


def _gives_something_up(turns: list[list[Effect]], winner: Tribe) -> bool:
    """Whether a shaman of the winner is banished, or the enemy scores, on the way to the win."""
    effects = [effect for turn in turns for effect in turn]
    return any(
        (effect.kind == "banished" and effect.tribe == winner.value)
        or (effect.kind == "built" and effect.tribe != winner.value and effect.score is not None)
        for effect in effects
    )


def _activations(turn: list[Effect], tribe: Tribe) -> int:
    """How many megaliths did something for the tribe in this turn."""
    return sum(
        effect.kind == "activated" and effect.tribe == tribe.value and effect.result != "nothing" for effect in turn
    )
