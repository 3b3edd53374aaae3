"""Record games with fairness proofs, for the tests of the fairness badge. Run it without arguments.

The games are random, with fixed seeds, so the same rules give the same file. Each game has at least three draws.
"""

from __future__ import annotations

import json
import pathlib
import random
from typing import Any, Final

from cairn.fairness import SEALED_VERSION, VERSION, Proof, draw, link_of, toss_tribes
from cairn.server.game.seated_game import SeatedGame
from cairn.vocabulary import CHANCE, FOREST, SEA, TRIBES, Tribe, Variant

FILE: Final = pathlib.Path(__file__).parent / "fair.json"
FEWEST_DRAWS: Final = 3
ROOTS: Final = {FOREST: b"forest".ljust(32), SEA: b"sea".ljust(32)}
"""The roots of the seats, for sealed draws."""


def played(variant: Variant, version: int, seed: int) -> dict[str, Any]:
    """Return a random game, reduced to the parts that the badge checks."""
    rng = random.Random(seed)
    first = FOREST if variant is Variant.EXPERT else None
    secret, name = rng.randbytes(32), f"game-{variant.value}-{version}"
    makers, others = rng.randbytes(32), rng.randbytes(16)
    if version == SEALED_VERSION:
        makers, others = (link_of(ROOTS[tribe], 0, name) for tribe in TRIBES)
    # The tribes are chosen in the beginner game and tossed in the others.
    tossed = None if variant is Variant.BEGINNER else toss_tribes(secret, makers, others, name)
    maker = tossed or FOREST
    begun = Proof.begin(secret, name, variant, first, tossed=tossed, version=version)
    proof = begun.with_number(maker, makers).with_number(maker.enemy, others)
    if proof.is_sealed:
        proof = _with_links(proof)
    game = SeatedGame(proof.deal())
    steps, draws = [], 0
    while game.outcome is None:
        if game.decider is CHANCE:
            tiles = game.board.setup.deck.draws()
            if proof.is_sealed and len(tiles) > 1:
                proof = _with_links(proof)
            tile = draw(proof.key_of_round(proof.rounds - 1), draws, tiles)
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
            **{f"{seat.lower()}_link": headers[f"{seat}Link"] for seat in ("Forest", "Sea") if proof.is_sealed},
        },
    }


def _with_links(proof: Proof) -> Proof:
    """The proof after both seats have revealed their next link."""
    for tribe in TRIBES:
        root = next(root for root in ROOTS.values() if link_of(root, 0, proof.game) == _number(proof, tribe))
        proof = proof.with_link(tribe, link_of(root, len(proof.links(tribe)) + 1, proof.game))
    return proof


def _number(proof: Proof, tribe: Tribe) -> bytes:
    return proof.forest_number if tribe is FOREST else proof.sea_number


def main() -> None:
    """Write one game of each variant, one with a proof of version 1, and one with sealed draws."""
    games = []
    # The games of version 1 show that the badge still checks older games.
    for version, variant in (
        (1, Variant.STANDARD),
        *((VERSION, variant) for variant in Variant),
        (SEALED_VERSION, Variant.EXPERT),
    ):
        seed = 0
        while (game := played(variant, version, seed))["draws"] < FEWEST_DRAWS:
            seed += 1
        games.append(game)
    FILE.write_text(json.dumps(games, indent=1) + "\n")


if __name__ == "__main__":
    main()
