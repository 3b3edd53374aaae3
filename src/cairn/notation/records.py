"""Game records as text: headers, turns, comments and marks. :mod:`cairn.record` replays and checks them.

[Position "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"]

1 F a1-a2 {towards the circle}
2 S a5-b4 $2
*
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Final

from cairn.notation.tokens import read_token
from cairn.vocabulary import Fault, MalformedError

POSITION: Final = "Position"
"""The only header that every record needs."""
HEADERS: Final = ("Variant", "Forest", "Sea", "Date", "Result", "Reason", POSITION)
"""The known headers, in the order in which they are written."""
RESULTS: Final = ("F", "S", "=", "*")
HIGHEST_MARK: Final = 255
LONGEST_TOKEN: Final = 40
"""In characters, with some margin. Longer words are rejected without being parsed."""
MOST_FAULTS: Final = 20
"""The reader stops after this many faults: the text is probably not a record."""

_HEADER: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\\n]|\\.)*)"\][ \t]*(?:\n|\Z)')
_PIECE: Final = re.compile(r"\{(?P<comment>[^}]*)\}|(?P<mark>\$[^ \t\n{$]*)|(?P<word>[^ \t\n{$]+)|(?P<open>\{)")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
_MARK: Final = re.compile(r"\$(0|[1-9][0-9]{0,2})")
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters and lone surrogates, which headers and comments cannot hold."""
_SHOWN: Final = 40


@dataclasses.dataclass(frozen=True, slots=True)
class Note:
    """The marks and comments on a token."""

    marks: tuple[int, ...] = ()
    """Numeric annotations, as in PGN: 1 good, 2 mistake, 3 brilliant, 4 blunder, ..."""
    comments: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.marks or self.comments)


@dataclasses.dataclass(frozen=True, slots=True)
class WrittenToken:
    """A token as written: well-formed, but not yet known to be legal."""

    text: str
    note: Note = Note()


@dataclasses.dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A turn as written."""

    number: int
    tribe: str
    """``"F"`` or ``"S"``."""
    tokens: tuple[WrittenToken, ...]
    line: int = dataclasses.field(default=0, compare=False)
    """The line on which the turn begins."""

    def place(self, token: int) -> str:
        """The place of a token in this turn, counted from 1: ``turn 12, token 2 'a1-a2'``."""
        return f"turn {self.number}, token {token} {_quoted(self.tokens[token - 1].text)}"

    def details(self, token: int) -> dict[str, str]:
        """The same place, as the details of a fault."""
        return {"turn": str(self.number), "token": str(token), "text": _cut(self.tokens[token - 1].text)}


@dataclasses.dataclass(frozen=True, slots=True)
class WrittenRecord:
    """A record as written."""

    headers: Mapping[str, str]
    turns: tuple[WrittenTurn, ...]
    result: str


def read_written(text: str) -> WrittenRecord:
    """Parse the text of a record; raises :class:`~cairn.MalformedError` with the faults."""
    reader = _Reader(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    with contextlib.suppress(_TooManyFaults):
        reader.read()
    faults = reader.faults
    if POSITION not in reader.headers and not any(fault.kind == "bad-header" for fault in faults):
        missing = Fault("no-position", POSITION, "this header is required: it is the start of the game")
        faults = [missing, *faults][:MOST_FAULTS]
    if faults:
        raise MalformedError(faults)
    return WrittenRecord(reader.headers, tuple(reader.finished_turns()), reader.result)


def write_written(record: WrittenRecord) -> str:
    """Return the canonical text; raises :class:`~cairn.MalformedError` naming everything that cannot be written."""
    faults = [*_header_faults(record.headers), *_note_faults(record.turns)]
    if faults:
        raise MalformedError(faults)
    headers = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in in_order(record.headers).items())
    turns = "".join(f"{turn.number} {turn.tribe} {' '.join(map(_write_token, turn.tokens))}\n" for turn in record.turns)
    return f"{headers}\n{turns}{record.result}\n"


def in_order(headers: Mapping[str, str]) -> dict[str, str]:
    """The known headers in their order, then the others in the given order."""
    known = {name: headers[name] for name in HEADERS if name in headers}
    return known | {name: value for name, value in headers.items() if name not in known}


def is_token(word: str) -> bool:
    """Whether a word is a well-formed token, legal or not."""
    if len(word) > LONGEST_TOKEN:
        return False
    try:
        read_token(word)
    except MalformedError:
        return False
    return True


class _TooManyFaults(Exception):
    """Stops the reader."""


@dataclasses.dataclass(slots=True)
class _OpenTurn:
    """A turn while it is being read."""

    number: int
    tribe: str
    line: int
    tokens: list[tuple[str, list[int], list[str]]] = dataclasses.field(default_factory=list)

    def place(self) -> str:
        return f"turn {self.number}, token {len(self.tokens)}"


class _Reader:
    """Reads a text from start to end and collects the faults."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.faults: list[Fault] = []
        self.headers: dict[str, str] = {}
        self.turns: list[_OpenTurn] = []
        self.result = ""
        self.pending_number: int | None = None
        """The number of a turn whose tribe has not been read yet."""

    def read(self) -> None:
        self._skip_spaces()
        while self.text.startswith("[", self.at):
            self._read_header()
            self._skip_spaces()
        while self.at < len(self.text):
            self._read_piece()
            self._skip_spaces()
        self._close_turn()
        if not self.result:
            self._fault("no-result", "result", f"expected a result after the last turn: {_alternatives(RESULTS)}")

    def finished_turns(self) -> Iterable[WrittenTurn]:
        for turn in self.turns:
            tokens = tuple(
                WrittenToken(text, Note(tuple(marks), tuple(comments))) for text, marks, comments in turn.tokens
            )
            yield WrittenTurn(turn.number, turn.tribe, tokens, turn.line)

    def _fault(self, kind: str, place: str, sentence: str, **details: str) -> None:
        self.faults.append(Fault(kind, place, sentence, details))
        if len(self.faults) == MOST_FAULTS:
            raise _TooManyFaults

    def _fault_here(self, kind: str, sentence: str) -> None:
        self._fault(kind, f"line {self.line}", sentence, line=str(self.line))

    def _advance(self, end: int) -> None:
        self.line += self.text.count("\n", self.at, end)
        self.at = end

    def _skip_spaces(self) -> None:
        end = self.at
        while end < len(self.text) and self.text[end] in " \t\n":
            end += 1
        self._advance(end)

    def _read_header(self) -> None:
        match = _HEADER.match(self.text, self.at)
        if not match:
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            written = _quoted(self.text[self.at : end])
            self._fault_here("bad-header", f'{written} is not a header: expected [Key "value"], one per line')
            return self._advance(end)
        name, value = match[1], match[2]
        if name in self.headers:
            self._fault("header-twice", name, f"this header appears twice, again in line {self.line}")
        elif unknown := set(re.findall(r"\\.", value)) - {'\\"', "\\\\"}:
            shown = ", ".join(map(repr, sorted(unknown)))
            self._fault("bad-escape", name, f'{shown} is not an escape; only \\" and \\\\ are')
        elif wrong := re.search("\t|" + _UNWRITABLE.pattern, value):
            self._fault("control-character", name, f"{wrong[0]!r} is not allowed in a header")
        self.headers.setdefault(name, re.sub(r'\\(["\\])', r"\1", value))
        return self._advance(match.end())

    def _read_piece(self) -> None:
        piece = _PIECE.match(self.text, self.at)
        if piece is None:  # pragma: no cover - the alternatives match everything but spaces
            raise AssertionError(f"nothing can be read at {self.at}")
        if self.result:
            self._fault_here("after-the-result", f"{_quoted(piece[0])} comes after the result {self.result}")
            self.at = len(self.text)
            return
        if piece["open"]:
            self._fault_here("open-comment", "this comment has no closing }")
            self.at = len(self.text)
            return
        if piece["word"]:
            self._read_word(piece["word"])
        elif piece["mark"]:
            self._read_mark(piece["mark"])
        else:
            self._read_comment(piece["comment"])
        self._advance(piece.end())

    def _read_word(self, word: str) -> None:
        if self.pending_number is not None:
            return self._begin_turn(self.pending_number, word)
        if _NUMBER.fullmatch(word):
            self._close_turn()
            self.pending_number = int(word)
            return None
        if word in RESULTS:
            self._close_turn()
            self.result = word
            return None
        if not self.turns:
            return self._fault_here("no-number", f"{_quoted(word)} comes before the number and tribe of the first turn")
        turn = self.turns[-1]
        turn.tokens.append((word, [], []))
        if not is_token(word):
            place = {"turn": str(turn.number), "token": str(len(turn.tokens)), "text": _cut(word)}
            self._fault("not-a-token", f"{turn.place()} {_quoted(word)}", f"not a token (line {self.line})", **place)
        return None

    def _begin_turn(self, number: int, tribe: str) -> None:
        self.pending_number = None
        if tribe not in ("F", "S"):
            sentence = f"expected F or S after the number, not {_quoted(tribe)}"
            self._fault("bad-tribe", f"turn {number}", sentence, turn=str(number))
        self.turns.append(_OpenTurn(number, tribe, self.line))

    def _close_turn(self) -> None:
        if self.pending_number is not None:
            number = self.pending_number
            self._fault("bad-tribe", f"turn {number}", "expected F or S after the number", turn=str(number))
            self.pending_number = None
        elif self.turns and not self.turns[-1].tokens and self.turns[-1].tribe in ("F", "S"):
            turn = self.turns[-1]
            place = f"turn {turn.number}"
            self._fault("empty-turn", place, f"this turn has no token (line {turn.line})", turn=str(turn.number))

    def _read_mark(self, mark: str) -> None:
        number = _MARK.fullmatch(mark)
        if not number or int(number[1]) > HIGHEST_MARK:
            return self._fault_here("bad-mark", f"{_quoted(mark)} is not a mark: $0 to ${HIGHEST_MARK}")
        if note := self._noted("mark"):
            note[1].append(int(number[1]))
        return None

    def _read_comment(self, comment: str) -> None:
        if wrong := _UNWRITABLE.search(comment):
            return self._fault_here("control-character", f"{wrong[0]!r} is not allowed in a comment")
        if note := self._noted("comment"):
            note[2].append(comment)
        return None

    def _noted(self, what: str) -> tuple[str, list[int], list[str]] | None:
        """The token before a mark or comment."""
        if self.pending_number is None and self.turns and self.turns[-1].tokens:
            return self.turns[-1].tokens[-1]
        self._fault_here("no-token", f"there is no token before this {what}")
        return None


def _header_faults(headers: Mapping[str, str]) -> Iterable[Fault]:
    for name, value in headers.items():
        if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
            yield Fault("bad-header", _quoted(name), "a header name consists of letters, digits and _")
        if wrong := re.search("[\t\n]|" + _UNWRITABLE.pattern, value):
            yield Fault("control-character", name, f"{wrong[0]!r} is not allowed in a header")


def _note_faults(turns: Iterable[WrittenTurn]) -> Iterable[Fault]:
    for turn in turns:
        for number, token in enumerate(turn.tokens, start=1):
            for comment in token.note.comments:
                if wrong := re.search("}|" + _UNWRITABLE.pattern, comment):
                    kind = "comment-end" if wrong[0] == "}" else "control-character"
                    yield Fault(kind, turn.place(number), f"{wrong[0]!r} is not allowed in a comment")
            for mark in token.note.marks:
                if not 0 <= mark <= HIGHEST_MARK:
                    yield Fault("bad-mark", turn.place(number), f"{mark} is not a mark: 0 to {HIGHEST_MARK}")


def _write_token(token: WrittenToken) -> str:
    marks = (f"${mark}" for mark in token.note.marks)
    comments = (f"{{{comment}}}" for comment in token.note.comments)
    return " ".join((token.text, *marks, *comments))


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(text: str) -> str:
    return repr(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _alternatives(choices: Iterable[str]) -> str:
    *most, last = choices
    return f"{', '.join(most)} or {last}"
