"""Matches between versions of the engine that can be interrupted at any token and resumed."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import multiprocessing
import pathlib
import queue
import random
import time
from collections.abc import Iterable
from typing import Any, Final

from versions import OLD, Player, versions

MEGABYTES: Final = 64
LONGEST_GAME: Final = 2_000
VARIANTS: Final = ("beginner", "standard", "expert")
CHANCE: Final = 2
FINAL_SCORES: Final = {3: 1.0, 4: 0.0, 5: 0.5}
"""Forest's score, by the states in which a game is over."""
SECONDS_BETWEEN_LINES: Final = 20.0


@dataclasses.dataclass(frozen=True)
class Side:
    """How one player of a match plays."""

    kind: str
    milliseconds: int
    threads: int = 1


@dataclasses.dataclass(frozen=True)
class Match:
    """Games in pairs: both games of a pair have the same start and draws, with the sides swapped."""

    part: str
    name: str
    first: Side
    second: Side
    games: int

    @property
    def threads(self) -> int:
        """The number of threads that a game needs."""
        return max(self.first.threads, self.second.threads)

    @functools.cache  # noqa: B019  # matches live as long as the program
    def fingerprint(self) -> str:
        """A hash of both players."""
        digests = [versions()[OLD if side.kind == OLD else "new"].digest for side in (self.first, self.second)]
        sides = f"{self.first} {self.second} {digests}"
        return hashlib.sha256(sides.encode()).hexdigest()[:16]


class Journal:
    """Games, one JSON object per line, append-only. The last line of a game counts."""

    def __init__(self, path: pathlib.Path, others: Iterable[pathlib.Path], seed: int) -> None:
        self.path: Final = path
        self.seed: Final = seed
        self.entries: Final[dict[tuple[str, int], dict[str, Any]]] = {}
        for each in (*others, path):
            for line in each.read_text(encoding="utf-8").splitlines() if each.exists() else ():
                try:
                    self._take(json.loads(line))
                except ValueError:
                    continue  # the last line of a run that was killed

    def _take(self, entry: dict[str, Any]) -> None:
        """Keep the entry with the most tokens: a journal may hold an earlier part of the same game."""
        if entry["seed"] != self.seed:
            return
        key = (entry["fingerprint"], entry["number"])
        known = self.entries.get(key)
        if known is None or len(entry["tokens"]) >= len(known["tokens"]):
            self.entries[key] = entry

    def add(self, match: Match, number: int, result: dict[str, Any]) -> None:
        """Store a game, finished or not."""
        entry = {
            "match": match.name,
            "fingerprint": match.fingerprint(),
            "number": number,
            "seed": self.seed,
            **result,
        }
        self._take(entry)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def find(self, match: Match, number: int) -> dict[str, Any] | None:
        """The game with this number, finished or not."""
        return self.entries.get((match.fingerprint(), number))

    def scores(self, match: Match, games: int) -> list[float]:
        """The scores per game of all finished pairs, for the first player."""
        found = [self.find(match, number) for number in range(games)]
        finished = [entry["score"] if entry and "score" in entry else None for entry in found]
        pairs = zip(finished[::2], finished[1::2], strict=True)
        return [(one + two) / 2 for one, two in pairs if one is not None and two is not None]


def play(match: Match, journal: Journal, games: int, jobs: int, deadline: float) -> None:
    """Play the games that are missing, until all are finished or the deadline has passed."""
    tasks: multiprocessing.Queue[tuple[int, list[int]]] = multiprocessing.Queue()
    results: multiprocessing.Queue[tuple[int, dict[str, Any]]] = multiprocessing.Queue()
    missing = 0
    for number in range(games):
        entry = journal.find(match, number)
        if entry is None or "score" not in entry:
            tasks.put((number, entry["tokens"] if entry else []))
            missing += 1
    if not missing:
        return
    workers = max(1, min(jobs // match.threads, missing))
    arguments = (match, journal.seed, tasks, results, deadline)
    processes = [multiprocessing.Process(target=_work, args=arguments) for _ in range(workers)]
    for process in processes:
        process.start()
    last_line = time.monotonic()
    while any(process.is_alive() for process in processes) or not results.empty():
        try:
            number, result = results.get(timeout=0.5)
        except queue.Empty:
            continue
        journal.add(match, number, result)
        if time.monotonic() - last_line >= SECONDS_BETWEEN_LINES:
            last_line = time.monotonic()
            scores = journal.scores(match, games)
            print(f"prove-network: {match.name}: {2 * sum(scores):g} of {2 * len(scores)}", flush=True)
    tasks.cancel_join_thread()
    if any(process.exitcode for process in processes):
        raise RuntimeError(f"{match.name}: a worker failed")


def _work(match: Match, seed: int, tasks: Any, results: Any, deadline: float) -> None:
    """Play games until there are no more, or the deadline has passed."""
    tasks.cancel_join_thread()
    players = [Player(side.kind, MEGABYTES, side.threads) for side in (match.first, match.second)]
    while time.time() < deadline:
        try:
            number, tokens = tasks.get(timeout=1.0)
        except queue.Empty:
            return
        results.put((number, play_game(match, players, number, seed, tokens, deadline)))


def play_game(
    match: Match, players: list[Player], number: int, seed: int, tokens: list[int], deadline: float
) -> dict[str, Any]:
    """Play one game, beginning with ``tokens``. Without a score, the game is unfinished.

    A forced token is played without a search. Both versions replay the game, so a difference in the rules is an error.
    """
    # 1. Deal the start and replay the tokens.
    start, swapped = divmod(number, 2)
    chance = random.Random(f"{seed}:{start}")
    variant = start % len(VARIANTS)
    order = players[0].tiles(variant)
    chance.shuffle(order)
    faces, first = chance.randrange(16), chance.randrange(2)
    draws = 0
    for player in players:
        player.deal(variant, order, faces, first)
    played: list[int] = []

    def push(code: int) -> None:
        for player in players:
            player.push(code)
        played.append(code)

    for code in tokens:
        draws += players[0].state == CHANCE
        push(code)

    # 2. Play on.
    result: dict[str, Any] = {"tokens": played, "variant": VARIANTS[variant], "swapped": bool(swapped)}
    while (state := players[0].state) not in FINAL_SCORES and len(played) < LONGEST_GAME:
        legal = players[0].legal
        if state != players[1].state or legal != players[1].legal:
            raise RuntimeError(f"game {number}: the versions disagree after {len(played)} tokens")
        if state == CHANCE:
            push(random.Random(f"{seed}:{start}:{draws}").choice(legal))
            draws += 1
        elif len(legal) == 1:
            push(legal[0])
        else:
            if time.time() >= deadline:
                return result
            mover = state ^ swapped
            push(players[mover].go((match.first, match.second)[mover].milliseconds)[0])

    # 3. Score it for the first player. A game that is too long is a draw.
    forest = FINAL_SCORES.get(state, 0.5)
    return {**result, "score": 1 - forest if swapped else forest}
