"""Generate the games of a generation, in several files that are written in parallel."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Callable
from pathlib import Path

from cairn._native import core
from cairn.training.settings import SelfPlaySettings


def play_games(
    folder: Path,
    settings: SelfPlaySettings,
    seed: int,
    network: core.Network | None,
    jobs: int,
    show: Callable[[int], object],
) -> list[Path]:
    """Play the missing games and return the files. ``show`` is called with the number of games so far.

    The games depend only on the settings, the seed and the network, not on ``jobs`` or interruptions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{shard:03}.games" for shard in range(settings.shards)]
    counts = [0] * len(files)
    stopped = threading.Event()
    lock = threading.Lock()

    def play(shard: int) -> None:
        def report(games: int) -> bool:
            with lock:
                counts[shard] = games
                show(sum(counts))
            return not stopped.is_set()

        games = settings.games // settings.shards + (shard < settings.games % settings.shards)
        core.self_play(str(files[shard]), games, settings.nodes, seed, shard, network, report)

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
