"""Sentences for the terminal: questions for each phase, endings and summaries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cairn import Game, Megalith, Phase, Reason, Record, Setup, Tribe

if TYPE_CHECKING:
    from cairn.engine.analysis import GameAnalysis

HELP: Final = """\
Type the number of a choice, or its token, such as a1-a2. Other commands:
  undo        take back the last choice (not past a draw)
  board       draw the board again
  tiles       describe all megaliths; for one of them, type its code, such as DR
  save FILE   save the game as a record (save! overwrites an existing file)
  resign      resign the game
  help        show this list
  quit        quit the game (also q, exit)"""

_QUESTIONS: Final = {
    Phase.ACTION: "{who} is to play: add, move or jump with one shaman.",
    Phase.BUILD: "{who} builds a megalith on {where}: which of the upcoming megaliths?",
    Phase.DRAW: "A tile is drawn into the empty slot.",
    Phase.POWER: "{who} decides. {what} on {where}: {power}",
    Phase.TRANSFORM: "{who} may transform an enemy, or pass and end the turn.",
}


def name(tribe: Tribe) -> str:
    """``Forest`` or ``Sea``."""
    return tribe.value.capitalize()


def question(game: Game) -> str:
    """The question for the current decision."""
    decider, tile = game.decider, game.board.power
    return _QUESTIONS[game.phase].format(
        who=name(decider) if isinstance(decider, Tribe) else "Chance",
        what=tile.name if tile else "",
        where=game.board.focus,
        power=tile.powers["en"] if tile else "",
    )


def power(tile: Megalith) -> str:
    """The name and power of a megalith."""
    return f"{tile.code}  {tile.name}: {tile.powers['en']}"


def powers(setup: Setup) -> Iterator[str]:
    """All megaliths in a game with their places: first on the field, then upcoming, then in the deck."""
    standing = {tile: str(space) for space, tile in setup.megaliths.items()}
    waiting = {tile: "next" for tile in setup.upcoming if tile}
    face_down = dict.fromkeys([*sorted(setup.deck.unknown), *setup.deck.known], "deck")
    for tile, place in (standing | waiting | face_down).items():
        yield f"  {place:4}  {power(tile)}"


def ending(game: Game) -> str:
    """The winner and the reason. The game must be over."""
    outcome = game.outcome
    if outcome is None:
        raise ValueError("the game is not over")
    if outcome.winner is None:
        why = {
            Reason.REPETITION: "the same position occurred at the start of a turn for the third time (G3)",
            Reason.AGREEMENT: "both players agreed",
        }.get(outcome.reason, outcome.reason.value)
        return f"The game is drawn: {why}."
    winner, loser = name(outcome.winner), name(outcome.winner.enemy)
    why = {
        Reason.SCORE: f"{winner} has scored its third point (G1)",
        Reason.NO_ACTION: f"{loser} has no legal action at the start of its turn (G2)",
        Reason.RESIGNATION: f"{loser} resigned",
        Reason.TIME: f"{loser} ran out of time",
    }.get(outcome.reason, f"{loser} abandoned the game")
    return f"{winner} has won: {why}."


def summary(record: Record) -> str:
    """A short summary of a record."""
    count = len(record.game.tokens)
    outcome = record.game.outcome
    ended = f"result {record.result} ({outcome.reason.value})" if outcome else f"result {record.result} (unfinished)"
    return f"{ended}, {count} token{'' if count == 1 else 's'}"


def judged(analysis: GameAnalysis) -> Iterator[str]:
    """The mistakes, one per line."""
    for each in analysis.decisions:
        if each.judgement:
            better = " ".join(map(str, each.best.tokens[:5]))
            place = f"{each.turn:4} {each.tribe.letter} {f'{each.token}{each.judgement.sign}':12}"
            yield f"{place} {each.before:.2f} to {each.after:.2f}, better {better}"


def verdicts(record: Record, analysis: GameAnalysis) -> Iterator[str]:
    """A summary for each player, one per line."""
    from cairn.engine.analysis import Judgement

    plurals = {Judgement.INACCURACY: "inaccuracies", Judgement.MISTAKE: "mistakes", Judgement.BLUNDER: "blunders"}

    def counted(count: int, judgement: Judgement) -> str:
        return f"{count} {judgement.name.lower() if count == 1 else plurals[judgement]}"

    for tribe in Tribe:
        player = record.headers.get(name(tribe))
        who = f"{name(tribe)} ({player})" if player else name(tribe)
        counts = ", ".join(counted(analysis.count(tribe, each), each) for each in Judgement)
        loss = analysis.average_loss(tribe)
        decisions = len(analysis.of(tribe))
        yield f"{who}: {decisions} decision{'' if decisions == 1 else 's'}, {counts}, {loss:.3f} lost per decision"
