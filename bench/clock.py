"""Measure the speed of the search and of random games, the gain from a second thread, and how late answers are."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from typing import Final

from cairn import Board, Game
from cairn._native import Engine
from cairn.engine.network import RELEASED, open_network
from cairn.vocabulary import CHANCE
from match import MEGABYTES, VARIANTS

NODES: Final = 300_000
PLAYOUTS: Final = 10_000
THREADS_MILLISECONDS: Final = 500
LONGEST_GAME: Final = 400
"""The maximum length of a game in tokens."""


def boards(seed: int) -> Iterator[Board]:
    """Yield boards on which a tribe has more than one legal token. Up to 24 random tokens have been played on each.

    The boards cycle through the variants.
    """
    chance = random.Random(seed)
    for number in range(10**9):
        board = Board.start(VARIANTS[number % len(VARIANTS)], chance.getrandbits(32))
        for _ in range(8 * (number // len(VARIANTS) % 4)):
            if board.legal_moves:
                board.push(chance.choice(board.legal_moves))
        if len(board.legal_moves) > 1 and board.decider is not CHANCE:
            yield board


def search_and_playouts(rounds: int, seed: int) -> list[dict[str, float]]:
    """Alternately measure search nodes and random-game tokens per second of CPU time, on one core."""
    engine = Engine(MEGABYTES, 1, open_network(RELEASED))
    measured = []
    for number, board in zip(range(rounds), boards(seed), strict=False):
        engine.clear()
        engine.arm()
        begin = time.process_time()
        engine.search(board, NODES, 0, 1, 0, 0, None)
        nodes_per_second = engine.nodes / (time.process_time() - begin)
        begin = time.process_time()
        tokens, _ = board.random_playouts(PLAYOUTS, seed + number)
        measured.append({"nodes": nodes_per_second, "tokens": tokens / (time.process_time() - begin)})
    return measured


def second_thread(rounds: int, seed: int) -> list[dict[str, float]]:
    """Alternately measure nodes per second with one thread and with two.

    A search can end early because it has proven the result, so the time is measured, too.
    """
    engines = {threads: Engine(MEGABYTES, threads, open_network(RELEASED)) for threads in (1, 2)}
    measured = []
    for _, board in zip(range(rounds), boards(seed), strict=False):
        speeds = {}
        for threads, engine in engines.items():
            engine.clear()
            engine.arm()
            begin = time.perf_counter()
            engine.search(board, 0, 0, 1, THREADS_MILLISECONDS, 0, None)
            speeds[f"nodes_{threads}"] = engine.nodes / (time.perf_counter() - begin)
        measured.append(speeds)
    return measured


def lateness(moves: int, milliseconds: int, seed: int) -> list[float]:
    """Measure how late each answer is, in milliseconds, over ``moves`` moves of self-play.

    A value is negative if the search ended early because the result was proven.
    """
    chance = random.Random(seed)
    measured: list[float] = []
    for number in range(moves):
        engine = Engine(MEGABYTES, 1, open_network(RELEASED))
        game = Game.start(VARIANTS[number % len(VARIANTS)], chance.getrandbits(32))
        while game.outcome is None and len(game.tokens) < LONGEST_GAME:
            if game.decider is CHANCE or len(game.legal_moves) == 1:
                game.push(chance.choice(game.legal_moves))
                continue
            engine.arm()
            begin = time.perf_counter()
            lines = engine.search(game.board, 0, 0, 1, milliseconds, 0, None)
            measured.append((time.perf_counter() - begin) * 1000 - milliseconds)
            if len(measured) == moves:
                return measured
            game.push(lines[0][2][0])
    return measured


def median(measured: list[dict[str, float]], above: str, below: str) -> float:
    """The median, over all rounds, of the ratio of ``above`` to ``below``."""
    return statistics.median(each[above] / each[below] for each in measured)
