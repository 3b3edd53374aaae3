"""Sentences for people: what is asked and of whom, how a game ended, what a record holds."""

from __future__ import annotations

from typing import Final

from cairn import CHANCE, Game, Phase, Reason, Record, Tribe

HELP: Final = """\
Type the number of a choice, or its token, such as a1-a2. Besides:
  undo        take the last choice back (not past a drawn tile)
  board       draw the table again
  save FILE   write the game so far as a record
  help        this
  quit        leave the game"""

_QUESTIONS: Final = {
    Phase.ACTION: "{} is to play: add, move or jump with one shaman.",
    Phase.BUILD: "{} builds a megalith: which of the upcoming ones?",
    Phase.DRAW: "A tile is drawn into the empty slot.",
    Phase.POWER: "{} decides what the megalith's power does.",
    Phase.TRANSFORM: "{} may transform an enemy, or pass and end the turn.",
}


def name(tribe: Tribe) -> str:
    """``Forest`` or ``Sea``."""
    return tribe.value.capitalize()


def question(game: Game) -> str:
    """What is asked now, and of whom."""
    decider = game.decider
    return _QUESTIONS[game.phase].format(name(decider) if isinstance(decider, Tribe) else CHANCE.value)


def ending(game: Game) -> str:
    """Who won, and why; the game must be over."""
    outcome = game.outcome
    if outcome is None:
        raise ValueError("the game goes on")
    if outcome.winner is None:
        why = {
            Reason.REPETITION: "the same position stood at the start of a turn for the third time (G3)",
            Reason.AGREEMENT: "both agreed",
        }.get(outcome.reason, outcome.reason.value)
        return f"The game is drawn: {why}."
    winner, loser = name(outcome.winner), name(outcome.winner.enemy)
    why = {
        Reason.SCORE: f"{winner} has scored its third point (G1)",
        Reason.NO_ACTION: f"{loser} has no action left at the start of its turn (G2)",
        Reason.RESIGNATION: f"{loser} resigned",
        Reason.TIME: f"{loser} ran out of time",
    }.get(outcome.reason, f"{loser} abandoned it")
    return f"{winner} has won: {why}."


def summary(record: Record) -> str:
    """A record in a few words."""
    count = len(record.game.tokens)
    outcome = record.game.outcome
    ended = f"result {record.result} ({outcome.reason.value})" if outcome else f"result {record.result} (unfinished)"
    return f"{ended}, {count} token{'' if count == 1 else 's'}"
