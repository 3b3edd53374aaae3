"""Helpers to choose a database, to imitate games and databases from older versions, and to fill a disk."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from cairn.server.settings import Settings
from cairn.server.storage import migrations
from cairn.server.storage.tables import games
from harness.server.chains import renew_chain


def settings_at(settings: Settings, place: Path | str) -> Settings:
    """Return settings for a server that uses this database, given as a SQLite file or a PostgreSQL URL."""
    if isinstance(place, Path):
        return dataclasses.replace(settings, data=place.parent)
    return dataclasses.replace(settings, database=place)


ADDED: Final = {
    "0010": ("DROP TABLE explored_moves", "DROP TABLE explored_megaliths", "DROP TABLE explored_games"),
    "0009": (
        "DROP TABLE puzzle_attempts",
        "DROP TABLE solver_ratings",
        "DROP TABLE puzzle_ratings",
        "ALTER TABLE reports DROP COLUMN puzzle",
    ),
    "0008": ("ALTER TABLE challenges DROP COLUMN sealed",),
    "0007": (
        "ALTER TABLE events DROP COLUMN hash",
        "ALTER TABLE standings DROP COLUMN hash",
        "DROP TABLE wal_epochs",
        "DROP TABLE write_probes",
    ),
    "0006": ("DROP TABLE name_shapes", "ALTER TABLE games DROP COLUMN proof_version"),
    "0005": ("ALTER TABLE heartbeats DROP COLUMN wall",),
    "0004": ("DROP INDEX challenges_open_rematch",),
}
"""For each migration, newest first: the statements that revert it."""


def downgrade(connection: sa.Connection, version: str) -> None:
    """Revert all migrations after this version."""
    for added, statements in ADDED.items():
        if added > version:
            for statement in statements:
                connection.execute(sa.text(statement))
    connection.execute(sa.text(f"UPDATE {migrations.TABLE} SET version_num = '{version}'"))


def change_header(connection: sa.Connection, game: str, **values: object) -> None:
    """Change a game's header to imitate a game from an older version, and recompute the game's hash chain."""
    connection.execute(games.update().where(games.c.id == game).values(**values))
    renew_chain(connection, game)


def fill_disk(folder: Path) -> None:
    """Write to a file named ``filler`` until the file system of the folder is full."""
    with (folder / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while True:
            filler.write(bytes(1_000))
