"""Game analysis, and the commands ``analyse`` and ``play``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

from cairn import CHANCE, FOREST, SEA, Game, Record, read_record, write_record
from cairn.cli.app import app
from cairn.cli.plot import COLUMNS, plot
from cairn.engine import Limit, NativeEngine, RandomEngine
from cairn.engine.analysis import GameAnalysis, Judgement, analyse_game, annotate
from cairn.notation.records import Note

LIMIT: Final = Limit(nodes=5_000)


def play(forest: NativeEngine | RandomEngine, sea: NativeEngine | RandomEngine) -> Game:
    game = Game.start("standard", seed=8)
    while game.outcome is None:
        if game.decider is CHANCE:
            game.push(game.legal_moves[-1])
        else:
            engine = forest if game.decider is FOREST else sea
            game.push(engine.play(game, Limit(nodes=3_000)).token)
    return game


@pytest.fixture(scope="module")
def game() -> Game:
    """A game between the engine, as Forest, and a random player."""
    return play(NativeEngine(), RandomEngine(5))


@pytest.fixture(scope="module")
def analysis(game: Game) -> GameAnalysis:
    return analyse_game(game, NativeEngine(), LIMIT)


def test_each_decision_is_judged_by_its_loss(game: Game, analysis: GameAnalysis) -> None:
    assert len(analysis.course) == len(game.tokens) + 1
    assert analysis.course[-1] == 1.0  # Forest has won
    assert all(0 <= value <= 1 for value in analysis.course)
    assert analysis.average_loss(SEA) > analysis.average_loss(FOREST)
    for each in analysis.decisions:
        assert game.tokens[each.index] == each.token
        forest = each.tribe is FOREST
        assert each.after == pytest.approx(
            analysis.course[each.index + 1] if forest else 1 - analysis.course[each.index + 1]
        )
        expected = (
            None if each.loss < 0.05
            else Judgement.INACCURACY if each.loss < 0.10
            else Judgement.MISTAKE if each.loss < 0.20
            else Judgement.BLUNDER
        )  # fmt: skip
        assert each.judgement is expected
    assert sum(analysis.count(SEA, each) for each in Judgement) > 0
    turns = [each.turn for each in analysis.decisions]
    assert turns == sorted(turns)
    assert turns[0] == 1


def test_an_analysis_is_reproducible_and_reports_its_progress(game: Game, analysis: GameAnalysis) -> None:
    done: list[int] = []
    assert analyse_game(game, NativeEngine(), LIMIT, done.append) == analysis
    assert done == list(range(1, len(game.tokens) + 1))


def test_annotating_again_replaces_only_the_earlier_analysis(game: Game, analysis: GameAnalysis) -> None:
    record = Record(game, {"Forest": "Ada"}, {0: Note((1,), ("well begun",))})
    once = annotate(record, analysis, "somebody")
    assert once.notes[0].comments[0] == "well begun"
    assert once.notes[0].marks[0] == 1
    assert once.headers == {"Forest": "Ada", "Annotator": "somebody"}
    assert record.notes == {0: Note((1,), ("well begun",))}
    again = annotate(read_record(write_record(once)), analysis, "somebody")
    assert again == once
    for each in analysis.decisions:
        marks = set(once.notes[each.index].marks) - {1}
        assert marks == ({each.judgement.value} if each.judgement else set())


def test_marks_by_people_are_kept(game: Game, analysis: GameAnalysis) -> None:
    mistaken = next(each for each in analysis.decisions if each.judgement)
    good = next(each for each in analysis.decisions if not each.judgement)
    assert mistaken.judgement
    for own in ((2,), (4,), (6,), (2, 4, 6), ()):
        written = {mistaken.index: Note(own), good.index: Note(own, ("eval is easy to say",))}
        once = annotate(Record(game, {}, {index: note for index, note in written.items() if note}), analysis, "x")
        added = () if mistaken.judgement.value in own else (mistaken.judgement.value,)
        for _ in range(2):
            assert once.notes[mistaken.index].marks == (*own, *added)
            assert once.notes[good.index].marks == own
            assert once.notes[good.index].comments[0] == "eval is easy to say"
            once = annotate(read_record(write_record(once)), analysis, "x")
        nothing = GameAnalysis((), analysis.course)
        bare = annotate(once, nothing, "x").notes
        assert {index: note for index, note in bare.items() if note} == {
            index: note for index, note in written.items() if note
        }


def test_an_analysis_without_a_limit_is_rejected(game: Game) -> None:
    with pytest.raises(ValueError, match="never end"):
        analyse_game(game, NativeEngine(), Limit())


def test_an_empty_game_has_no_decisions() -> None:
    empty = analyse_game(Game.start(seed=1), NativeEngine(), LIMIT)
    assert empty.decisions == ()
    assert len(empty.course) == 1
    assert empty.average_loss(SEA) == 0


@pytest.mark.parametrize("unicode", [True, False])
def test_the_plot_fits_the_terminal(unicode: bool) -> None:
    for length in (1, 2, COLUMNS, COLUMNS + 1, 500):
        drawn = plot([index / length for index in range(length)], unicode=unicode)
        assert unicode or drawn.isascii()
        lines = drawn.splitlines()
        assert len(lines) == 9
        assert all(len(line) <= 80 for line in lines)


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed)


def test_the_command_analyses_and_annotates_a_record(game: Game, tmp_path: Path) -> None:
    file, annotated = tmp_path / "game.cairn", tmp_path / "annotated.cairn"
    file.write_text(write_record(Record(game, {"Sea": "nobody"})), encoding="utf-8")
    result = run("analyse", str(file), "--nodes", "2000", "--output", str(annotated))
    assert result.exit_code == 0, result.stderr
    assert "Sea (nobody): " in result.stdout
    assert "better: " in result.stdout
    assert "0.50 ┼" in result.stdout or "0.50 +" in result.stdout
    record = read_record(annotated.read_text(encoding="utf-8"))
    assert record.game.tokens == game.tokens
    assert record.headers["Annotator"] == "Cairn, nodes 2000"
    assert record.notes[0].comments[0].startswith("eval 0.")
    assert run("analyse", str(annotated), "--movetime", "1").exit_code == 0


def test_an_unwritable_output_is_reported_before_the_analysis(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object) -> None:
        raise AssertionError("the analysis started")

    monkeypatch.setattr("cairn.engine.analysis.analyse_game", work)
    file = tmp_path / "game.cairn"
    file.write_text(write_record(Record(game)), encoding="utf-8")
    for output, part in ((tmp_path, "this is a folder"), (tmp_path / "no" / "such", "no such file")):
        result = run("analyse", str(file), "--output", str(output))
        assert (result.exit_code, part in result.stderr) == (1, True)


def test_decision_counts_are_pluralised(tmp_path: Path) -> None:
    file = tmp_path / "game.cairn"
    game = Game.start(seed=1)
    game.push(game.legal_moves[0])
    file.write_text(write_record(Record(game)), encoding="utf-8")
    output = run("analyse", str(file), "--nodes", "500").stdout
    assert ": 1 decision, " in output
    assert ": 0 decisions, " in output


def test_the_command_reports_errors(tmp_path: Path) -> None:
    bad = tmp_path / "bad.cairn"
    bad.write_text("nonsense", encoding="utf-8")
    for arguments, part in (
        ([str(bad)], "bad.cairn: "),
        ([str(tmp_path / "missing.cairn")], "no such file"),
        ([str(bad), "--nodes", "5", "--movetime", "5"], "not both"),
    ):
        result = run("analyse", *arguments)
        assert result.exit_code == (2 if part == "not both" else 1)
        assert part in result.stderr
        assert "Traceback" not in result.output
    assert run("analyse", str(bad), "--nodes", "0").exit_code == 2


@pytest.mark.parametrize("options", [["--against", "1"], ["--tribe", "sea"], ["--tribe", "sea", "--against", "2"]])
def test_a_person_plays_the_computer(options: list[str], tmp_path: Path) -> None:
    saved = tmp_path / "game.cairn"
    result = run("play", "--seed", "3", *options, typed=f"1\n1\nsave {saved}\nquit\n")
    assert result.exit_code == 0
    assert " plays " in result.stdout
    level = options[3] if len(options) == 4 else "1"
    headers = read_record(saved.read_text(encoding="utf-8")).headers
    assert {headers["Forest"], headers["Sea"]} == {"guest", f"Cairn level {level}"}


@pytest.mark.parametrize("against", ["0", "11", "x", "", "4,threads=2"])
def test_an_unknown_opponent_is_rejected(against: str) -> None:
    result = run("play", "--tribe", "sea", "--against", against, typed="quit\n")
    assert result.exit_code == 2 or against == ""
    assert "Traceback" not in result.output
