"""``cairn export`` from files: Parquet tables that pyarrow reads back, and records that can be replayed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

import pyarrow.parquet as pq
from typer.testing import CliRunner, Result

from cairn import Board, Game, Record, write_record
from cairn._native import core
from cairn.arena import read_games
from cairn.cli.app import app
from cairn.data import tables
from cairn.vocabulary import TRIBES, Outcome, Reason

COUNT = 25


def cairn(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


@pytest.fixture(scope="module")
def self_play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "000.games"
    core.self_play(str(path), COUNT, 40, 5, 0, None, lambda _: True)
    return path


@pytest.fixture(scope="module")
def exported(self_play: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    result = cairn(folder, self_play)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{folder} contains {COUNT} games.\n"
    assert {path.name for path in folder.iterdir()} == {"games.parquet", "decisions.parquet", "games.cairn"}
    return folder


def test_every_game_can_be_replayed_from_its_row(exported: Path, self_play: Path) -> None:
    rows = pq.read_table(exported / "games.parquet").to_pylist()
    originals = core.self_play_games(self_play.read_bytes())
    assert [row["game"] for row in rows] == list(range(COUNT))
    for row, (_, start, tokens, winner, _) in zip(rows, originals, strict=True):
        assert (row["start"], row["tokens"]) == (start, [str(token) for token in tokens])
        game = Game(row["start"], row["tokens"])
        assert row["winner"] == (TRIBES[winner - 1].value if winner else None)
        if game.outcome:
            assert row["reason"] == game.outcome.reason.value
        else:
            assert (row["reason"], row["winner"]) == ("agreement", None)
        assert [row["forest_score"], row["sea_score"]] == list(game.board.scores.values())
        assert row["first"] == Board(start).active.value
        assert row["faces"] in row["start"]
        assert (row["source"], row["forest"]) == ("self-play", "Cairn, 40 nodes")
        assert "varied self-play, seed 5, shard 0" in row["note"]


def test_decisions_describe_their_moments(exported: Path, self_play: Path) -> None:
    table = pq.read_table(exported / "decisions.parquet")
    assert table.schema.metadata[b"cairn-encoding"] == str(core.ENCODING_VERSION).encode()
    rows = table.to_pylist()
    originals = core.self_play_games(self_play.read_bytes())
    assert len(rows) == sum(len(tokens) for _, _, tokens, _, _ in originals)
    chance = 0
    at = iter(rows)
    for number, (_, _, tokens, winner, scores) in enumerate(originals):
        for index, (token, score) in enumerate(zip(tokens, scores, strict=True)):
            row = next(at)
            assert (row["game"], row["index"], row["token"], row["score"]) == (number, index, str(token), score)
            board = Board(row["position"], row["played"].split())
            assert row["token"] in board.legal_moves
            assert (row["phase"], row["legal"]) == (board.phase.value, len(board.legal_moves))
            assert core.token_of(board, row["number"]) == token
            if row["decider"] == "chance":
                chance += 1
                assert row["result"] is None
            else:
                mine = board.decider_number + 1
                assert row["result"] == (0.5 if not winner else float(winner == mine))
    assert chance > COUNT


def test_turns_are_counted_from_one(exported: Path) -> None:
    games = pq.read_table(exported / "games.parquet").to_pylist()
    decisions = pq.read_table(exported / "decisions.parquet", columns=["game", "turn"]).to_pylist()
    for game in games:
        turns = [row["turn"] for row in decisions if row["game"] == game["game"]]
        assert (turns[0], turns[-1]) == (1, game["turns"])
        assert turns == sorted(turns)


def test_records_are_the_same_games(exported: Path) -> None:
    rows = pq.read_table(exported / "games.parquet").to_pylist()
    records = list(read_games((exported / "games.cairn").read_text(encoding="utf-8")))
    assert [[str(token) for token in record.game.tokens] for record in records] == [row["tokens"] for row in rows]
    assert [record.headers["Variant"] for record in records] == [row["variant"] for row in rows]
    assert all(record.game.outcome is not None for record in records)


def test_exporting_the_records_again_gives_the_same_games(exported: Path, tmp_path: Path) -> None:
    assert cairn(tmp_path, exported / "games.cairn", "--format", "parquet").exit_code == 0
    columns = ["start", "tokens", "winner", "reason", "variant", "turns"]
    again = pq.read_table(tmp_path / "games.parquet", columns=columns)
    assert again.to_pylist() == pq.read_table(exported / "games.parquet", columns=columns).to_pylist()
    assert not (tmp_path / "games.cairn").exists()


def test_names_in_records_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    game = Game.start("beginner", seed=1)
    game.end(Outcome(TRIBES[0], Reason.RESIGNATION))
    record = tmp_path / "one.cairn"
    record.write_text(write_record(Record(game, {"Forest": "Anna Example", "Sea": "level 4", "Date": "2026.11.15"})))
    for options, forest in ([], "person"), (["--names"], "Anna Example"):
        folder = tmp_path / forest
        assert cairn(folder, record, *options).exit_code == 0
        (row,) = pq.read_table(folder / "games.parquet").to_pylist()
        assert (row["forest"], row["sea"], str(row["date"])) == (forest, "level 4", "2026-11-15")
        content = b"".join(path.read_bytes() for path in folder.iterdir())
        assert (b"Anna" in content) is bool(options)


def test_many_games_are_written_in_parts(self_play: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROWS_AT_ONCE", 100)
    assert cairn(tmp_path, self_play, self_play, "--format", "parquet").exit_code == 0
    assert pq.ParquetFile(tmp_path / "decisions.parquet").num_row_groups > 5
    games = pq.read_table(tmp_path / "games.parquet").to_pylist()
    assert [row["game"] for row in games] == list(range(2 * COUNT))
    assert games[COUNT]["tokens"] == games[0]["tokens"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("bad.games", b"nonsense", "bad.games: not a file of self-play games"),
        ("bad.cairn", b'[Position "x"]\n\n*\n', "bad.cairn: "),
        ("bad.cairn", b"\xff\xfe", "bad.cairn: "),
        ("bad.txt", b"", "bad.txt: expected a file .games or .cairn"),
    ],
)
def test_a_wrong_file_is_named_and_nothing_is_written(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    wrong = tmp_path / name
    wrong.write_bytes(content)
    folder = tmp_path / "out"
    result = cairn(folder, wrong)
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert list(folder.iterdir()) == []


def test_a_missing_file_and_a_wrong_format_are_reported(tmp_path: Path) -> None:
    result = cairn(tmp_path / "out", tmp_path / "none.games")
    assert (result.exit_code, "none.games: " in result.stderr) == (1, True)
    assert cairn(tmp_path / "out", "--format", "csv").exit_code == 2


def test_without_pyarrow_only_records_can_be_written(
    self_play: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "cairn.data.tables")
    result = cairn(tmp_path, self_play)
    assert result.exit_code == 2
    assert "pip install cairn-game[data]" in result.stderr
    assert cairn(tmp_path, self_play, "--format", "cairn").exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["games.cairn"]
