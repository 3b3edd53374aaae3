"""The facts as Parquet: one row per game, and one row per pair of megaliths."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cairn.balance.facts import ACTIONS, ENDINGS, GAME, PAIR, SIDES, TILES, TRIBES, VARIANTS, WAYS, Array, faces_text

GAMES_FILE: Final = "games.parquet"
PAIRS_FILE: Final = "builds.parquet"
_SETTINGS: Final = b"cairn-balance"
"""The key of the settings in the metadata of a file."""
_FACES: Final = tuple(map(faces_text, range(16)))
_WORDS: Final = {
    "variant": VARIANTS,
    "faces": _FACES,
    "first": TRIBES,
    "ending": ENDINGS,
    "opening_tile": ACTIONS,
}
_NUMBERS: Final = ("result", "luck", "draws", "opening", "tokens", "turns")


class BalanceError(Exception):
    """The report cannot be made. The message is for people."""


@dataclasses.dataclass(frozen=True, slots=True)
class BalanceSettings:
    """What determines the facts. The same settings give the same facts on every machine."""

    games: int = 120_000
    nodes: int = 2_000
    """For each decision, on average."""
    seed: int = 1
    shards: int = 60
    """The number of files. A file is analysed when all of its games have been played."""
    luck_nodes: int = 500
    """For each tile that might have been drawn, and each megalith that might have been built."""
    network: str = ""
    """The hash of the network that played, in hexadecimal."""


@dataclasses.dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a report is made from."""

    settings: BalanceSettings
    games: Array
    """In the layout :data:`~cairn.balance.facts.GAME`."""
    pairs: Array
    """In the layout :data:`~cairn.balance.facts.PAIR`."""


def write_facts(folder: Path, facts: Facts) -> None:
    """Write both files. Each is replaced in one step."""
    _write(folder / GAMES_FILE, _games_table(facts.games), facts.settings)
    _write(folder / PAIRS_FILE, _pairs_table(facts.pairs), facts.settings)


def read_facts(folder: Path) -> Facts:
    """Read both files. Raises :class:`BalanceError` if one is missing, damaged, or from another run."""
    games, settings = _read(folder / GAMES_FILE)
    pairs, same = _read(folder / PAIRS_FILE)
    if settings != same:
        raise BalanceError(f"{folder}: {GAMES_FILE} and {PAIRS_FILE} come from different runs")
    try:
        return Facts(settings, _games_array(games), _pairs_array(pairs))
    except (KeyError, ValueError) as error:
        raise BalanceError(f"{folder}: a column is missing or has an unknown value: {error}") from None


def _write(path: Path, table: Any, settings: BalanceSettings) -> None:
    text = json.dumps(dataclasses.asdict(settings)).encode()
    table = table.replace_schema_metadata({_SETTINGS: text})
    partial = path.with_suffix(".partial")
    pq.write_table(table, partial, compression="zstd", compression_level=19)
    partial.replace(path)


def _read(path: Path) -> tuple[Any, BalanceSettings]:
    try:
        table = pq.read_table(path)
        return table, BalanceSettings(**json.loads(table.schema.metadata[_SETTINGS]))
    except OSError as error:
        raise BalanceError(f"{path}: {error.strerror or error}") from None
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError) as error:
        raise BalanceError(f"{path}: not a file of this report: {error}") from None


def _points_column(side: int, way: int) -> str:
    return f"{SIDES[side]}_{WAYS[way]}"


def _words(codes: Array, words: tuple[str, ...]) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int8)), pa.array(words))


def _codes(column: Any, words: tuple[str, ...]) -> Array:
    places = {word: code for code, word in enumerate(words)}
    return np.array([places[word] for word in column.to_pylist()], dtype=np.uint8)


def _games_table(games: Array) -> Any:
    columns = {name: _words(games[name], words) for name, words in _WORDS.items()}
    columns |= {name: pa.array(games[name]) for name in _NUMBERS}
    for side in range(len(SIDES)):
        for way in range(len(WAYS)):
            columns[_points_column(side, way)] = pa.array(games["points"][:, side, way])
    return pa.table(columns)


def _games_array(table: Any) -> Array:
    games = np.zeros(len(table), dtype=GAME)
    for name, words in _WORDS.items():
        games[name] = _codes(table[name], words)
    for name in _NUMBERS:
        games[name] = table[name].to_numpy()
    for side in range(len(SIDES)):
        for way in range(len(WAYS)):
            games["points"][:, side, way] = table[_points_column(side, way)].to_numpy()
    return games


def _pairs_table(pairs: Array) -> Any:
    columns = {"variant": _words(pairs["variant"], VARIANTS)}
    columns |= {name: _words(pairs[name], TILES) for name in ("built", "other")}
    columns |= {name: pa.array(pairs[name]) for name in ("choices", "gain", "gain_squares", "result")}
    return pa.table(columns)


def _pairs_array(table: Any) -> Array:
    pairs = np.zeros(len(table), dtype=PAIR)
    pairs["variant"] = _codes(table["variant"], VARIANTS)
    for name in ("built", "other"):
        pairs[name] = _codes(table[name], TILES)
    for name in ("choices", "gain", "gain_squares", "result"):
        pairs[name] = table[name].to_numpy()
    return pairs
