"""How a database of an older version becomes one of this version.

Each file in ``versions`` is named after the version that it leads to: ``v0001_games.py`` leads to 0001.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from cairn.server.errors import DataError

if TYPE_CHECKING:
    import sqlalchemy as sa

FOLDER: Final = Path(__file__).parent
TABLE: Final = "alembic_version"
"""It holds the version of a database."""
VERSION: Final = "SELECT version_num FROM alembic_version"


def known_versions() -> list[str]:
    """The versions that this program can read or bring up to date, the newest last."""
    return sorted(path.name[1:5] for path in (FOLDER / "versions").glob("v[0-9][0-9][0-9][0-9]_*.py"))


def newest_version() -> str:
    """The version that this program works with."""
    return known_versions()[-1]


def version_in(connection: sa.Connection) -> str | None:
    """The schema version that a database states."""
    import sqlalchemy as sa

    return connection.execute(sa.text(VERSION)).scalar_one_or_none()


def require_known(version: str | None, database: str) -> None:
    """That this program can work with that version; otherwise :class:`DataError` says so."""
    if version is not None and version not in known_versions():
        raise DataError(
            f"{database} was written by a newer version of Cairn: its version is {version}, and this program knows up "
            f"to {newest_version()}. Please update Cairn; the games were left as they are."
        )


def upgrade(connection: sa.Connection, version: str | None = None) -> None:
    """Bring the database to that version, or the newest one, inside the transaction that is open."""
    # Imported only when there is something to do, so that the server starts fast.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    wanted = version or newest_version()
    scripts = ScriptDirectory(str(FOLDER))
    context = EnvironmentContext(Config(), scripts, fn=lambda now, _: scripts._upgrade_revs(wanted, now))
    with context:
        context.configure(connection=connection, transactional_ddl=True, version_table=TABLE)
        context.run_migrations()
