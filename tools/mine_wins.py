"""Finds positions in which a tribe wins within three turns, and writes or checks ``tests/data/wins.jsonl``.

The positions come from games played by the native search, by random play, and by a mix of both. The solver only picks
candidates. A brute-force search without a table, move ordering or bounds then confirms them. The same seed gives the
same file as long as the search does not change.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cairn import Board, Game, Phase, Tribe, Variant, _native
from cairn.engine import solver
from cairn.vocabulary import TRIBES

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from harness.mined import FILE, LATER, QUOTAS, TURNS, Mined, judge_search, read

PER_GAME: Final = 4
PLAYERS: Final = {"search": 0.05, "mixed": 0.4, "random": 1.0}
"""The share of random tokens, by player name."""
SETTLING_NODES: Final = 2_000_000


def main() -> int:
    """Mine or check. The exit code is 1 if a check finds an error and 0 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="check the mined positions instead of mining new ones")
    parser.add_argument("--seed", type=int, default=1, help="seed for all random choices (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes (default: %(default)s)")
    options = parser.parse_args()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        return check(pool) if options.check else mine(pool, options.seed, options.jobs)


# --- Mining


def mine(pool: concurrent.futures.Executor, seed: int, jobs: int) -> int:
    """Play games until every quota is filled, and write the positions."""
    left = collections.Counter(QUOTAS)
    found: dict[str, Mined] = {}
    for batch in itertools.count():
        numbers = range(batch * 16 * jobs, (batch + 1) * 16 * jobs)
        for mined in itertools.chain.from_iterable(pool.map(mine_game, itertools.repeat(seed), numbers)):
            if left[mined.turns] > 0 and mined.position not in found:
                left[mined.turns] -= 1
                found[mined.position] = mined
        print(f"mine-wins: {numbers.stop} games, {len(found)} positions", flush=True)
        if not +left:
            break
    lines = sorted(found.values(), key=lambda mined: (mined.turns or TURNS + 1, mined.variant, mined.position))
    FILE.write_text("".join(f"{mined.json()}\n" for mined in lines), encoding="utf-8")
    return 0


def mine_game(seed: int, number: int) -> list[Mined]:
    """Play one game and return some of its positions whose result is proven."""
    rng = random.Random(f"{seed}:{number}")
    variant = list(Variant)[number % 3]
    player = list(PLAYERS)[number // 3 % 3]
    positions = list(dict.fromkeys(play(variant, PLAYERS[player], rng)))[-10:]
    rng.shuffle(positions)
    mined = (settle(position, variant.value, player) for position in positions)
    return list(itertools.islice(filter(None, mined), PER_GAME))


def play(variant: Variant, randomness: float, rng: random.Random) -> Iterator[str]:
    """Play a game and yield the position at the start of every turn."""
    game = Game.start(variant, rng.getrandbits(32))
    engine = _native.Engine(1, 1)
    while game.outcome is None and len(game.tokens) < 400:
        if game.phase is Phase.ACTION:
            yield game.board.text
        if game.decider not in TRIBES or rng.random() < randomness:
            game.push(rng.choice(game.legal_moves))
        else:
            engine.clear()
            game.push(engine.search(game.board, 400, 3, 1, 0, 0, None)[0][2][0])


def settle(position: str, variant: str, player: str) -> Mined | None:
    """The proven result of a position; ``None`` if nobody is close to a win or the proof takes too long."""
    board = Board(position)
    solution = solver.solve(board, TURNS, 50_000)
    if solution.result is solver.SolverResult.UNKNOWN or not (solution.winner or looks_close(board)):
        return None
    turns = solution.turns if solution.winner else TURNS
    for tribe in TRIBES:
        if tribe is solution.winner and not exhaustively(board, tribe, turns):
            return None
        earlier = turns - 1 if solution.winner else turns
        if earlier and exhaustively(board, tribe, earlier) is not False:
            return None
    winner = solution.winner.value if solution.winner else None
    return Mined(position, winner, solution.turns if solution.winner else None, variant, player)


def exhaustively(board: Board, tribe: Tribe, turns: int) -> bool | None:
    """Whether the tribe wins within ``turns`` turns; ``None`` if the search takes too long."""
    return _native.core.wins_exhaustively(board, TRIBES.index(tribe), turns, SETTLING_NODES)


def looks_close(board: Board) -> bool:
    """Whether a tribe needs one more point and has a shaman in one of the last two rows."""
    setup = board.setup
    return any(
        setup.scores[tribe] == 2
        and any(
            owner is tribe and abs(space.row - tribe.enemy.first_row) <= 1 for space, owner in setup.shamans.items()
        )
        for tribe in TRIBES
    )


# --- Checking


def check(pool: concurrent.futures.Executor) -> int:
    """Check that the solver and the main search find every win and claim no other wins."""
    everything = read()
    tally = collections.Counter[str]()
    for mined, solved, claim in pool.map(check_one, everything, chunksize=4):
        for kind in filter(None, (solved, claim)):
            tally[kind] += 1
            print(f"prove-wins: {kind}: {mined.json()}", file=sys.stderr)
    found = ", ".join(f"{number} {kind}" for kind, number in tally.items())
    print(f"prove-wins: {len(everything)} positions: {found or 'all found, no false claims'}")
    return 1 if set(tally) - {LATER} else 0


def check_one(mined: Mined) -> tuple[Mined, str | None, str | None]:
    """Check one position. Return it with the solver's error and the main search's error, if any."""
    solution = solver.solve(Board(mined.position), TURNS)
    claimed = (solution.winner.value, solution.turns) if solution.winner else (None, None)
    return mined, None if claimed == (mined.winner, mined.turns) else "solver: wrong", judge_search(mined)


if __name__ == "__main__":
    sys.exit(main())
