"""``cairn export`` from the database of a server: finished games only, and no names unless asked for."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

import anyio.to_thread
import pyarrow.parquet as pq
from typer.testing import CliRunner, Result

from cairn import Game
from cairn.arena import read_games
from cairn.cli.app import app
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from tests.server.test_verify_database import filled

pytestmark = pytest.mark.anyio


async def export(folder: Path, settings: Settings, *options: str) -> Result:
    """Run the command on another thread, because it runs its own event loop."""
    arguments = ["export", str(folder), "--data", str(settings.data), *options]
    return await anyio.to_thread.run_sync(lambda: CliRunner().invoke(app, arguments))


async def test_finished_games_are_exported_without_names(settings: Settings, tmp_path: Path) -> None:
    ids = await filled(settings)
    assert (await export(tmp_path / "plain", settings)).exit_code == 0
    assert (await export(tmp_path / "named", settings, "--names")).exit_code == 0
    plain = pq.read_table(tmp_path / "plain" / "games.parquet").to_pylist()
    named = pq.read_table(tmp_path / "named" / "games.parquet").to_pylist()

    # 1. Three games were resigned; the others are running or deleted.
    assert sorted(row["id"] for row in named) == sorted(ids[:3])
    hidden = ("id", "forest_name", "sea_name")
    assert [{name: row[name] for name in row if name not in hidden} for row in named] == plain
    for row in plain:
        assert (row["source"], row["forest"], row["sea"], row["rated"]) == ("server", "person", "person", True)
        assert row["reason"] == "resignation"
        assert Game(row["start"], row["tokens"]).board.turn_start
    records = list(read_games((tmp_path / "plain" / "games.cairn").read_text(encoding="utf-8")))
    assert [[str(token) for token in record.game.tokens] for record in records] == [row["tokens"] for row in plain]

    # 2. Nothing identifies the players or the games.
    names = {name for row in named for name in (row["forest_name"], row["sea_name"]) if name}
    for folder, expected in ("plain", False), ("named", True):
        content = b"".join(path.read_bytes() for path in sorted((tmp_path / folder).iterdir()))
        for secret in (*ids[:3], *names):
            assert (secret.encode() in content) is expected


async def test_damaged_games_are_left_out_and_named(settings: Settings, tmp_path: Path) -> None:
    ids = await filled(settings)
    with sqlite3.connect(settings.data / DATABASE) as database:
        database.execute("UPDATE events SET kind = 'decline' WHERE game = ? AND revision = 3", [ids[0]])
    database.close()
    result = await export(tmp_path / "out", settings)
    assert result.exit_code == 1
    assert f"left out, because it is damaged: game {ids[0]}" in result.stderr
    assert len(pq.read_table(tmp_path / "out" / "games.parquet")) == 2


async def test_a_folder_without_games_is_an_error(tmp_path: Path) -> None:
    arguments = ["export", str(tmp_path / "out"), "--data", str(tmp_path / "none")]
    result = await anyio.to_thread.run_sync(lambda: CliRunner().invoke(app, arguments))
    assert result.exit_code == 1
    assert result.stderr
    assert list((tmp_path / "out").iterdir()) == []
