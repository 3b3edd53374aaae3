"""How a database of an older version becomes one of this version."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory


def known_versions() -> set[str]:
    """The versions that this program can read or bring up to date."""
    return {script.revision for script in _scripts().walk_revisions()}


def newest_version() -> str:
    """The version that this program works with."""
    head = _scripts().get_current_head()
    assert head is not None  # noqa: S101  # there is one line of versions
    return head


def upgrade(connection: sa.Connection) -> None:
    """Bring the database to the newest version, inside the transaction that is open."""
    scripts = _scripts()
    context = EnvironmentContext(
        Config(), scripts, fn=lambda version, _: scripts._upgrade_revs(newest_version(), version)
    )
    with context:
        context.configure(connection=connection, transactional_ddl=True)
        context.run_migrations()


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(Path(__file__).parent))
