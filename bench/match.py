"""Paired games between two players, and their statistics."""

from __future__ import annotations

import dataclasses
import math
import pathlib
import random
import time
from collections.abc import Sequence
from typing import Any, Final, Protocol

from cairn import Game
from cairn._native import Engine
from cairn.engine.network import RELEASED, open_network
from cairn.vocabulary import CHANCE, TRIBES

VARIANTS: Final = ("beginner", "standard", "expert")
MEGABYTES: Final = 64
LONGEST_GAME: Final = 5_000
"""The maximum length in tokens. Longer games count as draws, with the reason "too long" in the report."""


class Player(Protocol):
    """A player that chooses tokens."""

    def choose(self, game: Game, milliseconds: int) -> str:
        """Choose a legal token. Precondition: this player decides."""

    def close(self) -> None:
        """Clean up after the game."""


class Full:
    """Cairn's own search at full strength."""

    def __init__(self, threads: int = 1) -> None:
        self.engine = Engine(MEGABYTES, threads, open_network(RELEASED))

    def choose(self, game: Game, milliseconds: int) -> str:
        """The best token that the search finds within the time limit."""
        self.engine.arm()
        lines = self.engine.search(game.board, 0, 0, 1, milliseconds, 0, None)
        return str(lines[0][2][0])

    def close(self) -> None:
        """Do nothing: there is nothing to clean up."""


class AtRandom:
    """Plays a random legal token."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def choose(self, game: Game, milliseconds: int) -> str:
        """Choose a random token; all tokens are equally likely. The time limit is ignored."""
        return str(self.chance.choice(game.legal_moves))

    def close(self) -> None:
        """Do nothing: there is nothing to clean up."""


class TextbookUct:
    """``uct.cpp``, limited by time or by a number of simulations."""

    def __init__(self, program: pathlib.Path, seed: int, simulations: int = 0) -> None:
        from uct import Uct

        self.simulations = simulations
        self.uct = Uct(program, seed)

    def choose(self, game: Game, milliseconds: int) -> str:
        """The most visited token."""
        limit = f"nodes {self.simulations}" if self.simulations else f"movetime {milliseconds}"
        return self.uct.choose(game.start_text, " ".join(map(str, game.tokens)), limit)

    def close(self) -> None:
        """End the program."""
        self.uct.close()


class OpenSpiel:
    """OpenSpiel's Monte Carlo tree search, with a limit on the number of simulations but not on the time."""

    def __init__(self, variant: str, deal: int, simulations: int, seed: int) -> None:
        from openspiel_mcts import OpenSpielMcts

        self.mcts = OpenSpielMcts(variant, deal, simulations, seed)

    def choose(self, game: Game, milliseconds: int) -> str:
        """The most visited token."""
        return self.mcts.choose([str(token) for token in game.tokens])

    def close(self) -> None:
        """Do nothing: there is nothing to clean up."""


@dataclasses.dataclass(frozen=True)
class Match:
    """A series of games to play. The match and a seed together determine every deal and every player's seed."""

    name: str
    first: str
    """The kind of the first player, as :func:`seat` accepts it. Scores are from this player's point of view."""
    second: str
    milliseconds: int
    games: int

    def play(self, number: int, seed: int, uct_program: pathlib.Path) -> dict[str, Any]:
        """Play game ``number``. Each start is played twice, with sides swapped. The variants alternate."""
        start, swapped = divmod(number, 2)
        variant = VARIANTS[start % len(VARIANTS)]
        deal = seed * 1_000_000 + start
        kinds = (self.second, self.first) if swapped else (self.first, self.second)
        players = [seat(kind, variant, deal, deal * 2 + side, uct_program) for side, kind in enumerate(kinds)]
        try:
            answer = play_game(players, variant, deal, self.milliseconds)
        finally:
            for player in players:
                player.close()
        forest = answer.pop("forest")
        slowest = answer.pop("slowest")
        return {
            **answer,
            "variant": variant,
            "deal": deal,
            "side": "sea" if swapped else "forest",
            "score": 1 - forest if swapped else forest,
            "slowest_ms": [slowest[swapped], slowest[1 - swapped]],
        }


def seat(kind: str, variant: str, deal: int, seed: int, uct_program: pathlib.Path) -> Player:
    """A player of a given kind: ``full``, ``full-2`` (two threads), ``random``, ``uct``, ``uct-N``, ``openspiel-N``."""
    name, _, number = kind.partition("-")
    if name == "full":
        return Full(int(number or 1))
    if name == "random":
        return AtRandom(seed)
    if name == "uct":
        return TextbookUct(uct_program, seed, int(number or 0))
    if name == "openspiel":
        return OpenSpiel(variant, deal, int(number), seed % 2**32)
    raise ValueError(f"unknown kind of player: {kind!r}")


def play_game(players: Sequence[Player], variant: str, deal: int, milliseconds: int) -> dict[str, Any]:
    """Play one game; return Forest's score, why the game ended, its length, and each side's slowest answer.

    Both games in a pair draw tiles with the same seed. A forced token is played without asking the player.
    """
    game = Game.start(variant, deal)
    chance = random.Random(deal)
    slowest = [0.0, 0.0]
    while game.outcome is None and len(game.tokens) < LONGEST_GAME:
        moves = game.legal_moves
        if game.decider is CHANCE:
            game.push(chance.choice(moves))
        elif len(moves) == 1:
            game.push(moves[0])
        else:
            side = game.board.decider_number
            begin = time.perf_counter()
            token = players[side].choose(game, milliseconds)
            slowest[side] = max(slowest[side], (time.perf_counter() - begin) * 1000)
            game.push(token)
    winner = game.outcome.winner if game.outcome else None
    return {
        "forest": 0.5 if winner is None else float(winner is TRIBES[0]),
        "reason": game.outcome.reason.value if game.outcome else "too long",
        "tokens": len(game.tokens),
        "slowest": [round(each, 1) for each in slowest],
    }


def wilson(score: float, games: int) -> tuple[float, float]:
    """The 95% Wilson interval for a proportion. Draws count as half a success, so the interval is slightly too wide."""
    z = 1.959964
    share = score / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return (middle - spread) / scale, (middle + spread) / scale
