"""Mine in shards: a shard is a number of games, and its puzzles depend only on the settings and its number.

A finished shard is a file, so an interrupted run continues with the missing ones. The shards run in processes on this
machine, or on a Ray cluster.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cairn._native import core
from cairn.cluster import run_tasks
from cairn.engine.network import open_network
from cairn.puzzles.mining import Miner
from cairn.puzzles.puzzle import Puzzle, read_puzzles, write_puzzles


@dataclasses.dataclass(frozen=True, slots=True)
class MiningSettings:
    """What determines the puzzles of a shard."""

    seed: int
    games: int
    """The number of games in a shard."""
    nodes: int
    """For each decision of a game."""


def mine_shard(settings: dict[str, Any], shard: int) -> list[dict[str, Any]]:
    """Play the games of a shard and return their puzzles as JSON, which any machine can send to another."""
    own = MiningSettings(**settings)
    network = open_network()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games"
        core.self_play(str(file), own.games, own.nodes, own.seed, shard, network, lambda _: True)
        games = core.self_play_games(file.read_bytes())
    miner = Miner(network)
    return [
        puzzle.to_json()
        for number, game in enumerate(games)
        for puzzle in miner.puzzles(game, f"{own.seed}:{shard}:{number}")
    ]


def mine(
    folder: Path, settings: MiningSettings, shards: int, jobs: int, ray_address: str | None
) -> Iterator[tuple[int, list[Puzzle]]]:
    """Yield the number and the puzzles of every shard, and write those that are missing in ``folder``.

    Raises ``ValueError`` if the folder was written with other settings, and :class:`~cairn.cluster.ClusterError` if
    there is no cluster.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _check_settings(folder / "settings.json", settings)
    files = [folder / f"{shard:04}.jsonl" for shard in range(shards)]
    missing = [shard for shard, file in enumerate(files) if not file.exists()]
    for shard, file in enumerate(files):
        if shard not in missing:
            yield shard, read_puzzles(file.read_text(encoding="utf-8"))
    calls = {shard: (dataclasses.asdict(settings), shard) for shard in missing}
    run = _run_here(calls, jobs) if ray_address is None else run_tasks(ray_address, mine_shard, calls)
    for shard, found in run:
        puzzles = [Puzzle.from_json(data) for data in found]
        unfinished = files[shard].with_suffix(".part")
        write_puzzles(unfinished, puzzles)
        unfinished.rename(files[shard])
        yield shard, puzzles


def _check_settings(file: Path, settings: MiningSettings) -> None:
    wanted = dataclasses.asdict(settings)
    if file.exists():
        found = json.loads(file.read_text(encoding="utf-8"))
        if found != wanted:
            raise ValueError(f"{file.parent} was mined with other settings: {found}, not {wanted}")
    file.write_text(json.dumps(wanted), encoding="utf-8")


def _run_here(calls: Mapping[int, tuple[dict[str, Any], int]], jobs: int) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(mine_shard, *arguments): shard for shard, arguments in calls.items()}
        try:
            for done in concurrent.futures.as_completed(running):
                yield running[done], done.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
