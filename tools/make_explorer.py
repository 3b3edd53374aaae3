"""Plays games of the engine against itself and writes the table of the explorer.

The same seed gives the same table, as long as the engine and its network do not change. The games are files in a
folder, so that an interrupted run continues where it ended. A table has only moments that several games have reached.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from cairn.engine.network import open_network
from cairn.explorer.self_play import tabulate
from cairn.explorer.table import MOMENTS, SUMMARY
from cairn.training.self_play import play_games
from cairn.training.settings import SelfPlaySettings

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "build" / "explorer"
PACKAGED: Final = ROOT / "src" / "cairn" / "explorer"
SHARDS: Final = 40


def main() -> int:
    """Play the games and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=16, help="seed of the games (default: %(default)s)")
    parser.add_argument("--games", type=int, default=60_000, help="number of games (default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=1_000, help="nodes for each decision (default: %(default)s)")
    parser.add_argument("--least", type=int, default=8, help="the fewest games of a moment (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to keep the games (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=PACKAGED, help="where to write (default: the package)")
    options = parser.parse_args()

    # 1. Play. Every shard is a file.
    settings = SelfPlaySettings(games=options.games, nodes=options.nodes, shards=SHARDS)
    told = 0

    def show(games: int) -> None:
        nonlocal told
        if games >= told + options.games // 20:
            told = games
            tell(f"{games} of {options.games} games played")

    files = play_games(options.folder, settings, options.seed, open_network(), options.jobs, show)

    # 2. Add up, and keep the moments that are worth it.
    table = tabulate(files, lambda games: tell(f"{games} of {options.games} games added")).pruned(options.least)
    options.output.mkdir(parents=True, exist_ok=True)
    table.write(options.output)
    sizes = ", ".join(f"{name}: {(options.output / name).stat().st_size:,} bytes" for name in (MOMENTS, SUMMARY))
    tell(f"wrote {len(table):,} moments of {table.games.total():,} games; {sizes}")
    return 0


def tell(text: str) -> None:
    """Print a line of progress."""
    print(f"make-explorer: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
