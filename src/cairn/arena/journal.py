"""The journal: a line of JSON with the settings, then a line for each finished game, written to disk immediately.

When an interrupted arena is resumed, it plays only the games that do not have a complete line.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Self

from cairn.arena.result import GameResult
from cairn.arena.settings import ArenaError, ArenaSettings, Job

VERSION: Final = 1


class Journal:
    """An open journal, locked so that no other arena can use it. Use it in a ``with`` statement."""

    def __init__(self, path: Path, settings: ArenaSettings) -> None:
        self.path: Final = path
        self.results: Final[dict[Job, GameResult]] = {}
        """The finished games, by job."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: Final = path.open("a+b")
        except OSError as error:
            raise ArenaError(f"{path}: {error.strerror or error}") from None
        try:
            self._lock()
            self._load(settings)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def add(self, result: GameResult) -> None:
        """Store a finished game. It is on disk when this method returns."""
        if result.job in self.results:
            raise ValueError(f"the journal already contains {result.job}")
        self._write(result.to_json())
        self.results[result.job] = result

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ArenaError(f"{self.path} is in use: another arena is writing to it") from None

    def _load(self, settings: ArenaSettings) -> None:
        wanted = identity(settings)
        lines = self._complete_lines()
        header = next(lines, None)
        if header is None:
            self._write({"arena": VERSION, "settings": wanted})
            return
        if header.get("arena") != VERSION:
            raise ArenaError(f"{self.path} is not an arena journal; it was not changed")
        different = [
            f"{name} was {json.dumps(header['settings'].get(name))}, now {json.dumps(value)}"
            for name, value in wanted.items()
            if header["settings"].get(name) != value
        ]
        if different and not self._has_games():
            self._file.truncate(0)  # there are no games to lose
            self._write({"arena": VERSION, "settings": wanted})
            return
        if different:
            raise ArenaError(f"{self.path} was created with different settings: {'; '.join(different)}")
        for number, line in enumerate(lines, start=2):
            try:
                result = GameResult.from_json(line)
            except (KeyError, TypeError, ValueError) as error:
                raise ArenaError(f"{self.path}, line {number}: not a finished game ({error})") from None
            if result.job in self.results:
                raise ArenaError(f"{self.path}, line {number}: this game appears twice")
            self.results[result.job] = result

    def _has_games(self) -> bool:
        self._file.seek(0)
        return self._file.read().count(b"\n") > 1

    def _complete_lines(self) -> Iterator[dict[str, Any]]:
        """The parsed lines. An incomplete last line is removed from the file."""
        self._file.seek(0)
        content = self._file.read()
        complete, _, cut_off = content.rpartition(b"\n")
        for number, line in enumerate(complete.splitlines(), start=1):
            try:
                data = json.loads(line)
            except ValueError:
                data = None
            if not isinstance(data, dict):
                raise ArenaError(f"{self.path}, line {number}: damaged or not a journal; the file was not changed")
            yield data
        if cut_off:
            if not complete and not cut_off.startswith(b'{"arena"'[: len(cut_off)]):
                raise ArenaError(f"{self.path} is not an arena journal; it was not changed")
            self._file.truncate(len(content) - len(cut_off))

    def _write(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def identity(settings: ArenaSettings) -> dict[str, Any]:
    """The settings that must not change between runs: all except the number of pairs, which may increase."""
    data: dict[str, Any] = json.loads(json.dumps(settings.to_json()))
    del data["pairs"]
    return data
