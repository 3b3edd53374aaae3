"""Fuzz targets: functions that take arbitrary bytes and raise only if Cairn has a bug.

They have the signature that atheris and libFuzzer expect. ``tools/fuzz.py`` runs them for a long time,
``test_fuzz.py`` only briefly.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping
from typing import Final

import cairn
from cairn._native import Moments
from cairn.engine import Protocol, serve

POSITION: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def position(data: bytes) -> None:
    """Both position parsers accept the same texts, and only canonical ones."""
    text = _text(data)
    try:
        setup = cairn.read_position(text)
    except cairn.MalformedError:
        assert not _core_reads(text), f"only the core accepts {text!r}"
        return
    assert _core_reads(text), f"the core does not accept {text!r}"
    assert cairn.write_position(setup) == text, f"{text!r} is not canonical, but was accepted"
    assert cairn.Board(text).text == text
    assert cairn.Board(text).is_ok()


def _core_reads(text: str) -> bool:
    try:
        Moments(text)
    except ValueError:
        return False
    return True


def token(data: bytes) -> None:
    """The core plays exactly the legal tokens and refuses all others with the right error.

    The first line of ``data`` is a position, the second a token.
    """
    first, _, text = _text(data).partition("\n")
    try:
        board = cairn.Board(first)
    except cairn.MalformedError:
        board = cairn.Board(POSITION)
    before, legal = board.copy(), [str(move) for move in board.legal_moves]
    try:
        read = cairn.read_token(text)
        assert str(read) == text, f"{text!r} was parsed as a token, but is written {read}"
        malformed = False
    except cairn.MalformedError:
        malformed = True
    try:
        board.push(text)
    except cairn.MalformedError:
        assert malformed, f"{text!r} is a token, but was refused as malformed"
        assert board == before
    except (cairn.IllegalTokenError, cairn.GameOverError):
        assert not malformed, f"{text!r} is not a token, but was refused as illegal"
        assert text not in legal
        assert board == before
    else:
        assert text in legal, f"{text!r} was played, but is not legal at {before!r}"
        assert board.is_ok()
        assert str(board.pop()) == text
        assert board == before


def record(data: bytes) -> None:
    """A text is either refused with faults, or parsed as a record that round-trips unchanged."""
    try:
        read = cairn.read_record(_text(data))
    except cairn.MalformedError:
        return
    written = cairn.write_record(read)
    again = cairn.read_record(written)
    assert again == read
    assert cairn.write_record(again) == written


def protocol(data: bytes) -> None:
    """Every line gets a well-formed answer, and an invalid line does not change the state."""
    data = re.sub(rb"perft[ \t]+[0-9]{1,2}\b", b"perft 2", data)  # deeper counts would take too long
    engine = Protocol()
    for line in data.split(b"\n"):
        if engine.over:
            break
        before = list(engine.answer(b"state"))
        answers = list(engine.answer(line))
        for answer in answers:
            assert answer.isprintable(), f"expected a printable answer to {line!r}, not {answer!r}"
        if answers and answers[0].startswith("error "):
            assert len(answers) == 1, f"{line!r} was answered with an error and further lines: {answers}"
            assert list(engine.answer(b"state")) == before, f"{line!r} is an error, but changed the state"
        elif line.strip() == b"state":
            json.loads(answers[0])
    answered = io.BytesIO()
    serve(io.BytesIO(data), answered)
    assert answered.getvalue().count(b"error ") <= data.count(b"\n") + 1


TARGETS: Final[Mapping[str, Callable[[bytes], None]]] = {
    "position": position,
    "token": token,
    "record": record,
    "protocol": protocol,
}
