"""Analysis of a finished game: the value of each decision, and the mistakes."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Callable, Iterator
from typing import Final

from cairn.engine.engine import Analysis, Engine, Line
from cairn.engine.limits import Limit
from cairn.game import Game
from cairn.notation.records import Note
from cairn.record import Record
from cairn.vocabulary import CHANCE, FOREST, Token, Tribe

SHOWN_TOKENS: Final = 8
"""How many tokens of a better line to include in a comment. Later tokens are unreliable."""
_OWN_COMMENT: Final = re.compile(r"eval [01]\.\d\d to [01]\.\d\d(?: (\?!|\?\??))?(?:; better .*)?", re.DOTALL)
"""Matches a comment written by an analysis. The sign in the comment shows which mark the analysis added."""


class Judgement(enum.Enum):
    """How bad a decision was. The value is the numeric annotation glyph in records, as in PGN."""

    INACCURACY = 6
    MISTAKE = 2
    BLUNDER = 4

    @property
    def least_loss(self) -> float:
        """The smallest loss of expected score that gets this judgement."""
        return {Judgement.INACCURACY: 0.05, Judgement.MISTAKE: 0.10, Judgement.BLUNDER: 0.20}[self]

    @property
    def sign(self) -> str:
        """The sign that players write after a token."""
        return {Judgement.INACCURACY: "?!", Judgement.MISTAKE: "?", Judgement.BLUNDER: "??"}[self]


@dataclasses.dataclass(frozen=True, slots=True)
class Decision:
    """A token that a tribe chose. Expected scores are for that tribe: 1 is a win, 0 a loss."""

    index: int
    """The index of the token in the game."""
    turn: int
    """The number of the turn, from 1."""
    tribe: Tribe
    token: Token
    before: float
    """The expected score with the best token."""
    after: float
    """The expected score with the chosen token."""
    best: Line
    """The line that the engine would have played."""

    @property
    def loss(self) -> float:
        """By how much the decision lowered the expected score."""
        return 0.0 if self.token == self.best.token else max(0.0, self.before - self.after)

    @property
    def judgement(self) -> Judgement | None:
        """The judgement; ``None`` if the decision was good enough."""
        fitting = [each for each in Judgement if self.loss >= each.least_loss - 1e-9]
        return max(fitting, key=lambda each: each.least_loss, default=None)

    def comment(self, marked: Judgement | None) -> str:
        """The comment for a record. If ``marked`` is given, the comment includes its sign, such as ``?!``."""
        values = f"eval {self.before:.2f} to {self.after:.2f}{f' {marked.sign}' if marked else ''}"
        if self.token == self.best.token:
            return values
        return f"{values}; better {' '.join(map(str, self.best.tokens[:SHOWN_TOKENS]))} ({self.best.score})"


@dataclasses.dataclass(frozen=True, slots=True)
class GameAnalysis:
    """An engine's analysis of a game."""

    decisions: tuple[Decision, ...]
    course: tuple[float, ...]
    """Forest's expected score at the start and after each token."""

    def of(self, tribe: Tribe) -> tuple[Decision, ...]:
        """The decisions of one player."""
        return tuple(decision for decision in self.decisions if decision.tribe is tribe)

    def count(self, tribe: Tribe, judgement: Judgement) -> int:
        """The number of a player's decisions with this judgement."""
        return sum(decision.judgement is judgement for decision in self.of(tribe))

    def average_loss(self, tribe: Tribe) -> float:
        """A player's average loss of expected score per decision."""
        losses = [decision.loss for decision in self.of(tribe)]
        return sum(losses) / len(losses) if losses else 0.0


def analyse_game(
    game: Game, engine: Engine, limit: Limit, progress: Callable[[int], object] | None = None
) -> GameAnalysis:
    """Analyse every decision in a game. ``limit`` applies to each search. Calls ``progress`` after each token."""
    if limit.is_endless:
        raise ValueError("a limit is needed: without one, the first search would never end")
    engine.new_game()
    replayed = Game(game.start_text)
    moments = [_look(replayed, engine, limit)]
    chosen: list[tuple[int, int, Tribe, Token]] = []
    turn = 0
    for index, token in enumerate(game.tokens):
        turn += not replayed.board.turn_tokens
        decider = replayed.decider
        if isinstance(decider, Tribe):
            chosen.append((index, turn, decider, token))
        replayed.push(token)
        moments.append(_look(replayed, engine, limit))
        if progress:
            progress(index + 1)
    return GameAnalysis(tuple(_decisions(chosen, moments)), tuple(moment.forest for moment in moments))


def annotate(record: Record, analysis: GameAnalysis, annotator: str) -> Record:
    """Return the record with marks and a comment on each decision. Marks from an earlier analysis are replaced.

    The sign in a comment shows which mark the analysis added. Marks that people added are kept, even if the analysis
    would have added the same mark.
    """
    notes = {index: _without_own(note) for index, note in record.notes.items()}
    for decision in analysis.decisions:
        note = notes.get(decision.index, Note())
        judgement = decision.judgement
        added = judgement if judgement and judgement.value not in note.marks else None
        marks = (*note.marks, added.value) if added else note.marks
        notes[decision.index] = Note(marks, (*note.comments, decision.comment(added)))
    return Record(record.game, record.headers | {"Annotator": annotator}, notes)


@dataclasses.dataclass(frozen=True, slots=True)
class _Moment:
    forest: float
    """Forest's expected score."""
    best: Line | None
    """The best line for the decider; ``None`` if no tribe decides."""


def _look(game: Game, engine: Engine, limit: Limit) -> _Moment:
    if game.outcome is not None:
        winner = game.outcome.winner
        return _Moment(0.5 if winner is None else float(winner is FOREST), None)
    if game.decider is CHANCE:
        return _Moment(_mean_over_tiles(game, engine, limit), None)
    found: list[Analysis] = list(engine.analyse(game, limit))
    best = found[-1].best
    expected = best.score.expected
    return _Moment(expected if game.decider is FOREST else 1 - expected, best)


def _mean_over_tiles(game: Game, engine: Engine, limit: Limit) -> float:
    """Forest's mean expected score over all possible draws, which are equally likely. The searches share one limit."""
    tiles = game.legal_moves
    share = Limit(_share(limit.movetime_ms, len(tiles)), _share(limit.nodes, len(tiles)), limit.depth)
    total = 0.0
    for tile in tiles:
        game.push(tile)
        total += _look(game, engine, share).forest
        game.pop()
    return total / len(tiles)


def _share(whole: int | None, count: int) -> int | None:
    return None if whole is None else max(1, whole // count)


def _decisions(chosen: list[tuple[int, int, Tribe, Token]], moments: list[_Moment]) -> Iterator[Decision]:
    for index, turn, tribe, token in chosen:
        best = moments[index].best
        if best is None:
            raise AssertionError("a tribe decided, so there must be a best line")
        before, after = (
            each.forest if tribe is FOREST else 1 - each.forest for each in (moments[index], moments[index + 1])
        )
        yield Decision(index, turn, tribe, token, before, after, best)


def _without_own(note: Note) -> Note:
    """The note without the comments from an earlier analysis and the marks that belong to them."""
    marks, comments = list(note.marks), []
    for comment in note.comments:
        own = _OWN_COMMENT.fullmatch(comment)
        if own is None:
            comments.append(comment)
        elif own[1]:
            mark = next(each.value for each in Judgement if each.sign == own[1])
            if mark in marks:
                marks.remove(mark)
    return Note(tuple(marks), tuple(comments))
