"""Games as Parquet: one table with a row per game, and one with a row per decision or draw."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from cairn._native import core
from cairn.board import Board
from cairn.data.games import ExportedGame
from cairn.vocabulary import FOREST, SEA, Phase, Tribe

GAMES_FILE: Final = "games.parquet"
DECISIONS_FILE: Final = "decisions.parquet"
ROWS_AT_ONCE: Final = 20_000
"""How many decisions to collect before they are written."""

_WORD: Final = pa.dictionary(pa.int32(), pa.string())
_VERSION: Final = {b"cairn-encoding": str(core.ENCODING_VERSION).encode()}

GAMES: Final = pa.schema(
    [
        ("game", pa.int64()),
        ("source", _WORD),
        ("variant", _WORD),
        ("forest", _WORD),
        ("sea", _WORD),
        ("date", pa.date32()),
        ("rated", pa.bool_()),
        ("start", pa.string()),
        ("first", _WORD),
        ("faces", _WORD),
        ("winner", _WORD),
        ("reason", _WORD),
        ("forest_score", pa.int8()),
        ("sea_score", pa.int8()),
        ("turns", pa.int16()),
        ("tokens", pa.list_(pa.string())),
        ("note", pa.string()),
    ],
    metadata=_VERSION,
)
"""docs/data.md says what the columns mean."""

NAMES: Final = [("id", pa.string()), ("forest_name", pa.string()), ("sea_name", pa.string())]
"""More columns of games, if names were asked for."""

DECISIONS: Final = pa.schema(
    [
        ("game", pa.int64()),
        ("index", pa.int16()),
        ("turn", pa.int16()),
        ("position", _WORD),
        ("played", pa.string()),
        ("phase", _WORD),
        ("active", _WORD),
        ("decider", _WORD),
        ("legal", pa.int16()),
        ("token", _WORD),
        ("number", pa.int16()),
        ("score", pa.int16()),
        ("result", pa.float32()),
    ],
    metadata=_VERSION,
)
"""docs/data.md says what the columns mean."""


def game_row(number: int, exported: ExportedGame, turns: int) -> dict[str, Any]:
    """The row of a game."""
    game = exported.game
    outcome, start = game.outcome, Board(game.start_text)
    if outcome is None:
        raise ValueError("the game is not finished")
    scores = game.board.scores
    row = {
        "game": number,
        "source": exported.source,
        "variant": exported.variant,
        "forest": exported.forest,
        "sea": exported.sea,
        "date": exported.date,
        "rated": exported.rated,
        "start": game.start_text,
        "first": start.active.value,
        "faces": str(start.setup.faces),
        "winner": outcome.winner.value if outcome.winner else None,
        "reason": outcome.reason.value,
        "forest_score": scores[FOREST],
        "sea_score": scores[SEA],
        "turns": turns,
        "tokens": [str(token) for token in game.tokens],
        "note": exported.note or None,
    }
    if exported.names:
        row |= {"id": exported.names.id, "forest_name": exported.names.forest, "sea_name": exported.names.sea}
    return row


def decision_rows(number: int, exported: ExportedGame) -> Iterator[dict[str, Any]]:
    """The rows of a game's decisions and draws, in the order of play."""
    game = exported.game
    winner = game.outcome.winner if game.outcome else None
    board = Board(game.start_text)
    turn = 0
    for index, token in enumerate(game.tokens):
        turn += board.phase is Phase.ACTION
        decider = board.decider
        is_tribe = isinstance(decider, Tribe)
        yield {
            "game": number,
            "index": index,
            "turn": turn,
            "position": board.turn_start,
            "played": " ".join(map(str, board.turn_tokens)),
            "phase": board.phase.value,
            "active": board.active.value,
            "decider": decider.value if isinstance(decider, Tribe) else "chance",
            "legal": len(board.legal_moves),
            "token": str(token),
            "number": core.id_of(board, token),
            "score": exported.scores[index] if exported.scores else None,
            "result": (0.5 if winner is None else float(winner is decider)) if is_tribe else None,
        }
        board.push(token)


class TableWriter:
    """Writes both tables, some games at a time. The files get their names only once they are complete."""

    def __init__(self, folder: Path, *, names: bool) -> None:
        schema = pa.schema([*GAMES, *(pa.field(*each) for each in NAMES)], GAMES.metadata) if names else GAMES
        self._schemas: Final = {GAMES_FILE: schema, DECISIONS_FILE: DECISIONS}
        self._folder: Final = folder
        self._rows: Final[dict[str, list[dict[str, Any]]]] = {name: [] for name in self._schemas}
        self._writers: Final = {
            name: pq.ParquetWriter(_partial(folder / name), schema, compression="zstd")
            for name, schema in self._schemas.items()
        }

    def add(self, number: int, exported: ExportedGame) -> None:
        """Add a game."""
        decisions = list(decision_rows(number, exported))
        turns = decisions[-1]["turn"] if decisions else 0
        self._rows[GAMES_FILE].append(game_row(number, exported, turns))
        self._rows[DECISIONS_FILE] += decisions
        if len(self._rows[DECISIONS_FILE]) >= ROWS_AT_ONCE:
            self._flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
        for name, writer in self._writers.items():
            writer.close()
            partial = _partial(self._folder / name)
            if kind is None:
                partial.replace(self._folder / name)
            else:
                with contextlib.suppress(OSError):
                    partial.unlink()

    def _flush(self) -> None:
        for name, rows in self._rows.items():
            self._writers[name].write_table(pa.Table.from_pylist(rows, schema=self._schemas[name]))
            rows.clear()


def _partial(path: Path) -> Path:
    return path.with_suffix(".partial")
