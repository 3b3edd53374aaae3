"""The review of a game, and the commands ``analyse`` and ``play``."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

from cairn import CHANCE, FOREST, SEA, Game, Outcome, Reason, Record, read_record, write_record
from cairn.cli.app import app
from cairn.cli.plot import COLUMNS, plot
from cairn.cli.review_sentences import why
from cairn.engine import Limit, NativeEngine, RandomEngine
from cairn.engine.annotation import annotate
from cairn.engine.review import CERTAIN, Judgement, Review, Reviewer, review_game
from cairn.messages import LANGUAGES, use_language
from cairn.notation.records import Note
from harness.reviews import claim_faults, ledger_faults, played_game

NODES: Final = 5_000


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
def analysis(game: Game) -> Review:
    return review_game(game, NODES)


def test_each_decision_is_judged_by_its_loss(game: Game, analysis: Review) -> None:
    assert len(analysis.values) == len(game.tokens) + 1
    assert analysis.values[-1] == CERTAIN  # Forest has won
    assert all(0 <= value <= CERTAIN for value in analysis.values)
    assert analysis.players[SEA].mean_loss > analysis.players[FOREST].mean_loss
    assert analysis.players[SEA].level_by_loss < analysis.players[FOREST].level_by_loss
    for each in analysis.decisions:
        assert game.tokens[each.index] == each.token
        expected = (
            None if each.loss < 50_000
            else Judgement.INACCURACY if each.loss < 100_000
            else Judgement.MISTAKE if each.loss < 200_000
            else Judgement.BLUNDER
        )  # fmt: skip
        assert each.judgement is expected
        assert (each.better[0] == str(each.token)) == (each.loss == 0)
    assert analysis.turning_points == tuple(sorted(analysis.turning_points))
    worst = sorted((each.loss for each in analysis.decisions), reverse=True)
    assert sorted(
        (each.loss for each in analysis.decisions if each.index in analysis.turning_points), reverse=True
    ) == [loss for loss in worst[:3] if loss >= 100_000]
    turns = [each.turn for each in analysis.decisions]
    assert turns == sorted(turns)
    assert turns[0] == 1


@pytest.mark.parametrize("seed", range(6))
def test_the_account_adds_up_and_every_claim_holds(seed: int) -> None:
    game = played_game(seed)
    reviewer = Reviewer(game, NODES)
    review = reviewer.run()
    assert list(ledger_faults(game, review)) == []
    for each in review.decisions:
        assert list(claim_faults(game, each)) == []
        if each.judgement in (Judgement.MISTAKE, Judgement.BLUNDER):
            again, better = reviewer.retry(each.index, each.token), reviewer.retry(each.index, each.better[0])
            assert (again.loss, again.good) == (each.loss, False)
            assert (better.loss, better.good) == (0, True)


def test_a_false_claim_is_noticed() -> None:
    game = played_game(4)
    decision = next(each for each in review_game(game, NODES).decisions if each.claim)
    assert decision.claim
    reverse = dataclasses.replace(decision.claim, missed=not decision.claim.missed)
    assert list(claim_faults(game, dataclasses.replace(decision, claim=reverse)))


def test_a_claim_is_a_sentence_in_every_language() -> None:
    claims = [each.claim for each in review_game(played_game(4), NODES).decisions if each.claim]
    assert claims
    try:
        for code in LANGUAGES:
            use_language(code)
            for claim in claims:
                assert why(claim).endswith(".")
                assert "{" not in why(claim)
    finally:
        use_language("en")


def test_a_review_depends_neither_on_threads_nor_on_repetition(game: Game, analysis: Review) -> None:
    shares: list[float] = []
    assert review_game(game, NODES, threads=2, progress=shares.append) == analysis
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_token_that_is_tried_instead_is_judged(game: Game, analysis: Review) -> None:
    reviewer = Reviewer(game, NODES)
    with pytest.raises(ValueError, match="not assembled"):
        reviewer.retry(0, game.tokens[0])
    assert reviewer.run() == analysis
    decision = next(each for each in analysis.decisions if each.loss and each.choices > 2)
    board = Game(game.start_text, game.tokens[: decision.index])
    for token in board.legal_moves:
        tried = reviewer.retry(decision.index, token)
        assert tried.good == (tried.loss < Judgement.INACCURACY.least_loss)
        assert tried == reviewer.retry(decision.index, token)
    with pytest.raises(ValueError, match="not legal"):
        reviewer.retry(decision.index, "stop")
    with pytest.raises(IndexError):
        reviewer.retry(len(game.tokens), "pass")


def test_a_resignation_is_a_term_of_its_own(game: Game) -> None:
    shorter = Game(game.start_text, game.tokens[:6])
    unfinished = review_game(shorter, NODES)
    assert (unfinished.result, unfinished.adjusted_result, unfinished.ending) == (None, None, 0)
    shorter.end(Outcome(SEA, Reason.RESIGNATION))
    resigned = review_game(shorter, NODES)
    assert resigned.result == 0
    assert resigned.ending == -resigned.values[-1]
    assert resigned.values == unfinished.values
    assert list(ledger_faults(shorter, resigned)) == []


def test_findings_of_another_game_are_refused(game: Game) -> None:
    reviewer = Reviewer(Game(game.start_text, game.tokens[:3]), NODES)
    for findings in ([], ["nonsense"], ["closing 5", "closing 5"], ["decision 99 0 1 pass 0 closing 5"]):
        with pytest.raises(ValueError, match="findings"):
            reviewer.assemble(findings)


def test_annotating_again_replaces_only_the_earlier_analysis(game: Game, analysis: Review) -> None:
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


def test_marks_by_people_are_kept(game: Game, analysis: Review) -> None:
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
        nothing = dataclasses.replace(analysis, decisions=())
        bare = annotate(once, nothing, "x").notes
        assert {index: note for index, note in bare.items() if note} == {
            index: note for index, note in written.items() if note
        }


def test_an_empty_game_has_no_decisions() -> None:
    empty = review_game(Game.start(seed=1), NODES)
    assert empty.decisions == ()
    assert len(empty.values) == 1
    assert empty.players[SEA].level_by_loss == 0


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
    assert "luck of the draws" in result.stdout
    assert run("analyse", str(annotated), "--nodes", "500", "--threads", "2").exit_code == 0


def test_an_unwritable_output_is_reported_before_the_analysis(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object) -> None:
        raise AssertionError("the analysis started")

    monkeypatch.setattr("cairn.engine.review.review_game", work)
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
    ):
        result = run("analyse", *arguments)
        assert result.exit_code == 1
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
