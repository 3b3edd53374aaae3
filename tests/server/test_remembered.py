"""What is remembered about positions is what reading them again would give."""

from __future__ import annotations

import random

from tests.server.helpers import CHAIN, LEAVES, START

from cairn.game import Game
from cairn.server.game.choices import choices, setup_of
from cairn.server.game.steps import play_steps
from cairn.story import Scene, tell
from cairn.vocabulary import Travel


def test_steps_and_choices_are_as_if_everything_were_read_again() -> None:
    rng, looked = random.Random(1), 0
    for start in (START, CHAIN, LEAVES) * 4:
        game, plain = Game(start), Game(start)
        while game.outcome is None and len(game.tokens) < 200:
            token = str(rng.choice(list(game.legal_moves)))
            before = Scene.of(plain)
            plain.push(token)
            (told,) = play_steps(game, [token], turn=1)
            assert list(told.effects) == tell(before, token, Scene.of(plain))
            assert setup_of(game.board) == plain.board.setup
            for move, choice in zip(game.legal_moves, choices(game.board), strict=False):
                if choice.tile and isinstance(move, Travel) and move.target:
                    assert choice.tile == ("move" if move.target in move.origin.neighbours() else "jump")
                    looked += 1
    assert looked > 1_000
