"""Add online games: challenges, seats with players, clocks, chat and ratings."""

from __future__ import annotations

import datetime

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

LEVELS = (0, 259, 520, 799, 1017, 1294, 1585, 1841, 2003, 2253)
"""The measured Elo ratings of the computer's levels, relative to the first."""
FIRST_LEVEL = 600.0
LEVEL_DEVIATION = 120.0
VARIANTS = ("all", "beginner", "standard", "expert")


def upgrade() -> None:
    """Add tables and columns. Existing data does not change."""
    for addition in (
        "games ADD COLUMN kind VARCHAR(10) DEFAULT 'local' NOT NULL",
        "games ADD COLUMN owner VARCHAR(40) REFERENCES players (id)",
        "games ADD COLUMN clock JSON",
        f"games ADD COLUMN rated BOOLEAN DEFAULT {_false()} NOT NULL",
        "games ADD COLUMN commitment VARCHAR(64)",
        "games ADD COLUMN forest_number VARCHAR(64)",
        "games ADD COLUMN sea_number VARCHAR(64)",
        "games ADD COLUMN first VARCHAR(10)",
        "seats ADD COLUMN player VARCHAR(40) REFERENCES players (id)",
        "seats ADD COLUMN token_hash VARCHAR(64)",
        "standings ADD COLUMN deadline BIGINT",
    ):
        # Alembic would add the foreign keys in a separate statement, which SQLite does not support.
        op.execute(f"ALTER TABLE {addition}")
    op.create_index("games_by_owner", "games", ["owner"])
    op.create_index("seats_by_player", "seats", ["player"])
    op.create_index("standings_by_deadline", "standings", ["deadline"])
    _create_challenges()
    op.create_table(
        "messages",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("tribe", sa.String(10)),
        sa.Column("text", sa.String(200)),
        sa.Column("phrase", sa.String(40)),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("command", sa.String(60)),
    )
    op.create_index("messages_by_player", "messages", ["player"])
    op.create_index("messages_by_command", "messages", ["game", "command"], unique=True)
    _create_ratings()
    op.create_table(
        "heartbeats",
        sa.Column("process", sa.String(40), primary_key=True),
        sa.Column("time", sa.DateTime, nullable=False),
    )
    op.create_table(
        "presences",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("tribe", sa.String(10), primary_key=True),
        sa.Column("process", sa.String(40), primary_key=True),
        sa.Column("left", sa.DateTime),
    )
    op.create_table(
        "downtimes",
        sa.Column("began", sa.DateTime, primary_key=True),
        sa.Column("ended", sa.DateTime, nullable=False),
    )


def _false() -> str:
    return "0" if op.get_bind().dialect.name == "sqlite" else "false"


def _create_challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("creator", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("invite_hash", sa.String(64), nullable=False),
        sa.Column("seat_hash", sa.String(64), nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("variant", sa.String(20), nullable=False),
        sa.Column("tribe", sa.String(10)),
        sa.Column("first", sa.String(10)),
        sa.Column("clock", sa.JSON),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("number", sa.String(64)),
        sa.Column("level", sa.Integer),
        sa.Column("opponent", sa.String(40), sa.ForeignKey("players.id")),
        sa.Column("rematch_of", sa.String(40), sa.ForeignKey("games.id")),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id")),
    )
    op.create_index("challenges_by_invite", "challenges", ["invite_hash"], unique=True)
    op.create_index("challenges_by_state", "challenges", ["state", "open", "created"])
    op.create_index("challenges_by_creator", "challenges", ["creator"])
    op.create_index("challenges_by_rematch", "challenges", ["rematch_of"])


def _create_ratings() -> None:
    """Create the rating tables. The computer's levels are players too, and start with their measured ratings."""
    ratings = op.create_table(
        "ratings",
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("variant", sa.String(20), primary_key=True),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False),
    )
    op.create_index("ratings_by_rating", "ratings", ["variant", "rating"])
    op.create_table(
        "rating_history",
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("variant", sa.String(20), primary_key=True),
        sa.Column("opponent", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("before", sa.Float, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("time", sa.DateTime, nullable=False),
    )
    op.create_index("rating_history_by_time", "rating_history", ["player", "variant", "time"])
    players = sa.table("players", *(sa.column(name) for name in ("id", "kind", "key", "created", "admin", "muted")))
    now = datetime.datetime(2026, 1, 1)  # noqa: DTZ001  # the database stores times without a zone
    levels = [f"level-{number}" for number in range(1, len(LEVELS) + 1)]
    for level, elo in zip(levels, LEVELS, strict=True):
        # The key keeps players from taking the name.
        row = {"id": level, "kind": "level", "key": level, "created": now, "admin": sa.false(), "muted": sa.false()}
        op.execute(players.insert().values(**row))
        for variant in VARIANTS:
            op.execute(
                ratings.insert().values(
                    player=level,
                    variant=variant,
                    rating=FIRST_LEVEL + elo,
                    deviation=LEVEL_DEVIATION,
                    volatility=0.06,
                    games=0,
                    changed=now,
                )
            )
