"""Generate the games of a generation, in several files that are written in parallel, here or on a Ray cluster."""

from __future__ import annotations

import concurrent.futures
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from cairn._native import core
from cairn.cluster import run_tasks
from cairn.training.settings import SelfPlaySettings


def play_games(
    folder: Path,
    settings: SelfPlaySettings,
    seed: int,
    network: core.Network | None,
    jobs: int,
    show: Callable[[int], object],
    *,
    even: bool = False,
) -> list[Path]:
    """Play the missing games and return the files. ``show`` is called with the number of games so far.

    The games depend only on the settings, the seed and the network, not on ``jobs`` or interruptions. With ``even``, no
    token is random.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = _files(folder, settings)
    counts = [0] * len(files)
    stopped = threading.Event()
    lock = threading.Lock()

    def play(shard: int) -> None:
        def report(games: int) -> bool:
            with lock:
                counts[shard] = games
                show(sum(counts))
            return not stopped.is_set()

        games = _games_in(settings, shard)
        core.self_play(str(files[shard]), games, settings.nodes, seed, shard, network, report, even)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(play, shard) for shard in range(settings.shards)]
        try:
            for each in concurrent.futures.as_completed(running):
                each.result()
        except BaseException:
            # Let the games in progress end, and do not start others.
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
    return files


def play_games_on_ray(
    folder: Path,
    settings: SelfPlaySettings,
    seed: int,
    weights: bytes | None,
    address: str,
    show: Callable[[int], object],
) -> list[Path]:
    """The same on the Ray cluster at ``address``. A shard is a task, so an interrupted run repeats unfinished shards.

    ``weights`` are those of the network; ``None`` is the hand-made evaluation. Raises
    :class:`~cairn.cluster.ClusterError` if there is no cluster.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = _files(folder, settings)
    missing = [shard for shard, file in enumerate(files) if not _is_complete(file, _games_in(settings, shard))]
    done = sum(_games_in(settings, shard) for shard in range(settings.shards) if shard not in missing)
    show(done)
    calls = {shard: (_games_in(settings, shard), settings.nodes, seed, shard, weights) for shard in missing}
    for shard, games in run_tasks(address, _play_shard, calls):
        unfinished = files[shard].with_suffix(".part")
        unfinished.write_bytes(games)
        unfinished.replace(files[shard])
        done += _games_in(settings, shard)
        show(done)
    return files


def _play_shard(games: int, nodes: int, seed: int, shard: int, weights: bytes | None) -> bytes:
    """Play the games of a shard on a machine of a cluster, and return the contents of the file."""
    network = core.Network(weights) if weights is not None else None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games"
        core.self_play(str(file), games, nodes, seed, shard, network, lambda _: True)
        return file.read_bytes()


def _is_complete(file: Path, games: int) -> bool:
    """Whether a file has all of its games. One that was interrupted on this machine may have fewer."""
    return file.exists() and len(core.self_play_games(file.read_bytes())) >= games


def _files(folder: Path, settings: SelfPlaySettings) -> list[Path]:
    return [folder / f"{shard:03}.games" for shard in range(settings.shards)]


def _games_in(settings: SelfPlaySettings, shard: int) -> int:
    return settings.games // settings.shards + (shard < settings.games % settings.shards)
