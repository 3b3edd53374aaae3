"""Game records: how they are read, how faults and their places are reported, and the canonical form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

import cairn
from cairn import FOREST, SEA, Game, MalformedError, Outcome, Reason, Record, read_record, write_record
from cairn.notation.records import MOST_FAULTS, Note

POSITION: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
EXAMPLE: Final = f"""\
[Variant "beginner"]
[Forest "guest"]
[Sea "level 4"]
[Date "2026.11.15"]
[Result "*"]
[Position "{POSITION}"]

1 F a1-a2 {{towards the circle}}
2 S a5-b4 $2
*
"""
DATA: Final = Path(__file__).parents[1] / "data"


def text(turns: str = "1 F a1-a2\n2 S a5-b4\n*", **headers: str) -> str:
    written = {"Position": POSITION, **headers}
    return "".join(f'[{name} "{value}"]\n' for name, value in written.items()) + f"\n{turns}\n"


def faults(record: str) -> list[tuple[str, str]]:
    with pytest.raises(MalformedError) as caught:
        read_record(record)
    return [(fault.kind, fault.field) for fault in caught.value.faults]


def games() -> list[dict[str, Any]]:
    lines = (DATA / "games.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_example_round_trips_byte_for_byte() -> None:
    record = read_record(EXAMPLE)
    assert list(record.headers) == ["Variant", "Forest", "Sea", "Date"]
    assert [str(token) for token in record.game.tokens] == ["a1-a2", "a5-b4"]
    assert record.notes == {0: Note(comments=("towards the circle",)), 1: Note(marks=(2,))}
    assert record.result == "*"
    assert write_record(record) == EXAMPLE


@pytest.mark.parametrize("game", games(), ids=lambda game: game["variant"])
def test_every_game_round_trips(game: dict[str, Any]) -> None:
    played = Game(game["position"], [ply["token"] for ply in game["plies"]])
    notes = {index: Note((index % 7,), (f"token {index}", "")) for index in range(0, len(played.tokens), 5)}
    record = Record(played, {"Zeal": 'a "quoted" \\ value', "Date": "2026.11.15"}, notes)
    written = write_record(record)
    again = read_record(written)
    assert again == record
    assert again.game.outcome == played.outcome
    assert write_record(again) == written


@pytest.mark.parametrize(
    "loose",
    [
        EXAMPLE.replace("\n", "\r\n"),
        "\ufeff" + EXAMPLE,
        EXAMPLE.replace(" {", "\n\n\t {").replace("2 S", "2\nS\n "),
        EXAMPLE.replace(" {", "{").replace(" $2", "$2"),
        EXAMPLE.replace("\n\n", "\n"),
        EXAMPLE.rstrip("\n"),
        EXAMPLE.replace('"]\n', '"]  \n\n'),
    ],
    ids=["crlf", "bom", "breaks", "no spaces", "no blank line", "no last break", "blank lines"],
)
def test_line_breaks_and_spaces_between_tokens_do_not_matter(loose: str) -> None:
    assert write_record(read_record(loose)) == EXAMPLE


def test_known_headers_are_sorted_and_others_keep_their_order() -> None:
    record = read_record(text(Zebra="1", Sea="s", Apple="2", Variant="beginner"))
    assert list(record.headers) == ["Variant", "Sea", "Zebra", "Apple"]
    names = [line.split()[0] for line in write_record(record).split("\n\n")[0].splitlines()]
    assert names == ["[Variant", "[Sea", "[Result", "[Position", "[Zebra", "[Apple"]


def test_a_token_can_have_several_marks_and_comments() -> None:
    record = read_record(text("1 F a1-a2 {one} $1 {two\nlines} $2\n2 S a5-b4 {}\n*"))
    assert record.notes == {0: Note((1, 2), ("one", "two\nlines")), 1: Note((), ("",))}
    assert "1 F a1-a2 $1 $2 {one} {two\nlines}\n" in write_record(record)


@pytest.mark.parametrize(
    ("turns", "kind", "place"),
    [
        ("1 F a1-a2\n2 S a5-a1\n*", "illegal-token", "turn 2, token 1 'a5-a1'"),
        ("1 F a1-a9\n*", "not-a-token", "turn 1, token 1 'a1-a9'"),
        ("1 F a1-a2 a5-b4\n*", "turn-over", "turn 1, token 2 'a5-b4'"),
        ("1 F a1-a2\n3 S a5-b4\n*", "turn-number", "turn 3"),
        ("2 F a1-a2\n*", "turn-number", "turn 2"),
        ("1 S a1-a2\n*", "turn-tribe", "turn 1"),
        ("1 X a1-a2\n*", "bad-tribe", "turn 1"),
        ("1 a1-a2\n*", "bad-tribe", "turn 1"),
        ("1\n", "bad-tribe", "turn 1"),
        ("1 F\n*", "empty-turn", "turn 1"),
        ("1. F a1-a2\n*", "no-number", "line 3"),
        ("01 F a1-a2\n*", "no-number", "line 3"),
        ("a1-a2\n*", "no-number", "line 3"),
        ("1 F a1-a2", "no-result", "result"),
        ("", "no-result", "result"),
        ("1 F a1-a2\n*\n2 S a5-b4", "after-the-result", "line 5"),
        ("1 F a1-a2 {endless\n*", "open-comment", "line 3"),
        ("{early}\n1 F a1-a2\n*", "no-token", "line 3"),
        ("1 F {early} a1-a2\n*", "no-token", "line 3"),
        ("1 {early} F a1-a2\n*", "no-token", "line 3"),
        ("$1\n*", "no-token", "line 3"),
        ("1 F a1-a2 $256\n*", "bad-mark", "line 3"),
        ("1 F a1-a2 $01\n*", "bad-mark", "line 3"),
        ("1 F a1-a2 $\n*", "bad-mark", "line 3"),
        ("1 F a1-a2 {\x00}\n*", "control-character", "line 3"),
        ("1 F a1-a2\x0c\n*", "not-a-token", "turn 1, token 1 'a1-a2\\x0c'"),
        ("1 F a1-a2 {a} }\n*", "not-a-token", "turn 1, token 2 '}'"),
        ("1 F " + "DR:" * 5000 + "use\n*", "not-a-token", "turn 1, token 1 'DR:DR:DR:DR:DR:DR:DR:DR:DR:DR:DR:DR:D...'"),
    ],
)
def test_faults_in_turns_are_reported(turns: str, kind: str, place: str) -> None:
    assert (kind, place) in faults(text(turns))


@pytest.mark.parametrize(
    ("record", "kind", "place"),
    [
        ("*\n", "no-position", "Position"),
        ("", "no-position", "Position"),
        (text(Position="x"), "field-count", "Position"),
        (text(Position=POSITION.replace("(ADCSPSSA)", "CG" * 200)), "field-count", "Position"),
        (text().replace('"]', '"', 1), "bad-header", "line 1"),
        (text().replace("[", "[ ", 1), "bad-header", "line 1"),
        (text().replace('"]\n', '"] [A "b"]\n'), "bad-header", "line 1"),
        (text(Sea='a"b'), "bad-header", "line 2"),
        (text(Sea="a\\b"), "bad-escape", "Sea"),
        (text(Sea="a\\"), "bad-header", "line 2"),
        (text(Sea="a\tb"), "control-character", "Sea"),
        ('[Sea "x"]\n[Sea "y"]\n' + text(), "header-twice", "Sea"),
    ],
)
def test_faults_in_headers_are_reported(record: str, kind: str, place: str) -> None:
    assert (kind, place) in faults(record)


def test_all_faults_are_reported_together_up_to_a_limit() -> None:
    found = faults('[Sea "x"]\n[Sea "y"]\n[bad\n1 F nonsense $999\n2 Q\n')
    assert [kind for kind, _ in found] == [
        "header-twice", "bad-header", "not-a-token", "bad-mark", "bad-tribe", "no-result",
    ]  # fmt: skip
    assert len(faults("1 F " + "rubbish " * 1000)) == MOST_FAULTS


def test_an_empty_record_reports_the_missing_position_first() -> None:
    assert faults("") == [("no-position", "Position"), ("no-result", "result")]
    assert faults("[Position nonsense]\n*") == [("bad-header", "line 1")]


def test_bytes_are_read_as_utf_8() -> None:
    assert read_record(EXAMPLE.encode()) == read_record(EXAMPLE)
    assert read_record(b"\xef\xbb\xbf" + EXAMPLE.replace("guest", "Zoë").encode()).headers["Forest"] == "Zoë"
    with pytest.raises(MalformedError, match="byte 3: the file is not UTF-8 text"):
        read_record(b"ab\xff")


def test_wrong_types_raise_type_error() -> None:
    for wrong in (None, 5, Path("game.cairn")):
        with pytest.raises(TypeError, match=f"expected the text or bytes of a record, not {type(wrong).__name__}"):
            read_record(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a Record, not NoneType"):
        write_record(None)  # type: ignore[arg-type]


def finished(reason: Reason) -> str:
    """The record of a game that ended on the board for the given reason."""
    lines = (DATA / "special.jsonl").read_text(encoding="utf-8").splitlines()
    played = (Game(vector["position"], vector["tokens"]) for vector in map(json.loads, lines))
    return write_record(Record(next(game for game in played if game.outcome and game.outcome.reason is reason)))


@pytest.mark.parametrize("reason", [Reason.SCORE, Reason.NO_ACTION, Reason.REPETITION])
def test_a_declared_ending_must_match_the_board(reason: Reason) -> None:
    written = finished(reason)
    record = read_record(written)
    assert record.game.outcome is not None
    assert record.game.outcome.reason is reason
    assert f'[Reason "{reason.value}"]' in written
    assert read_record(written.replace(f'[Reason "{reason.value}"]\n', "")) == record
    wrong = written.replace(f'[Reason "{reason.value}"]', '[Reason "time"]')
    assert faults(wrong) == [("wrong-reason", "Reason")]
    unfinished = written.replace(f'[Result "{record.result}"]', '[Result "*"]')[: -len("F\n")] + "*\n"
    assert ("wrong-result", "result") in faults(unfinished)


def test_a_token_after_the_end_is_a_fault() -> None:
    written = finished(Reason.SCORE)
    body, result = written[:-3], written[-2]
    last = int(body.splitlines()[-1].split()[0])
    found = faults(f"{body}\n{last + 1} F a1-a2\n{result}\n")
    assert found == [("game-over", f"turn {last + 1}, token 1 'a1-a2'")]


@pytest.mark.parametrize(
    ("reason", "winner"),
    [
        (Reason.AGREEMENT, None),
        (Reason.RESIGNATION, FOREST),
        (Reason.TIME, SEA),
        (Reason.ABANDONED, None),
        (Reason.ABANDONED, SEA),
    ],
)
def test_declared_endings_round_trip(reason: Reason, winner: cairn.Tribe | None) -> None:
    record = Record(Game(POSITION, ["a1-a2"]))
    record.game.end(Outcome(winner, reason))
    again = read_record(write_record(record))
    assert again == record
    assert again.game.declared == Outcome(winner, reason)


@pytest.mark.parametrize(
    ("headers", "result", "kind"),
    [
        ({"Result": "F"}, "*", "results-differ"),
        ({"Result": "1-0"}, "*", "bad-result"),
        ({"Reason": "boredom"}, "*", "bad-reason"),
        ({"Reason": "abandoned"}, "*", "reason-without-result"),
        ({}, "F", "no-reason"),
        ({"Reason": "score"}, "F", "wrong-reason"),
        ({"Reason": "repetition"}, "=", "wrong-reason"),
        ({"Reason": "agreement"}, "F", "wrong-result"),
        ({"Reason": "resignation"}, "=", "wrong-result"),
        ({"Reason": "time"}, "=", "wrong-result"),
    ],
)
def test_contradictory_results_are_reported(headers: dict[str, str], result: str, kind: str) -> None:
    assert kind in [found for found, _ in faults(text(f"1 F a1-a2\n{result}", **headers))]


@pytest.mark.parametrize(
    ("headers", "notes", "kind"),
    [
        ({}, {0: Note(comments=("a } b",))}, "comment-end"),
        ({}, {0: Note(comments=("a \r b",))}, "control-character"),
        ({}, {0: Note(comments=("\ud800",))}, "control-character"),
        ({}, {0: Note(marks=(256,))}, "bad-mark"),
        ({}, {0: Note(marks=(-1,))}, "bad-mark"),
        ({}, {1: Note(marks=(1,))}, "no-token"),
        ({"Sea": "two\nlines"}, {}, "control-character"),
        ({"two words": ""}, {}, "bad-header"),
        ({"Result": "F"}, {}, "told-by-the-game"),
    ],
)
def test_unreadable_records_are_not_written(headers: dict[str, str], notes: dict[int, Note], kind: str) -> None:
    with pytest.raises(MalformedError) as caught:
        write_record(Record(Game(POSITION, ["a1-a2"]), headers, notes))
    assert [fault.kind for fault in caught.value.faults] == [kind]


def test_an_impossible_declared_outcome_is_not_written() -> None:
    record = Record(Game(POSITION))
    record.game.end(Outcome(FOREST, Reason.AGREEMENT))
    with pytest.raises(MalformedError, match="agreement ends with ="):
        write_record(record)


def test_records_compare_by_their_whole_content() -> None:
    assert read_record(EXAMPLE) == read_record(EXAMPLE)
    assert read_record(EXAMPLE) != read_record(EXAMPLE.replace(" $2", ""))
    assert read_record(EXAMPLE) != read_record(EXAMPLE.replace("guest", "host"))
    assert read_record(text(A="1", B="2")) != read_record(text(B="2", A="1"))
    assert read_record(EXAMPLE) != EXAMPLE
