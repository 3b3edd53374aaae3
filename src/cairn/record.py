"""A game record: a game that was replayed and checked, with headers, marks and comments."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from cairn.board import Board
from cairn.game import Game
from cairn.notation.records import (
    RESULTS,
    Note,
    WrittenRecord,
    WrittenToken,
    WrittenTurn,
    in_order,
    read_written,
    write_written,
)
from cairn.vocabulary import CairnError, Fault, GameOverError, MalformedError, Outcome, Phase, Reason, tribe_of

UNFINISHED: Final = "*"
DERIVED_HEADERS: Final = ("Result", "Reason", "Position")
"""Headers that are derived from the game, so that a record cannot contradict itself."""
DECLARED_RESULTS: Final[Mapping[Reason, str]] = {
    Reason.AGREEMENT: "=",
    Reason.RESIGNATION: "FS",
    Reason.TIME: "FS",
    Reason.ABANDONED: "FS=",
}
"""The reasons that are declared, not decided on the board, with their possible results."""


@dataclasses.dataclass(eq=False)
class Record:
    """A game with its headers and notes.

    Records are equal if their text is: the same headers in the same order, the same start, tokens, outcome and notes.

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
    """All headers but ``Result``, ``Reason`` and ``Position``, which are derived: ``Forest``, ``Date``, ..."""
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
    """Read a record and replay its game; raises :class:`~cairn.MalformedError` with the faults.

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
    written = read_written(_decoded(text))
    game = _replay(written)
    faults = list(_result_faults(written, game))
    if faults:
        raise MalformedError(faults)
    if game.outcome is None and written.result != UNFINISHED:
        winner = None if written.result == "=" else tribe_of(written.result)
        game.end(Outcome(winner, Reason(written.headers["Reason"])))
    headers = {name: value for name, value in written.headers.items() if name not in DERIVED_HEADERS}
    notes = (token.note for turn in written.turns for token in turn.tokens)
    return Record(game, in_order(headers), {index: note for index, note in enumerate(notes) if note})


def write_record(record: Record) -> str:
    """Write the canonical text; raises :class:`~cairn.MalformedError` if the record cannot be written."""
    if not isinstance(record, Record):
        raise TypeError(f"expected a Record, not {type(record).__name__}")
    faults = list(_unwritable(record))
    if faults:
        raise MalformedError(faults)
    outcome = record.game.outcome
    headers = record.headers | {"Result": record.result, "Position": record.game.start_text}
    if outcome:
        headers["Reason"] = outcome.reason.value
    return write_written(WrittenRecord(headers, tuple(_turns(record)), record.result))


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    if not isinstance(text, bytes | bytearray):
        raise TypeError(f"expected the text or bytes of a record, not {type(text).__name__}")
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = str(error.start + 1)
        fault = Fault("not-utf-8", f"byte {byte}", "the file is not UTF-8 text", {"byte": byte})
        raise MalformedError([fault]) from None


def _replay(written: WrittenRecord) -> Game:
    """Replay a record up to the last token, without a declared end."""
    try:
        game = Game(written.headers["Position"])
    except MalformedError as error:
        within = ((fault, {**fault.details, "field": fault.field}) for fault in error.faults)
        raise MalformedError([Fault(fault.kind, "Position", str(fault), more) for fault, more in within]) from None
    for number, turn in enumerate(written.turns, start=1):
        _replay_turn(game, number, turn)
    return game


def _replay_turn(game: Game, number: int, turn: WrittenTurn) -> None:
    if game.outcome is not None:
        _refuse("game-over", turn, 1, f"the game ended before this turn ({game.outcome.reason.value})")
    if game.phase is not Phase.ACTION:
        _refuse("turn-goes-on", turn, 1, f"turn {number - 1} is not over yet: it is in phase {game.phase.value}")
    if turn.number != number:
        _refuse("turn-number", turn, None, f"expected turn {number} (line {turn.line})")
    if turn.tribe != game.board.active.letter:
        _refuse("turn-tribe", turn, None, f"it is {game.board.active.letter}'s turn, not {turn.tribe}'s")
    for index, token in enumerate(turn.tokens, start=1):
        if index > 1 and game.phase is Phase.ACTION:
            _refuse("turn-over", turn, index, f"turn {number} is over; expected the number and tribe of the next turn")
        try:
            game.push(token.text)
        except CairnError as error:
            kind = "game-over" if isinstance(error, GameOverError) else "illegal-token"
            reason = str(error).removeprefix(f"{token.text!r} ").removeprefix("is ")
            _refuse(kind, turn, index, reason)


def _refuse(kind: str, turn: WrittenTurn, token: int | None, sentence: str) -> None:
    """Raise an error about a token of a turn, counted from 1, or about the turn itself."""
    if token is None:
        fault = Fault(kind, f"turn {turn.number}", sentence, {"turn": str(turn.number)})
    else:
        fault = Fault(kind, turn.place(token), sentence, turn.details(token))
    raise MalformedError([fault])


def _result_faults(written: WrittenRecord, game: Game) -> Iterator[Fault]:
    """Yield the contradictions between the two results, the reason and the game."""
    result, header, reason = written.result, written.headers.get("Result"), written.headers.get("Reason")
    if header is not None and header not in RESULTS:
        yield Fault("bad-result", "Result", f"{header!r} is not one of {' '.join(RESULTS)}")
    elif header not in (None, result):
        yield Fault("results-differ", "Result", f"the header says {header}, but the text ends with {result}")
    if reason is not None and reason not in {each.value for each in Reason}:
        yield Fault("bad-reason", "Reason", f"{reason!r} is not one of {' '.join(each.value for each in Reason)}")
        return
    if game.outcome is not None:
        yield from _decided_faults(game.outcome, result, reason)
    elif result == UNFINISHED:
        if reason is not None:
            yield Fault(
                "reason-without-result",
                "Reason",
                f"the reason is {reason}, but the result is *",
            )
    elif reason is None:
        yield Fault("no-reason", "Reason", f"the game is not decided on the board, so {result} needs a reason")
    else:
        yield from _declared_faults(Reason(reason), result)


def _decided_faults(outcome: Outcome, result: str, reason: str | None) -> Iterator[Fault]:
    ended = f"the game ends with {outcome.result} ({outcome.reason.value})"
    if result != outcome.result:
        yield Fault("wrong-result", "result", f"{ended}, but the text ends with {result}")
    if reason not in (None, outcome.reason.value):
        yield Fault("wrong-reason", "Reason", f"{ended}, not by {reason}")


def _declared_faults(reason: Reason, result: str) -> Iterator[Fault]:
    if reason not in DECLARED_RESULTS:
        yield Fault(
            "wrong-reason", "Reason", f"the reason is {reason.value}, but the game did not end that way on the board"
        )
    elif result not in DECLARED_RESULTS[reason]:
        possible = " or ".join(DECLARED_RESULTS[reason])
        yield Fault("wrong-result", "result", f"a game that ends by {reason.value} ends with {possible}, not {result}")


def _unwritable(record: Record) -> Iterator[Fault]:
    """The faults that prevent writing a record."""
    for name in DERIVED_HEADERS:
        if name in record.headers:
            yield Fault("told-by-the-game", name, "this header is derived from the game; remove it")
    for index in record.notes:
        if not 0 <= index < len(record.game.tokens):
            yield Fault("no-token", f"note {index}", f"the game has {len(record.game.tokens)} tokens, counted from 0")
    if record.game.declared and record.game.outcome is record.game.declared:
        yield from _declared_faults(record.game.declared.reason, record.result)


def _turns(record: Record) -> Iterable[WrittenTurn]:
    """The tokens grouped by turn, with their notes."""
    board = Board(record.game.start_text)
    turns: list[WrittenTurn] = []
    for index, token in enumerate(record.game.tokens):
        if board.phase is Phase.ACTION:
            turns.append(WrittenTurn(len(turns) + 1, board.active.letter, ()))
        written = WrittenToken(str(token), record.notes.get(index, Note()))
        turns[-1] = dataclasses.replace(turns[-1], tokens=(*turns[-1].tokens, written))
        board.push(token)
    return turns
