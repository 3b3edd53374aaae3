"""A connection that caches prepared statements. For a short query, SQLAlchemy's overhead exceeds SQLite's own time.

SQLAlchemy still compiles the SQL and converts the values; only the objects that it creates for each execution are
skipped. Statements that are built for a single execution, and statements that fail, go through SQLAlchemy as usual.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.sql.compiler import SQLCompiler

Parameters: TypeAlias = Mapping[str, Any]
Processor: TypeAlias = Callable[[Any], Any]
Shape: TypeAlias = tuple[object, ...]

NO_PARAMETERS: Final[Parameters] = {}


@dataclasses.dataclass(frozen=True, slots=True)
class Prepared:
    """A compiled statement for the driver, for parameters of one shape."""

    sql: str
    values: Sequence[tuple[str | None, int | None, Any, Processor | None]]
    """For each placeholder: the parameter name, the index if the parameter is a list, the value if there is no name,
    and the function that converts the value."""
    metadata: SimpleResultMetaData | None
    """Describes the rows; ``None`` if the statement returns no rows."""
    processors: Sequence[Any] | None
    """The functions that convert the columns of a row."""

    def bind(self, parameters: Parameters) -> list[Any]:
        """The values for the placeholders."""
        bound = []
        for name, index, constant, processor in self.values:
            value = constant if name is None else parameters[name] if index is None else parameters[name][index]
            bound.append(value if processor is None else processor(value))
        return bound


class Rows:
    """The result of a prepared statement. It has the methods of SQLAlchemy's results that the server uses."""

    __slots__ = ("_rows", "rowcount")

    def __init__(self, rows: list[Any], rowcount: int) -> None:
        self._rows: Final = rows
        self.rowcount: Final = rowcount

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def all(self) -> list[Any]:
        """All rows."""
        return self._rows

    def first(self) -> Any:
        """The first row; ``None`` if there is none."""
        return self._rows[0] if self._rows else None

    def one(self) -> Any:
        """The only row."""
        (row,) = self._rows
        return row

    def one_or_none(self) -> Any:
        """The only row; ``None`` if there is none."""
        return self.one() if self._rows else None

    def scalar(self) -> Any:
        """The first value of the first row; ``None`` if there is none."""
        return self._rows[0][0] if self._rows else None

    def scalar_one(self) -> Any:
        """The first value of the only row."""
        return self.one()[0]

    def scalar_one_or_none(self) -> Any:
        """The first value of the only row; ``None`` if there is none."""
        return self.one()[0] if self._rows else None

    def scalars(self) -> Rows:
        """The first value of each row."""
        return Rows([row[0] for row in self._rows], self.rowcount)


class PreparingConnection:
    """Executes statements as :class:`sqlalchemy.Connection` does. The owner manages transactions."""

    def __init__(self, raw: sqlite3.Connection, plain: sa.Connection) -> None:
        self._raw: Final = raw
        self._plain: Final = plain
        self._seen: Final[weakref.WeakSet[sa.Executable]] = weakref.WeakSet()
        """Statements that were executed at least once. Most of them are never executed again."""
        self._prepared: Final[dict[Shape, Prepared | None]] = {}
        """Prepared statements by statement id and parameter shape; ``None`` if a statement cannot be prepared."""
        self._kept: Final[dict[int, sa.Executable]] = {}
        """All repeated statements, by id. Keeping a reference to a statement ensures that its id is not reused."""

    @property
    def dialect(self) -> sa.Dialect:
        """The SQL dialect."""
        return self._plain.dialect

    def execute(self, statement: Any, parameters: Parameters | Sequence[Parameters] | None = None) -> Any:
        """Execute a statement. Prepare it if it has been executed before."""
        given: Any = parameters
        many: Sequence[Parameters] | None = given if isinstance(given, list) else None
        first: Parameters = (many[0] if many else given) or NO_PARAMETERS
        if id(statement) not in self._kept and not self._is_repeated(statement):
            return self._plain.execute(statement, parameters)
        shape = (id(statement), *[(name, len(each)) if type(each) is list else name for name, each in first.items()])
        try:
            prepared = self._prepared[shape]
        except KeyError:
            prepared = self._prepared[shape] = _prepare(statement, first, self._plain.dialect)
        if prepared is None:
            return self._plain.execute(statement, parameters)
        try:
            if many:
                cursor = self._raw.executemany(prepared.sql, [prepared.bind(each) for each in many])
            else:
                cursor = self._raw.execute(prepared.sql, prepared.bind(first))
            metadata = prepared.metadata
            if metadata is None:
                return Rows([], cursor.rowcount)
            keys, processors = metadata._key_to_index, prepared.processors
            return Rows([sa.Row(metadata, processors, keys, row) for row in cursor.fetchall()], cursor.rowcount)
        except sqlite3.Error:
            return self._plain.execute(statement, parameters)  # raises the error that the server expects

    def begin_nested(self) -> contextlib.AbstractContextManager[Any]:
        """Begin a savepoint."""
        return self._plain.begin_nested()

    def _is_repeated(self, statement: sa.Executable) -> bool:
        """Whether the same object was executed before, which means that it is a reusable statement."""
        if statement in self._seen:
            self._kept[id(statement)] = statement
            return True
        self._seen.add(statement)
        return False


def _prepare(statement: Any, parameters: Parameters, dialect: sa.Dialect) -> Prepared | None:
    """Compile a statement; return ``None`` if it can only be executed through SQLAlchemy."""
    compiled = statement.compile(dialect=dialect, column_keys=list(parameters))
    if compiled.insert_prefetch or compiled.update_prefetch or compiled.effective_returning:
        return None
    if any(isinstance(each, list) and not each for each in parameters.values()):
        return None
    state = compiled.construct_expanded_state(parameters)
    places = {
        place: (name, index)
        for name, expanded in state.parameter_expansion.items()
        for index, place in enumerate(expanded)
    }
    processors = {**compiled._bind_processors, **state.processors}
    values = []
    for place in state.positiontup or ():
        name, index = places.get(place, (place, None))
        given = name in parameters
        values.append(
            (name if given else None, index if given else None, state.parameters[place], processors.get(place))
        )
    columns = compiled._result_columns if isinstance(statement, sa.Select) else []
    metadata = SimpleResultMetaData([column.keyname for column in columns]) if columns else None
    return Prepared(state.statement, values, metadata, _result_processors(compiled, dialect))


def _result_processors(compiled: SQLCompiler, dialect: sa.Dialect) -> Sequence[Any] | None:
    found = [column.type._cached_result_processor(dialect, None) for column in compiled._result_columns]
    return found if any(found) else None
