"""The database tables, for queries. The migrations create them."""

from __future__ import annotations

import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Dialect


class UtcTime(sa.TypeDecorator[datetime.datetime]):
    """A time-zone-aware time in Python, stored as UTC without a zone."""

    impl = sa.DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime.datetime | None, dialect: Dialect) -> datetime.datetime | None:
        """Convert from Python to the database."""
        return value.astimezone(datetime.UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime.datetime | None, dialect: Dialect) -> datetime.datetime | None:
        """Convert from the database to Python."""
        return value.replace(tzinfo=datetime.UTC) if value else None


METADATA: Final = sa.MetaData()
SECRET: Final[dict[Any, Any]] = {"secret": True}
"""Marks a column that is left out of every export."""
OTHER_PLAYER: Final[dict[Any, Any]] = {"other_player": True}
"""Marks a column that references a player who does not own the row. The row is left out of that player's export."""

games: Final = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("created", UtcTime, nullable=False),
    sa.Column("variant", sa.String(20)),
    sa.Column("start", sa.String(300), nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False, info=SECRET),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False, server_default="local"),
    sa.Column("owner", sa.ForeignKey("players.id")),
    sa.Column("clock", sa.JSON(none_as_null=True)),
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("commitment", sa.String(64)),
    sa.Column("forest_number", sa.String(64)),
    sa.Column("sea_number", sa.String(64)),
    sa.Column("first", sa.String(10)),
    sa.Column("proof_version", sa.Integer),
    sa.Index("games_by_owner", "owner"),
)
"""Game headers. ``words`` is the search text; ``owner`` is the creator of a local game.

The columns from ``clock`` on are for online games. An empty ``proof_version`` means version 1.
"""

seats: Final = sa.Table(
    "seats",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("tribe", sa.String(10), primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("level", sa.Integer),
    sa.Column("name", sa.String(60)),
    sa.Column("player", sa.ForeignKey("players.id")),
    sa.Column("token_hash", sa.String(64), info=SECRET),
    sa.Index("seats_by_player", "player"),
)
"""Seats. In an online game, ``player`` and the hash of the seat token are set instead of ``name``."""

events: Final = sa.Table(
    "events",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("time", UtcTime, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False, server_default="", info=SECRET),
)
"""Game logs. Append-only. ``hash`` covers the event and the log before it; see ``storage/chain.py``."""

standings: Final = sa.Table(
    "standings",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("changed", UtcTime, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("position", sa.String(300), nullable=False),
    sa.Column("decider", sa.String(10)),
    sa.Column("winner", sa.String(10)),
    sa.Column("reason", sa.String(20)),
    sa.Column("waits_for_computer", sa.Boolean, nullable=False),
    sa.Column("deleted", sa.Boolean, nullable=False, default=False),
    sa.Column("deadline", sa.BigInteger),
    sa.Column("hash", sa.String(64), nullable=False, server_default="", info=SECRET),
    sa.Index("standings_by_change", "deleted", "changed"),
    sa.Index("standings_by_deadline", "deadline"),
)
"""The current state of each game, for lists.

``deadline`` is when the running clock reaches 0, in milliseconds. ``hash`` is the last hash of the log.
"""

players: Final = sa.Table(
    "players",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("name", sa.String(40)),
    sa.Column("key", sa.String(80), info=SECRET),
    sa.Column("password", sa.String(200), info=SECRET),
    sa.Column("owner", sa.ForeignKey("players.id")),
    sa.Column("created", UtcTime, nullable=False),
    sa.Column("admin", sa.Boolean, nullable=False),
    sa.Column("muted", sa.Boolean, nullable=False),
    sa.Index("players_by_key", "key", unique=True),
    sa.Index("players_by_owner", "owner"),
)
"""All players. ``key`` is the normalized name; ``password`` is an Argon2id hash."""

name_shapes: Final = sa.Table(
    "name_shapes",
    METADATA,
    sa.Column("shape", sa.String(200), primary_key=True),
    sa.Column("player", sa.ForeignKey("players.id"), nullable=False),
    sa.Index("name_shapes_by_player", "player"),
)
"""The shapes of players' names (``unicode.confusables``). Two names that look alike share a shape."""

sessions: Final = sa.Table(
    "sessions",
    METADATA,
    sa.Column("token_hash", sa.String(64), primary_key=True, info=SECRET),
    sa.Column("player", sa.ForeignKey("players.id"), nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("label", sa.String(60)),
    sa.Column("created", UtcTime, nullable=False),
    sa.Column("seen", UtcTime, nullable=False),
    sa.Index("sessions_by_player", "player"),
)
"""Sessions. A browser sends its session token in a cookie, a bot in a header."""

password_resets: Final = sa.Table(
    "password_resets",
    METADATA,
    sa.Column("token_hash", sa.String(64), primary_key=True, info=SECRET),
    sa.Column("player", sa.ForeignKey("players.id"), nullable=False),
    sa.Column("expires", UtcTime, nullable=False),
    sa.Index("password_resets_by_player", "player"),
)
"""Pending password resets."""

reports: Final = sa.Table(
    "reports",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.ForeignKey("games.id")),
    sa.Column("by", sa.ForeignKey("players.id"), nullable=False),
    sa.Column("about", sa.ForeignKey("players.id"), info=OTHER_PLAYER),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created", UtcTime, nullable=False),
    sa.Column("done", sa.Boolean, nullable=False),
    sa.Column("puzzle", sa.String(8)),
    sa.Index("reports_by_time", "created"),
    sa.Index("reports_by_reporter", "by"),
)
"""Reports to the administrators: about a game, a player or a puzzle."""

puzzle_ratings: Final = sa.Table(
    "puzzle_ratings",
    METADATA,
    sa.Column("puzzle", sa.String(8), primary_key=True),
    sa.Column("rating", sa.Float, nullable=False),
    sa.Column("deviation", sa.Float, nullable=False),
    sa.Column("volatility", sa.Float, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("changed", UtcTime, nullable=False),
)
"""The ratings of the puzzles that people have tried. All others have the ratings in the package."""

solver_ratings: Final = sa.Table(
    "solver_ratings",
    METADATA,
    sa.Column("player", sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("rating", sa.Float, nullable=False),
    sa.Column("deviation", sa.Float, nullable=False),
    sa.Column("volatility", sa.Float, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("changed", UtcTime, nullable=False),
)
"""How well players solve puzzles, on the scale of the puzzles' ratings."""

puzzle_attempts: Final = sa.Table(
    "puzzle_attempts",
    METADATA,
    sa.Column("player", sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("puzzle", sa.String(8), primary_key=True),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("time", UtcTime, nullable=False),
)
"""The first attempt of each player at each puzzle."""

_OPEN_REMATCH: Final = sa.text("state = 'open' AND rematch_of IS NOT NULL")

challenges: Final = sa.Table(
    "challenges",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("created", UtcTime, nullable=False),
    sa.Column("creator", sa.ForeignKey("players.id"), nullable=False),
    sa.Column("invite_hash", sa.String(64), nullable=False, info=SECRET),
    sa.Column("seat_hash", sa.String(64), nullable=False, info=SECRET),
    sa.Column("open", sa.Boolean, nullable=False),
    sa.Column("variant", sa.String(20), nullable=False),
    sa.Column("tribe", sa.String(10)),
    sa.Column("first", sa.String(10)),
    sa.Column("clock", sa.JSON(none_as_null=True)),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False, info=SECRET),
    sa.Column("commitment", sa.String(64), nullable=False),
    sa.Column("number", sa.String(64)),
    sa.Column("level", sa.Integer),
    sa.Column("opponent", sa.ForeignKey("players.id"), info=OTHER_PLAYER),
    sa.Column("rematch_of", sa.ForeignKey("games.id")),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("game", sa.ForeignKey("games.id")),
    sa.Column("sealed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("challenges_by_invite", "invite_hash", unique=True),
    sa.Index("challenges_by_state", "state", "open", "created"),
    sa.Index("challenges_by_creator", "creator"),
    sa.Index("challenges_by_rematch", "rematch_of"),
    sa.Index(
        "challenges_open_rematch",
        "rematch_of",
        unique=True,
        sqlite_where=_OPEN_REMATCH,
        postgresql_where=_OPEN_REMATCH,
    ),
)
"""Challenges. ``number`` is the creator's contribution to the draws. If ``opponent`` is set, nobody else may accept."""

messages: Final = sa.Table(
    "messages",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("player", sa.ForeignKey("players.id"), nullable=False),
    sa.Column("tribe", sa.String(10)),
    sa.Column("text", sa.String(200)),
    sa.Column("phrase", sa.String(40)),
    sa.Column("created", UtcTime, nullable=False),
    sa.Column("command", sa.String(60)),
    sa.Index("messages_by_player", "player"),
    sa.Index("messages_by_command", "game", "command", unique=True),
)
"""Chat messages. ``tribe`` is the sender's tribe; ``command`` is the idempotency key."""

ratings: Final = sa.Table(
    "ratings",
    METADATA,
    sa.Column("player", sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("variant", sa.String(20), primary_key=True),
    sa.Column("rating", sa.Float, nullable=False),
    sa.Column("deviation", sa.Float, nullable=False),
    sa.Column("volatility", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("changed", UtcTime, nullable=False),
    sa.Index("ratings_by_rating", "variant", "rating"),
)
"""The players' ratings, per variant and across ``all`` variants."""

rating_history: Final = sa.Table(
    "rating_history",
    METADATA,
    sa.Column("player", sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("variant", sa.String(20), primary_key=True),
    sa.Column("opponent", sa.ForeignKey("players.id"), nullable=False, info=OTHER_PLAYER),
    sa.Column("score", sa.Float, nullable=False),
    sa.Column("before", sa.Float, nullable=False),
    sa.Column("rating", sa.Float, nullable=False),
    sa.Column("deviation", sa.Float, nullable=False),
    sa.Column("time", UtcTime, nullable=False),
    sa.Index("rating_history_by_time", "player", "variant", "time"),
)
"""The rating changes of both players after each rated game."""

explored_moves: Final = sa.Table(
    "explored_moves",
    METADATA,
    sa.Column("look", sa.Text, primary_key=True),
    sa.Column("token", sa.String(20), primary_key=True),
    sa.Column("variant", sa.String(20), primary_key=True),
    sa.Column("rating_from", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.Column("rated", sa.Integer, nullable=False),
    sa.Column("rating_sum", sa.Float, nullable=False),
)
"""What was played in finished games, by the look of the moment (``cairn.explorer``), with the results for the active
tribe. ``rating_from`` is the lower limit of the band that the decider's rating is in; ``rated`` and ``rating_sum`` are
the number and the sum of the known ratings."""

explored_megaliths: Final = sa.Table(
    "explored_megaliths",
    METADATA,
    sa.Column("megalith", sa.String(2), primary_key=True),
    sa.Column("variant", sa.String(20), primary_key=True),
    sa.Column("rating_from", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("offered", sa.Integer, nullable=False),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
)
"""How often each megalith was offered, and the results of the tribes that built it."""

explored_games: Final = sa.Table(
    "explored_games",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("variant", sa.String(20), nullable=False),
)
"""The games that the two tables above contain."""

heartbeats: Final = sa.Table(
    "heartbeats",
    METADATA,
    sa.Column("process", sa.String(40), primary_key=True),
    sa.Column("time", UtcTime, nullable=False),
    sa.Column("wall", UtcTime),
)
"""The last heartbeat of each process, in the server's time and in wall-clock time."""

presences: Final = sa.Table(
    "presences",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("tribe", sa.String(10), primary_key=True),
    sa.Column("process", sa.String(40), primary_key=True),
    sa.Column("left", UtcTime),
)
"""Players at a table, and the process that serves their socket. ``left`` is set when they disconnect."""

downtimes: Final = sa.Table(
    "downtimes",
    METADATA,
    sa.Column("began", UtcTime, primary_key=True),
    sa.Column("ended", UtcTime, nullable=False),
)
"""Periods in which no process was alive, so no clock ran."""

wal_epochs: Final = sa.Table(
    "wal_epochs",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("epoch", sa.String(32), nullable=False),
    sa.Column("previous", sa.String(32)),
)
"""On SQLite, a single row that ties the write-ahead log to the database; see ``storage/engines/sqlite_wal.py``."""

write_probes: Final = sa.Table(
    "write_probes",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("writes", sa.BigInteger, nullable=False),
)
"""A single row that is updated only to prove that the database accepts writes."""
