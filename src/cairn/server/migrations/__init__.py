"""How a database of an older version becomes one of this version.

Each file in ``versions`` is named after the version that it leads to: ``v0001_games.py`` leads to 0001.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlalchemy as sa

FOLDER: Final = Path(__file__).parent


def known_versions() -> list[str]:
    """The versions that this program can read or bring up to date, the newest last."""
    return sorted(path.name[1:5] for path in (FOLDER / "versions").glob("v[0-9][0-9][0-9][0-9]_*.py"))


def newest_version() -> str:
    """The version that this program works with."""
    return known_versions()[-1]


def upgrade(connection: sa.Connection) -> None:
    """Bring the database to the newest version, inside the transaction that is open."""
    # Imported only when there is something to do, so that the server starts fast.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(FOLDER))
    context = EnvironmentContext(
        Config(), scripts, fn=lambda version, _: scripts._upgrade_revs(newest_version(), version)
    )
    with context:
        context.configure(connection=connection, transactional_ddl=True)
        context.run_migrations()
