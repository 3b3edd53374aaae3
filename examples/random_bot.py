"""A bot that plays random legal tokens: about the smallest program that speaks the engine protocol.

cairn arena 'cmd:python examples/random_bot.py' level:1 --games 20 --nodes 1
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Callable

from cairn import CairnError, Game, Token


def choose(game: Game, _: dict[str, int]) -> Token:
    """Any legal token."""
    return random.choice(game.legal_moves)


def serve(name: str, choose: Callable[[Game, dict[str, int]], Token]) -> None:
    """Answer commands until ``quit``. ``choose`` gets the game, and the limits of ``go``, such as ``movetime``."""
    game: Game | None = None
    for line in sys.stdin:
        match line.split():
            case ["cep"]:
                print(f"id name {name}\ncepok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", *words] if len(words) >= 7:
                try:
                    game = Game(" ".join(words[:7]), words[8:])  # words[7] is "moves"
                except CairnError as error:
                    print(f"error {error}", flush=True)
            case ["go", *words] if game and game.outcome is None:
                numbers = itertools.pairwise(words)
                limits = {name: int(number) for name, number in numbers if number.isdigit()}
                print(f"bestmove {choose(game, limits)}", flush=True)
            case ["quit"]:
                return
            case ["newgame"] | ["stop"] | []:
                pass
            case _:
                print(f"error cannot do: {line.strip()}", flush=True)


if __name__ == "__main__":
    serve("Random bot", choose)
