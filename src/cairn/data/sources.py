"""Games from files: games of the engine against itself, and game records."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from cairn._native import core
from cairn.arena.records import read_games
from cairn.data.games import ExportedGame
from cairn.game import Game
from cairn.messages import reason_of
from cairn.record import Record
from cairn.vocabulary import MalformedError, Outcome, Reason, Variant

SELF_PLAY: Final = ".games"
RECORDS: Final = ".cairn"
_VARIANTS: Final = tuple(variant.value for variant in Variant)


class ExportError(Exception):
    """The export cannot be made. The message is for people."""


def games_in(files: Sequence[Path], *, names: bool) -> Iterator[ExportedGame]:
    """The finished games of some files. Raises :class:`ExportError` for a file that cannot be read.

    Without ``names``, the players in records are called ``person``, except levels and engines of the arena.
    """
    for file in files:
        try:
            if file.suffix == SELF_PLAY:
                yield from _self_play(file)
            elif file.suffix == RECORDS:
                yield from _records(file, names)
            else:
                raise ExportError(f"{file}: expected a file {SELF_PLAY} or {RECORDS}")
        except OSError as error:
            raise ExportError(f"{file}: {reason_of(error)}") from None
        except (MalformedError, UnicodeDecodeError, ValueError) as error:
            raise ExportError(f"{file}: {error}") from None


def _self_play(file: Path) -> Iterator[ExportedGame]:
    content = file.read_bytes()
    seed, network, nodes, shard, style = core.self_play_header(content)
    player = f"Cairn, {nodes} nodes" + (f", network {network:016x}" if network else "")
    for number, (variant, start, tokens, winner, scores) in enumerate(core.self_play_games(content)):
        game = Game(start, tokens)
        note = f"{style} self-play, seed {seed}, shard {shard}, game {number}"
        if game.outcome is None and not winner:
            game.end(Outcome(None, Reason.AGREEMENT))
            note += f"; drawn after {len(tokens)} tokens"
        yield ExportedGame(game, "self-play", _VARIANTS[variant], player, player, scores=scores, note=note)


def _records(file: Path, names: bool) -> Iterator[ExportedGame]:
    for record in read_games(file.read_text(encoding="utf-8")):
        if record.game.outcome is None:
            continue
        variant = record.headers.get("Variant")
        yield ExportedGame(
            record.game,
            "record",
            variant if variant in _VARIANTS else None,
            _player(record, "Forest", names),
            _player(record, "Sea", names),
            _date(record.headers.get("Date", "")),
        )


def _player(record: Record, tribe: str, names: bool) -> str:
    """The player of a tribe. A name that is not an engine's may be a person's."""
    name = record.headers.get(tribe, "")
    is_engine = name.startswith(("level ", "level:", "full", "random", "cmd:"))
    return name if name and (names or is_engine) else "person"


def _date(text: str) -> datetime.date | None:
    with contextlib.suppress(ValueError):
        return datetime.datetime.strptime(text, "%Y.%m.%d").replace(tzinfo=datetime.UTC).date()
    return None
