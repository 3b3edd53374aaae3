"""Thinking while the opponent thinks."""

from __future__ import annotations

import threading

from cairn import Game
from cairn.bot.thinker import Thinker
from cairn.engine import Limit, open_engine


def limit() -> Limit:
    return Limit(nodes=2_000)


def test_a_choice_stops_pondering() -> None:
    with Thinker(lambda: open_engine("full,hash=4"), ponders=True) as thinker:
        game = Game.start("standard", seed=1)
        for _ in range(5):
            thinker.ponder(game)
            assert thinker.choose(game, limit).token in game.legal_moves


def test_several_games_share_a_thinker_that_ponders() -> None:
    with Thinker(lambda: open_engine("full,hash=4"), ponders=True) as thinker:

        def play(seed: int) -> None:
            game = Game.start("beginner", seed=seed)
            for _ in range(20):
                thinker.choose(game, limit)
                thinker.ponder(game)

        threads = [threading.Thread(target=play, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert not any(thread.is_alive() for thread in threads)


def test_closing_stops_pondering() -> None:
    before = threading.active_count()
    with Thinker(lambda: open_engine("full,hash=4"), ponders=True) as thinker:
        thinker.ponder(Game.start("expert", seed=1))
    assert threading.active_count() == before
