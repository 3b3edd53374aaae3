"""A game record: a game that was replayed and checked, with headers, marks and comments."""

from __future__ import annotations

import dataclasses
from typing import Final

from cairn._native import core
from cairn.game import Game
from cairn.notation.faults import decode, encode, faults_of
from cairn.notation.records import Note, in_order
from cairn.vocabulary import TRIBES, MalformedError, Outcome, Reason

UNFINISHED: Final = "*"


@dataclasses.dataclass(eq=False)
class Record:
    """A game with its headers and notes.

    Records are equal if their texts are equal, that is, if they have the same headers in the same order and the same
    start, tokens, outcome and notes.

    >>> record = Record(Game("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F", ["a1-a2"]), {"Sea": "level 4"})
    >>> record.notes[0] = Note(marks=(1,), comments=("towards the circle",))
    >>> print(write_record(record), end="")
    [Sea "level 4"]
    [Result "*"]
    [Position "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"]
    <BLANKLINE>
    1 F a1-a2 $1 {towards the circle}
    *
    """

    game: Game
    headers: dict[str, str] = dataclasses.field(default_factory=dict)
    """The headers (``Forest``, ``Date``, ...) except ``Result``, ``Reason`` and ``Position``, which are derived."""
    notes: dict[int, Note] = dataclasses.field(default_factory=dict)
    """Marks and comments, by the index of their token in ``game.tokens``."""

    @property
    def result(self) -> str:
        """``"F"``, ``"S"``, ``"="``, or ``"*"`` while the game is unfinished."""
        return self.game.outcome.result if self.game.outcome else UNFINISHED

    def __eq__(self, other: object) -> bool:
        return self._contents() == other._contents() if isinstance(other, Record) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # records are mutable

    def _contents(self) -> tuple[object, ...]:
        notes = {index: note for index, note in self.notes.items() if note}
        headers = list(in_order(self.headers).items())
        return headers, self.game.start_text, self.game.tokens, self.game.outcome, notes


def read_record(text: str | bytes) -> Record:
    """Read a record and replay its game. Raises :class:`~cairn.MalformedError` with the faults.

    Bytes, such as the contents of a file, are decoded as UTF-8.

    >>> text = '''
    ... [Position "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"]
    ... 1 F a1-a2
    ... 2 S a5-a1
    ... *
    ... '''
    >>> read_record(text)
    Traceback (most recent call last):
    cairn.vocabulary.errors.MalformedError: turn 2, token 1 'a5-a1': not legal: in phase action sea may play ...
    """
    if not isinstance(text, str | bytes | bytearray):
        raise TypeError(f"expected the text or bytes of a record, not {type(text).__name__}")
    if isinstance(text, str):
        faults, read = core.read_record(encode(text), strictly_utf8=False)
    else:
        faults, read = core.read_record(bytes(text), strictly_utf8=True)
    if read is None:
        raise MalformedError(faults_of(faults))
    start, tokens, declared, headers, notes = read
    game = Game(start, tokens)
    if declared:
        winner, reason = declared
        game.end(Outcome(TRIBES[winner - 1] if winner else None, Reason(reason)))
    return Record(
        game,
        {decode(name): decode(value) for name, value in headers},
        {index: Note(tuple(marks), tuple(map(decode, comments))) for index, marks, comments in notes},
    )


def write_record(record: Record) -> str:
    """Write the canonical text. Raises :class:`~cairn.MalformedError` if the record cannot be written."""
    if not isinstance(record, Record):
        raise TypeError(f"expected a Record, not {type(record).__name__}")
    declared = record.game.declared
    faults, text = core.write_record(
        record.game.board,
        (TRIBES.index(declared.winner) + 1 if declared.winner else 0, declared.reason.value) if declared else None,
        [(encode(name), encode(value)) for name, value in record.headers.items()],
        [
            (_bounded(index), [*map(_bounded, note.marks)], [*map(encode, note.comments)])
            for index, note in record.notes.items()
        ],
    )
    if faults:
        raise MalformedError(faults_of(faults))
    return decode(text)


def _bounded(number: int) -> int:
    """Clamp a number to 32 bits, which the core requires. The core reports a fault for numbers that large anyway."""
    return max(-(2**31), min(number, 2**31 - 1))
