"""Play the games of a report and find the facts about them.

Everything is in one folder: ``NNN.games`` are the games of a shard, ``NNN.npz`` the facts about them. An interrupted
run continues where it ended.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from cairn._native import core
from cairn.balance.facts import BUILD, GAME, Array, find_facts, joined_pairs, pairs_of
from cairn.balance.tables import BalanceError, BalanceSettings, Facts
from cairn.engine.network import open_network
from cairn.training.self_play import play_games
from cairn.training.settings import SelfPlaySettings

SETTINGS_FILE: Final = "settings.json"


def collect(
    folder: Path, settings: BalanceSettings, jobs: int, show: Callable[[str, int, int], object] = lambda *_: None
) -> Facts:
    """Play the missing games, find the missing facts, and return all facts.

    ``show`` is called with the step (``play`` or ``facts``), how much of it is done, and the total. Raises
    :class:`BalanceError` if the folder holds a run with other settings, or a damaged file.
    """
    network = open_network()
    if network is None:
        raise BalanceError("the network is not installed, so the games cannot be played")
    settings = dataclasses.replace(settings, network=f"{network.hash:016x}")
    folder.mkdir(parents=True, exist_ok=True)
    _check_settings(folder / SETTINGS_FILE, settings)
    wanted = SelfPlaySettings(settings.games, settings.nodes, settings.shards)
    try:
        files = play_games(
            folder,
            wanted,
            settings.seed,
            network,
            jobs,
            lambda games: show("play", games, settings.games),
            even=True,
        )
        parts = _find_all(files, network, settings.luck_nodes, jobs, show)
    except RuntimeError as error:
        raise BalanceError(f"{folder}: {error}") from None
    games = np.concatenate([found for found, _ in parts])
    return Facts(settings, games, joined_pairs([pairs_of(found, builds) for found, builds in parts]))


def _find_all(
    files: Sequence[Path],
    network: core.Network,
    nodes: int,
    jobs: int,
    show: Callable[[str, int, int], object],
) -> list[tuple[Array, Array]]:
    parts = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(_find, file, network, nodes) for file in files]
        try:
            for done, each in enumerate(running):
                show("facts", done, len(files))
                parts.append(each.result())
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    show("facts", len(files), len(files))
    return parts


def _find(file: Path, network: core.Network, nodes: int) -> tuple[Array, Array]:
    """The facts about a file. They are kept beside it, with the size of the file and the nodes that they belong to."""
    kept = file.with_suffix(".npz")
    mark = np.array([file.stat().st_size, nodes, GAME.itemsize, BUILD.itemsize])
    if kept.exists():
        with np.load(kept) as known:
            if np.array_equal(known["mark"], mark):
                return known["games"], known["builds"]
    games, builds = find_facts(file.read_bytes(), network, nodes)
    partial = file.with_suffix(".partial.npz")
    np.savez(partial, games=games, builds=builds, mark=mark)
    partial.replace(kept)
    return games, builds


def _check_settings(file: Path, settings: BalanceSettings) -> None:
    """Refuse a folder with other games. The facts can be found again with other searches."""
    wanted = dataclasses.asdict(settings)
    if file.exists():
        found = json.loads(file.read_text(encoding="utf-8"))
        different = [name for name, value in wanted.items() if name != "luck_nodes" and found.get(name) != value]
        if different:
            told = ", ".join(f"{name} {found.get(name)}, not {wanted[name]}" for name in different)
            raise BalanceError(f"{file.parent}: this folder holds a run with other settings: {told}")
    file.write_text(json.dumps(wanted) + "\n", encoding="utf-8")
