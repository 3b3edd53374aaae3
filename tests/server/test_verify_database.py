"""``cairn verify-database`` and ``cairn restore``: all damage is reported, and only intact backups are restored."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import sqlite3
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from cairn import Game
from cairn.cli.app import app
from cairn.server.game.events import TokenPlayed
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.tables import events, rating_history, ratings, standings
from harness.server.client import AGAINST_COMPUTER, LEAVES, PERSONS, START, choices, some_choice, tokens, updated
from harness.server.postgresql import PostgresServer
from harness.server.processes import Process, listening, running
from harness.server.visitors import application, begun, two
from tests.server.places import settings_at
from tests.server.test_database import HEAD, standing
from tests.server.test_operations import fill_old
from tests.server.test_ready import spoil_table

pytestmark = pytest.mark.anyio

CLOCK = {"kind": "real-time", "initial": 600_000, "increment": 5_000}


async def cairn(*arguments: str) -> Result:
    """Run a command on another thread, because the command runs its own event loop."""
    return await anyio.to_thread.run_sync(lambda: CliRunner().invoke(app, arguments))


def option(place: Path | str) -> tuple[str, str]:
    return ("--data", str(place.parent)) if isinstance(place, Path) else ("--database", place)


async def filled(settings: Settings) -> list[str]:
    """Store games of all kinds and return their ids. The rated games, which have clocks, come first."""
    rng = random.Random(5)
    async with application(settings) as server, listening(server) as address, two(address) as (ann, ben):
        ids: list[str] = []
        for variant in ("standard", "expert", "standard"):
            game = await begun(ann, ben, rated=True, variant=variant, clock=CLOCK)
            async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
                for _ in range(12):
                    mover, other = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
                    await mover.play(some_choice(mover.game, rng), hold=rng.random() < 0.3)
                    if mover.game["now"]["held"]:
                        await mover.send(rng.choice(["confirm", "undo"]), revision=mover.game["revision"])
                    await other.until(mover.game["revision"])
                await sea.send("offer", revision=sea.game["revision"], what="takeback")
            await (ann if len(ids) % 2 else ben).post(f"/games/{game['id']}/resign", {})
            ids.append(game["id"])
        ids.append((await begun(ann, ben, clock=CLOCK))["id"])
    async with running(settings) as client:
        for seats, start in ((PERSONS, LEAVES), (AGAINST_COMPUTER, START)):
            game = await client.begin(seats, position=start)
            for _ in range(5):
                game = updated(game, await client.play(game, choices(game)[0]))
                game = await client.until_asked(game)
            game = updated(game, await client.undo(game)) if game["now"]["undo"]["step"] is None else game
            ids.append(game["id"])
        await client.ask("DELETE", f"/games/{ids[-1]}", status=204)
    return ids


CORRUPTIONS = {
    "UPDATE events SET kind = 'decline' WHERE game = '{game}' AND revision = 3": "revision 3 does not match its hash",
    "DELETE FROM events WHERE game = '{game}' AND revision = 2": "revision 2 is missing",
    "UPDATE standings SET revision = 2 WHERE game = '{game}'": "but 2 were stored",
    "UPDATE standings SET position = 'x', turns = 99 WHERE game = '{game}'": (
        "the projection does not match the log: turns, position"
    ),
    "UPDATE standings SET deadline = 5 WHERE game = '{game}'": "the projection does not match the log: deadline",
    "UPDATE standings SET winner = NULL, reason = 'agreement' WHERE game = '{game}'": (
        "the rating history does not match the result"
    ),
    "DELETE FROM rating_history WHERE game = '{game}' AND variant = 'all'": (
        "the rating history does not match the result"
    ),
    "UPDATE rating_history SET before = 1234 WHERE game = '{game}' AND variant = 'all'": (
        "the rating for variant 'all' does not match its history"
    ),
    "UPDATE ratings SET rating = rating + 1 WHERE games = 2": (
        "the rating for variant 'standard' does not match its history"
    ),
    "UPDATE ratings SET games = 7 WHERE games = 3": "the rating for variant 'all' does not match its history",
}


@pytest.mark.slow
async def test_all_damage_is_reported_with_its_game(settings: Settings, place: Path | str) -> None:
    settings = settings_at(settings, place)
    ids = await filled(settings)
    done = await cairn("verify-database", *option(place))
    assert (done.exit_code, done.stdout) == (0, f"Checked {len(ids)} games: no damage found.\n"), done.stderr
    for statement, sentence in CORRUPTIONS.items():
        database = await Database.open(place)
        changed = sa.text(statement.format(game=ids[1]))
        rows = await database.read(everything)
        await database.execute(changed)
        await database.close()
        done = await cairn("verify-database", *option(place))
        assert (done.exit_code, sentence in done.stdout) == (1, True), f"{statement}: {done.output}"
        where = "player " if "the rating for" in sentence else f"game {ids[1]}: "
        assert any(line.startswith(where) and sentence in line for line in done.stdout.splitlines()), done.stdout
        assert not any(other in done.stdout for other in ids if other != ids[1])
        await repair(place, rows)
    assert (await cairn("verify-database", *option(place))).exit_code == 0


TABLES = (events, standings, ratings, rating_history)


def everything(connection: sa.Connection) -> list[list[dict[str, Any]]]:
    return [[dict(row._mapping) for row in connection.execute(sa.select(table))] for table in TABLES]


async def repair(place: Path | str, rows: list[list[dict[str, Any]]]) -> None:
    """Replace all rows of the tables with the given rows."""

    def put_back(connection: sa.Connection) -> None:
        for table, stored in zip(TABLES, rows, strict=True):
            connection.execute(table.delete())
            connection.execute(table.insert(), stored)

    database = await Database.open(place)
    await database.write(put_back)
    await database.close()


async def test_a_game_that_cannot_be_replayed_is_reported(place: Path | str) -> None:
    database = await Database.open(place)
    await GameRepository(database).create(HEAD, [TokenPlayed("e5-e4")], standing(1))
    await database.close()
    done = await cairn("verify-database", *option(place))
    assert (done.exit_code, "game game: the log cannot be replayed" in done.stdout) == (1, True)


async def test_damage_to_the_file_is_reported(settings: Settings) -> None:
    async with running(settings) as client:
        await client.begin(PERSONS, position=START)
    spoil_table(settings.data / DATABASE, "messages")
    done = await cairn("verify-database", "--data", str(settings.data))
    assert (done.exit_code, "the database: " in done.stdout) == (1, True), done.output


async def test_databases_that_cannot_be_verified_are_reported(tmp_path: Path, postgres: PostgresServer) -> None:
    for arguments, sentence in (
        (("--data", str(tmp_path)), "There are no games in"),
        (("--database", "postgresql://cairn@127.0.0.1:1/games"), "is not responding"),
        (("--database", postgres.new_database()), "contains no games"),
    ):
        done = await cairn("verify-database", *arguments)
        assert (done.exit_code, sentence in done.stderr) == (2, True), done.output
    assert [*tmp_path.iterdir()] == []


def test_verification_does_not_disturb_a_running_server(process: Process, settings: Settings) -> None:
    with httpx.Client(base_url=f"{process.address}/api") as http:
        game = http.post("/games", json={"seats": PERSONS, "position": START}).json()
        done = CliRunner().invoke(app, ["verify-database", "--data", str(settings.data)])
        assert (done.exit_code, done.stdout) == (0, "Checked 1 game: no damage found.\n"), done.stderr
        body = {"revision": 0, "tribe": "forest", "token": "a1-a2"}
        assert http.post(f"/games/{game['id']}/tokens", json=body).status_code == 200
        left = {path.name for path in settings.data.iterdir()}
        assert left == {DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", "cairn.lock", "cairn.address"}


# --- Restoring


async def backed_up(settings: Settings, target: Path) -> Any:
    """Play a token, make a backup, and play another token. Return the game as it is in the backup."""
    async with running(settings) as client:
        game = await client.begin(PERSONS, position=START)
        game = updated(game, await client.play(game, "a1-a2"))
        done = await cairn("backup", str(target), "--data", str(settings.data))
        assert done.exit_code == 0, done.stderr
        await client.play(game, "a5-b4")
    return game


async def test_a_backup_is_restored_and_the_old_files_are_kept(settings: Settings, tmp_path: Path) -> None:
    game = await backed_up(settings, tmp_path / "copy")
    with contextlib.closing(sqlite3.connect(settings.data / DATABASE)) as crashed:
        # Keep the connection open, so that a write-ahead log is left behind, as after a crash.
        crashed.execute("UPDATE write_probes SET writes = 4711")
        crashed.commit()
        files = {path.name: path.read_bytes() for path in settings.data.glob(f"{DATABASE}*")}
        assert f"{DATABASE}-wal" in files
        done = await cairn("restore", str(tmp_path / "copy"), "--data", str(settings.data))
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"{settings.data} now contains 1 game from {tmp_path / 'copy'}.\n")
    kept = {path.name: path for path in settings.data.glob("cairn-before-*")}
    assert len(kept) == len(files)
    assert sorted(path.read_bytes() for path in kept.values()) == sorted(files.values())
    assert all(str(path) in done.stdout for path in kept.values())
    assert [path.name for path in settings.data.glob(f"{DATABASE}*")] == [DATABASE]
    assert (settings.data / DATABASE).stat().st_mode & 0o777 == 0o600
    async with running(settings) as client:
        assert tokens(await client.view(game)) == ["a1-a2"]


async def test_a_backup_is_restored_into_a_new_folder(settings: Settings, tmp_path: Path) -> None:
    game = await backed_up(settings, tmp_path / "copy")
    done = await cairn("restore", str(tmp_path / "copy"), "--data", str(tmp_path / "new" / "folder"))
    assert (done.exit_code, done.stdout.count("\n")) == (0, 1), done.output
    async with running(dataclasses.replace(settings, data=tmp_path / "new" / "folder")) as client:
        assert tokens(await client.view(game)) == ["a1-a2"]


async def test_a_backup_from_an_older_version_is_restored(settings: Settings, tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'copy'}")
    with engine.begin() as connection:
        fill_old(connection)
        game = Game(START)
        game.push("a1-a2")
        connection.exec_driver_sql(f"UPDATE standings SET position = '{game.board.text}'")
    engine.dispose()
    done = await cairn("restore", str(tmp_path / "copy"), "--data", str(tmp_path / "new"))
    assert done.exit_code == 0, done.output


async def test_nothing_is_restored_while_a_server_is_running(settings: Settings, tmp_path: Path) -> None:
    game = await backed_up(settings, tmp_path / "copy")
    async with running(settings) as client:
        done = await cairn("restore", str(tmp_path / "copy"), "--data", str(settings.data))
        assert (done.exit_code, "Cairn is already running" in done.stderr) == (1, True)
        assert tokens(await client.view(game)) == ["a1-a2", "a5-b4"]


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ('UPDATE events SET data = \'{"token": "c1-c2", "hold": false}\'', "does not match its hash"),
        ("UPDATE standings SET position = 'x'", "the projection does not match the log: position"),
        ("DROP TABLE alembic_version", "not a Cairn database"),
    ],
)
async def test_damaged_backups_are_refused(settings: Settings, tmp_path: Path, statement: str, sentence: str) -> None:
    game = await backed_up(settings, tmp_path / "copy")
    with contextlib.closing(sqlite3.connect(tmp_path / "copy")) as copy, copy:
        copy.execute(statement)
    before = {path.name: path.read_bytes() for path in settings.data.iterdir()}
    done = await cairn("restore", str(tmp_path / "copy"), "--data", str(settings.data))
    assert (done.exit_code, sentence in done.stderr, done.stderr.count("\n")) == (1, True, 1), done.output
    assert {path.name: path.read_bytes() for path in settings.data.iterdir()} == before
    async with running(settings) as client:
        assert tokens(await client.view(game)) == ["a1-a2", "a5-b4"]


async def test_files_that_are_not_backups_are_refused(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("My diary")
    for name, sentence in (("diary", "is not a database"), ("nothing", "does not exist")):
        done = await cairn("restore", str(tmp_path / name), "--data", str(settings.data))
        assert (done.exit_code, sentence in done.stderr) == (1, True), done.output
