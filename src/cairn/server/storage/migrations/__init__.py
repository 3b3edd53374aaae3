"""Schema migrations, run by Alembic.

Each file in ``versions`` is named after its target version: ``v0001_games.py`` upgrades to 0001.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from cairn.messages import t
from cairn.server.errors import DataError

if TYPE_CHECKING:
    import sqlalchemy as sa

FOLDER: Final = Path(__file__).parent
TABLE: Final = "alembic_version"
"""The table with the schema version."""
VERSION: Final = "SELECT version_num FROM alembic_version"


def known_versions() -> list[str]:
    """The versions that this program can open or upgrade, newest last."""
    return sorted(path.name[1:5] for path in (FOLDER / "versions").glob("v[0-9][0-9][0-9][0-9]_*.py"))


def newest_version() -> str:
    """The newest schema version, which this program uses."""
    return known_versions()[-1]


def version_in(connection: sa.Connection) -> str | None:
    """The schema version of a database."""
    import sqlalchemy as sa

    return connection.execute(sa.text(VERSION)).scalar_one_or_none()


def require_known(version: str | None, database: str) -> None:
    """Raise :class:`DataError` if this program does not support the version."""
    if version is not None and version not in known_versions():
        raise DataError(t("cli.data.newer", database=database, version=version, newest=newest_version()))


def upgrade(connection: sa.Connection, version: str | None = None) -> None:
    """Upgrade the database to ``version``, or to the newest version, in the open transaction.

    Without ``version``, an empty database gets the newest schema in one step.
    """
    import sqlalchemy as sa

    if version is None and not sa.inspect(connection).get_table_names():
        from cairn.server.storage.migrations.newest import create_schema

        create_schema(connection, TABLE, newest_version())
        return

    # Imported late, to keep start-up fast when there is nothing to migrate.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    wanted = version or newest_version()
    scripts = ScriptDirectory(str(FOLDER))
    context = EnvironmentContext(Config(), scripts, fn=lambda now, _: scripts._upgrade_revs(wanted, now))
    with context:
        context.configure(connection=connection, transactional_ddl=True, version_table=TABLE)
        context.run_migrations()
