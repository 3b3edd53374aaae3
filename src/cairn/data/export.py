"""Write exported games into a folder: ``games.parquet``, ``decisions.parquet`` and ``games.cairn``."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from cairn.data.games import ExportedGame
from cairn.data.sources import ExportError
from cairn.messages import reason_of
from cairn.record import write_record

if TYPE_CHECKING:
    from cairn.data.tables import TableWriter

RECORDS_FILE: Final = "games.cairn"


class Format(enum.Enum):
    """What to write."""

    PARQUET = "parquet"
    CAIRN = "cairn"
    BOTH = "both"


class Writer:
    """Writes games one by one. Raises :class:`ExportError` if a file cannot be written."""

    def __init__(self, tables: TableWriter | None, records: TextIO | None) -> None:
        self._tables: Final = tables
        self._records: Final = records
        self.games = 0
        """The number of games so far."""

    def add(self, exported: ExportedGame) -> None:
        """Write a game."""
        if self._tables:
            self._tables.add(self.games, exported)
        if self._records:
            self._records.write(("\n" if self.games else "") + write_record(exported.record()))
        self.games += 1


@contextlib.contextmanager
def writing(folder: Path, wanted: Format, *, names: bool) -> Iterator[Writer]:
    """Open the files. They appear when the block ends; after an error, the folder is unchanged."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            tables = None
            if wanted is not Format.CAIRN:
                from cairn.data.tables import TableWriter  # imports pyarrow

                tables = stack.enter_context(TableWriter(folder, names=names))
            records = None if wanted is Format.PARQUET else stack.enter_context(_replacing(folder / RECORDS_FILE))
            yield Writer(tables, records)
    except OSError as error:
        raise ExportError(f"{folder}: {reason_of(error)}") from None


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """A file that replaces ``path`` when the block ends without an error."""
    partial = path.with_suffix(".partial-cairn")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
