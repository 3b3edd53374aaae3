"""The explorer: games are added up by moment, symmetric moments are one, and the released table is complete."""

from __future__ import annotations

import collections
import json
import random
from pathlib import Path
from typing import Final

import pytest

from cairn import FOREST, Board, Game, Variant, explorer
from cairn._native import core
from cairn.explorer import ExplorerTable, Tally
from cairn.explorer.self_play import MOST_TOKENS, tabulate
from cairn.explorer.table import MOMENTS, START_LOOKS, SUMMARY
from cairn.explorer.walk import ANY_MEGALITHS, decisions, look_at
from cairn.explorer.web import DIGITS, digit_of, write
from cairn.symmetry import SYMMETRIES
from cairn.vocabulary import Build, Phase, Tribe

START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


def played(variant: str, seed: int) -> Game:
    """A random game."""
    game, rng = Game.start(variant, seed=seed), random.Random(seed)
    while game.outcome is None:
        game.push(rng.choice(game.legal_moves))
    return game


def winner_of(game: Game) -> Tribe | None:
    assert game.outcome
    return game.outcome.winner


def table_of(*games: Game, variant: Variant = Variant.EXPERT) -> ExplorerTable:
    table = ExplorerTable()
    for game in games:
        table.add(variant, game.start_text, game.tokens, winner_of(game))
    return table


@pytest.mark.parametrize("seed", range(5))
def test_every_decision_of_a_game_is_found_again_in_all_its_images(seed: int) -> None:
    game = played("expert", seed)
    table = table_of(game)
    won = Tally.of(None if winner_of(game) is None else winner_of(game) is FOREST)
    boards = [Board(symmetry.setup(Board(game.start_text).setup)) for symmetry in SYMMETRIES]
    decided = 0
    for token in game.tokens:
        images = [symmetry.token(token) for symmetry in SYMMETRIES]
        if boards[0].phase is not Phase.DRAW and len(boards[0].legal_moves) > 1:
            decided += 1
            for board, symmetry, image in zip(boards, SYMMETRIES, images, strict=True):
                found = {symmetry_free(each.token): each for each in table.explore(board).tokens}
                expected = won.reversed if symmetry.turns else won
                assert found[image].results.score == expected.score
        for board, image in zip(boards, images, strict=True):
            board.push(next(each for each in board.legal_moves if symmetry_free(each) == image))
    assert decided == sum(1 for _ in decisions(game.start_text, game.tokens))


def symmetry_free(token: object) -> str:
    """The text of a token, with the spaces of a swap in order, as the explorer compares them."""
    first, slash, second = str(token).rpartition(":")[2].partition("/")
    return str(token) if not slash else str(token).replace(f"{first}/{second}", "/".join(sorted((first, second))))


def test_games_are_added_up_by_variant() -> None:
    table = ExplorerTable()
    for winner in (FOREST, FOREST.enemy, None):
        table.add(Variant.BEGINNER, START, ["a1-a2"], winner)
    table.add(Variant.EXPERT, START, ["+d1"], FOREST)
    board = Board(START)
    assert [(str(each.token), each.results) for each in table.explore(board).tokens] == [
        ("a1-a2", Tally(1, 1, 1)),
        ("+d1", Tally(1, 0, 0)),
    ]
    assert table.explore(board, Variant.EXPERT).results == Tally(1, 0, 0)
    assert table.explore(board, Variant.STANDARD).tokens == ()
    assert table.games == {Variant.BEGINNER: 3, Variant.EXPERT: 1}
    assert table.starts()["ofm"] == Tally(2, 1, 1)
    assert table.starts(Variant.EXPERT)["ofm"] == Tally(1, 0, 0)


def test_other_upcoming_megaliths_are_the_same_moment_and_other_megaliths_on_request() -> None:
    table = ExplorerTable()
    table.add(Variant.STANDARD, START, ["a1-a2"], FOREST)
    other_deck = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD PSAD (CSDRMDSA) wofm 0-0 F")
    other_field = Board("S1S1S/5/5/5/F1F1F b3FC,d3SW DRMD (ADCSPSSA) wofm 0-0 F")
    assert table.explore(other_deck).results == Tally(1, 0, 0)
    assert table.explore(other_field).tokens == ()
    assert table.explore(other_field, any_megaliths=True).results == Tally(1, 0, 0)


def test_a_construction_counts_for_the_tribe_that_chose_it() -> None:
    games = [played("expert", seed) for seed in range(20)]
    offered, built = collections.Counter[str](), collections.Counter[str]()
    wins = collections.Counter[str]()
    for game in games:
        board = Board(game.start_text)
        for token in game.tokens:
            builder = board.decider
            chooses = isinstance(builder, Tribe) and len(board.legal_moves) > 1 and board.scores[builder] < 2
            if isinstance(token, Build) and chooses:
                offered.update(str(tile) for tile in board.setup.upcoming)
                built[token.tile.code] += 1
                wins[token.tile.code] += builder is winner_of(game)
            board.push(token)
    found = {tile.code: each for tile, each in table_of(*games).megaliths().items()}
    assert built
    assert {code: each.offered for code, each in found.items()} == dict(offered)
    assert {code: each.built for code, each in found.items() if each.built} == dict(built)
    assert {code: each.results.won for code, each in found.items() if each.results.won} == {
        code: number for code, number in wins.items() if number
    }


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = table_of(*(played("expert", seed) for seed in range(3)))
    table.write(tmp_path)
    texts = [(tmp_path / name).read_text(encoding="utf-8") for name in (MOMENTS, SUMMARY)]
    again = ExplorerTable.read(*texts)
    assert (list(again.rows()), again.summary()) == (list(table.rows()), table.summary())
    with pytest.raises(ValueError, match="line 2 is not a moment"):
        ExplorerTable.read(f"{texts[0].splitlines()[0]}\nlook\ta1-a2 1,2\n", texts[1])


def test_only_turns_that_a_search_began_count_in_self_play(tmp_path: Path) -> None:
    file = tmp_path / "games"
    core.self_play(str(file), 40, 50, 3, 0, None, lambda _: True)
    games = core.self_play_games(file.read_bytes())
    table = tabulate([file])
    searched = sum(scores[0] is not None for *_, scores in games)
    assert 0 < searched < len(games) == table.games.total()
    assert sum((each for each in table.starts().values()), Tally()).games == searched


# --- The released table


def test_the_released_table_answers_every_start_of_the_beginner_variant() -> None:
    table = explorer.released()
    for faces in START_LOOKS:
        for add in "wb":
            board = Board(START.replace("wofm", f"{add}{faces}"))
            assert table.explore(board, Variant.BEGINNER).results.games >= 50
            for variant in Variant:
                assert table.explore(board, variant, any_megaliths=True).results.games >= 150
    assert min(table.games[variant] for variant in Variant) >= 15_000
    assert {tile.code for tile in table.megaliths()} == {tile.code for tile in Variant.EXPERT.megaliths}


def test_released_moments_are_in_normal_form_and_were_reached_often() -> None:
    for look, by_token in explorer.released().rows():
        shamans, megaliths, faces, scores, active, *tokens = look.split()
        assert sum(map(sum, by_token.values())) >= 8
        assert (faces[0], active) == ("w", "F")
        assert megaliths != ANY_MEGALITHS or not tokens
        if not tokens and megaliths != ANY_MEGALITHS and "-" not in megaliths:
            board = Board(f"{shamans} {megaliths} ---- - {faces} {scores} F")
            assert look_at(board)[0] == look
            assert by_token.keys() <= {symmetry_free(token) for token in board.legal_moves}


def test_the_web_app_gets_every_moment_in_sixteen_files(tmp_path: Path) -> None:
    table = explorer.released()
    write(tmp_path, table)
    parts = {digit: json.loads((tmp_path / f"{digit}.json").read_text(encoding="utf-8")) for digit in DIGITS}
    assert all(digit_of(look) == digit for digit, part in parts.items() for look in part)
    assert {look: row for part in parts.values() for look, row in part.items()} == dict(table.rows())
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["games"] == {variant.value: table.games[variant] for variant in Variant}
    assert MOST_TOKENS > 20
