"""Prepared statements give the same results as SQLAlchemy's connection."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from cairn.server.storage.tables import UtcTime
from harness.simulation.statements import PreparingConnection, Rows

METADATA = sa.MetaData()
stones = sa.Table(
    "stones",
    METADATA,
    sa.Column("id", sa.String(10), primary_key=True),
    sa.Column("found", UtcTime),
    sa.Column("marks", sa.JSON),
    sa.Column("heavy", sa.Boolean, nullable=False),
    sa.Column("weight", sa.Integer),
)
NOON = datetime.datetime(2026, 11, 15, 12, tzinfo=datetime.UTC)
ROWS: list[dict[str, Any]] = [
    {"id": "a", "found": NOON, "marks": {"runes": [1, 2]}, "heavy": True, "weight": 3},
    {"id": "b", "found": None, "marks": [], "heavy": False, "weight": None},
    {"id": "c", "found": NOON, "marks": None, "heavy": False, "weight": 5},
]
ADD = stones.insert()
LIGHTEN = stones.update().where(stones.c.id == sa.bindparam("this")).values(weight=sa.bindparam("to"), heavy=False)
OF: sa.BindParameter[Any] = sa.bindparam("of", expanding=True)
SOME = sa.select(stones).where(stones.c.id.in_(OF), stones.c.heavy == sa.bindparam("is_heavy")).order_by(stones.c.id)
FIRST = sa.select(stones.c.id, stones.c.found.label("at")).order_by(stones.c.id).limit(1)
COUNT = sa.select(sa.func.count()).select_from(stones).where(stones.c.weight > 3)


@pytest.fixture
def raw() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


@pytest.fixture
def plain(raw: sqlite3.Connection) -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://", creator=lambda: raw, poolclass=sa.StaticPool)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        METADATA.create_all(connection)
        yield connection


@pytest.fixture
def preparing(raw: sqlite3.Connection, plain: sa.Connection) -> PreparingConnection:
    return PreparingConnection(raw, plain)


@pytest.mark.parametrize(
    ("statement", "parameters", "read"),
    [
        (SOME, {"of": ["a", "b", "c"], "is_heavy": False}, lambda found: found.all()),
        (SOME, {"of": ["a"], "is_heavy": True}, lambda found: found.one()),
        (SOME, {"of": ["a"], "is_heavy": True}, lambda found: dict(found.one()._mapping)),
        (SOME, {"of": ["b"], "is_heavy": True}, lambda found: found.one_or_none()),
        (SOME, {"of": [], "is_heavy": True}, lambda found: found.all()),
        (SOME, {"of": ["a", "c"], "is_heavy": True}, lambda found: [row.marks for row in found]),
        (FIRST, None, lambda found: found.first()),
        (FIRST, None, lambda found: found.first().at),
        (FIRST, None, lambda found: found.scalar()),
        (FIRST, None, lambda found: found.scalars().all()),
        (COUNT, {}, lambda found: found.scalar_one()),
        (COUNT, {}, lambda found: found.scalar_one_or_none()),
        (LIGHTEN, {"this": "a", "to": 1}, lambda found: found.rowcount),
        (LIGHTEN, {"this": "x", "to": 1}, lambda found: found.rowcount),
    ],
)
def test_a_prepared_statement_gives_the_same_result(
    preparing: PreparingConnection,
    plain: sa.Connection,
    statement: Any,
    parameters: dict[str, Any] | None,
    read: Callable[[Any], object],
) -> None:
    plain.execute(ADD, ROWS)
    expected = read(plain.execute(statement, parameters))
    first, second = preparing.execute(statement, parameters), preparing.execute(statement, parameters)
    assert isinstance(second, Rows) == bool(parameters is None or parameters.get("of", True))
    assert [read(first), read(second)] == [expected, expected]


def test_prepared_inserts_store_the_same_rows(preparing: PreparingConnection, plain: sa.Connection) -> None:
    preparing.execute(ADD, ROWS[1:2])
    # Check that the inserts were prepared. Otherwise, SQLAlchemy would execute them and store the same rows.
    assert isinstance(preparing.execute(ADD, ROWS[:1]), Rows)
    assert isinstance(preparing.execute(ADD, ROWS[2]), Rows)
    stored = [dict(row._mapping) for row in plain.execute(sa.select(stones).order_by(stones.c.id))]
    assert stored == ROWS


def test_a_prepared_statement_raises_sqlalchemy_errors(preparing: PreparingConnection) -> None:
    preparing.execute(ADD, ROWS[0])
    for _ in range(2):
        with pytest.raises(sa.exc.IntegrityError):
            preparing.execute(ADD, ROWS[0])


def test_a_statement_built_for_one_execution_is_not_kept(preparing: PreparingConnection) -> None:
    for number in range(10):
        preparing.execute(sa.select(stones).where(stones.c.weight == number))
    assert not preparing._kept
