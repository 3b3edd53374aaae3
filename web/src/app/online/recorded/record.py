"""Record games with fairness proofs, for the tests of the fairness badge. Run it without arguments.

The games are random, with fixed seeds, so the same rules give the same file. Each game has at least three draws.
"""

from __future__ import annotations

import json
import pathlib
import random
from typing import Any, Final

from cairn.fairness import VERSION, Proof, draw, toss_tribes
from cairn.server.game.seated_game import SeatedGame
from cairn.vocabulary import CHANCE, FOREST, Variant

FILE: Final = pathlib.Path(__file__).parent / "fair.json"
FEWEST_DRAWS: Final = 3


def played(variant: Variant, version: int, seed: int) -> dict[str, Any]:
    """Return a random game, reduced to the parts that the badge checks."""
    rng = random.Random(seed)
    first = FOREST if variant is Variant.EXPERT else None
    secret, name = rng.randbytes(32), f"game-{variant.value}-{version}"
    makers, others = rng.randbytes(32), rng.randbytes(16)
    # The tribes are chosen in the beginner game and tossed in the others.
    tossed = None if variant is Variant.BEGINNER else toss_tribes(secret, makers, others, name)
    maker = tossed or FOREST
    begun = Proof.begin(secret, name, variant, first, tossed=tossed, version=version)
    proof = begun.with_number(maker, makers).with_number(maker.enemy, others)
    game = SeatedGame(proof.deal())
    steps, draws = [], 0
    while game.outcome is None:
        if game.decider is CHANCE:
            tile = draw(proof.key, draws, game.board.setup.deck.draws())
            draws += 1
            token = f"?{tile}"
        else:
            token = str(rng.choice(list(game.legal_moves)))
        step = game.follow(token)
        steps.append({"token": step.token, "by": step.by, "position": step.position})
    headers = proof.headers()
    return {
        "id": proof.game,
        "variant": variant.value,
        "start": game.start_text,
        "steps": steps,
        "draws": draws,
        "proof": {
            "commitment": headers["Commitment"],
            "seed": headers["Seed"],
            "forest_number": headers["ForestNumber"],
            "sea_number": headers["SeaNumber"],
            "first": first.value if first else None,
            "tossed": tossed.value if tossed else None,
            "version": version,
        },
    }


def main() -> None:
    """Write one game of each variant, and one with a proof of version 1."""
    games = []
    # The game with version 1 tests that the badge still checks older games.
    for version, variant in ((1, Variant.STANDARD), *((VERSION, variant) for variant in Variant)):
        seed = 0
        while (game := played(variant, version, seed))["draws"] < FEWEST_DRAWS:
            seed += 1
        games.append(game)
    FILE.write_text(json.dumps(games, indent=1) + "\n")


if __name__ == "__main__":
    main()
