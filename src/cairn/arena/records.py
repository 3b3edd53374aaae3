"""Write an arena's games to a file of game records, separated by blank lines, and read them back."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from cairn.arena.result import GameResult
from cairn.arena.settings import ArenaError, ArenaSettings
from cairn.arena.start import variant_of
from cairn.record import Record, read_record, write_record

_BETWEEN: Final = re.compile(r"\n\n(?=\[)")
_UNWRITABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")


def record_of(settings: ArenaSettings, result: GameResult) -> Record:
    """A finished game as a record. The headers ``Pair`` and ``Seed`` identify its start and its draws."""
    job, names = result.job, settings.names
    headers = {
        "Variant": variant_of(job.pair).value,
        "Forest": names[job.forest],
        "Sea": names[job.sea],
        "Date": result.date,
        "Pair": f"{job.pair + 1}.{1 + job.swapped}",
        "Seed": str(settings.seed),
        "Opening": str(result.opening),
        "Note": result.note,
    }
    return Record(result.game(), {name: _UNWRITABLE.sub(" ", value) for name, value in headers.items() if value})


def write_games(path: Path, settings: ArenaSettings, results: Iterable[GameResult]) -> None:
    """Write all games in schedule order. The file is replaced atomically."""
    ordered = sorted(results, key=lambda result: (result.job.pair, result.job.pairing, result.job.swapped))
    new = path.with_name(path.name + ".new")
    try:
        with new.open("w", encoding="utf-8", newline="\n") as file:
            for number, result in enumerate(ordered):
                file.write("\n" if number else "")
                file.write(write_record(record_of(settings, result)))
        os.replace(new, path)  # noqa: PTH105  # atomic
    except OSError as error:
        raise ArenaError(f"{path}: {error.strerror or error}") from None


def read_games(text: str) -> Iterator[Record]:
    """Yield the records in a file of games. Raises :class:`~cairn.MalformedError` if a record is not valid."""
    return (read_record(each) for each in _BETWEEN.split(text) if each.strip())
