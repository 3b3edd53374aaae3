"""Marks and comments on the decisions of a record."""

from __future__ import annotations

import re
from typing import Final

from cairn.engine.review import CERTAIN, Decision, Judgement, Review
from cairn.notation.records import Note
from cairn.record import Record

SHOWN_TOKENS: Final = 8
"""How many tokens of a better line to include in a comment. Later tokens are unreliable."""
_OWN_COMMENT: Final = re.compile(r"eval [01]\.\d\d to [01]\.\d\d(?: (\?!|\?\??))?(?:; better .*)?", re.DOTALL)
"""Matches a comment written by an analysis. The sign in the comment shows which mark the analysis added."""


def annotate(record: Record, review: Review, annotator: str) -> Record:
    """Return the record with marks and a comment on each decision. Marks from an earlier analysis are replaced.

    The sign in a comment shows which mark the analysis added. Marks that people added are kept, even if the analysis
    would have added the same mark.
    """
    notes = {index: _without_own(note) for index, note in record.notes.items()}
    for decision in review.decisions:
        note = notes.get(decision.index, Note())
        judgement = decision.judgement
        added = judgement if judgement and judgement.value not in note.marks else None
        marks = (*note.marks, added.value) if added else note.marks
        notes[decision.index] = Note(marks, (*note.comments, _comment(decision, added)))
    return Record(record.game, record.headers | {"Annotator": annotator}, notes)


def _comment(decision: Decision, marked: Judgement | None) -> str:
    """The comment for a record. If ``marked`` is given, the comment includes its sign, such as ``?!``."""
    before, after = decision.before / CERTAIN, decision.after / CERTAIN
    values = f"eval {before:.2f} to {after:.2f}{f' {marked.sign}' if marked else ''}"
    return f"{values}; better {' '.join(decision.better[:SHOWN_TOKENS])}" if decision.loss else values


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
