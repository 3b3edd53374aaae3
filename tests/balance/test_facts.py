"""The facts that the core finds agree with a plain replay and with searches from Python."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy")

from cairn import Board, Phase, _native
from cairn._native import core
from cairn.balance.facts import ENDINGS, MILLIONTHS, TILES, find_facts, joined_pairs, pairs_of
from cairn.engine.network import open_network
from cairn.engine.score import Score
from cairn.vocabulary import TRIBES, Build, Draw, Token, Transform, Travel, Tribe

LUCK_NODES = 60


@dataclasses.dataclass(frozen=True)
class Played:
    file: bytes
    games: Any
    builds: Any

    def replayed(self) -> list[tuple[int, str, list[Token], int, list[int | None]]]:
        return core.self_play_games(self.file)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    path = tmp_path_factory.mktemp("facts") / "000.games"
    core.self_play(str(path), 40, 150, 7, 0, open_network(), lambda _: True, even=True)
    file = path.read_bytes()
    return Played(file, *find_facts(file, open_network(), LUCK_NODES))


def test_a_file_says_how_its_games_were_played(played: Played) -> None:
    network = open_network()
    assert network is not None
    assert core.self_play_header(played.file) == (7, network.hash, 150, 0, "even")
    with pytest.raises(ValueError, match="not a file of self-play games"):
        core.self_play_header(b"CAIRNSP9" + played.file[8:])


def test_facts_agree_with_a_replay(played: Played) -> None:
    assert len(played.games) == 40
    assert len(set(played.games["variant"].tolist())) == 3
    for found, (variant, start, tokens, winner, scores) in zip(played.games, played.replayed(), strict=True):
        board = Board(start)
        first = board.active
        points: Counter[tuple[Tribe, str]] = Counter()
        turns = draws = 0
        way = ""
        for token in tokens:
            before, phase = board.scores, board.phase
            turns += phase is Phase.ACTION
            draws += phase is Phase.DRAW and len(board.legal_moves) > 1
            if isinstance(token, Transform):
                way = "transformation"
            elif isinstance(token, Travel) and token.target is None:
                last_row = "5" if board.active.value == "forest" else "1"
                stepped = "move" if str(token.origin)[1] == last_row else "jump"
                way = stepped if phase is Phase.ACTION else "power"
            elif ":" in str(token) and str(token).endswith("-out"):
                way = "power"
            board.push(token)
            for tribe in TRIBES:
                if board.scores[tribe] > before[tribe]:
                    points[tribe, way] += 1
        assert (found["tokens"], found["turns"], found["draws"]) == (len(tokens), turns, draws)
        assert (found["variant"], TRIBES[found["first"]]) == (variant, first)
        assert found["opening"] == scores[0]
        result = 1 if not winner else 2 if TRIBES[winner - 1] is first else 0
        assert found["result"] == result
        for side, tribe in enumerate((first, first.enemy)):
            ways = ("move", "jump", "power", "transformation")
            assert found["points"][side].tolist() == [points[tribe, each] for each in ways]
        if board.outcome is not None:
            assert ENDINGS[found["ending"]] == board.outcome.reason.value
        else:
            assert ENDINGS[found["ending"]] == ("repetition" if board.is_repetition else "too-long")


def value_of(engine: _native.Engine, board: Board) -> int:
    """Forest's expectation in millionths, by the definition in docs/balance.md."""
    if board.is_over:
        return MILLIONTHS if board.winner_number == 1 else 0
    if board.is_repetition:
        return MILLIONTHS // 2
    if board.phase is Phase.DRAW:
        return round(mean_by_tile(engine, board))
    engine.clear()
    score = engine.search(board, LUCK_NODES, 0, 1, 0, 0, None)[0][0]
    expected = int(MILLIONTHS * Score(abs(score)).expected + 0.5)
    mine = expected if score >= 0 else MILLIONTHS - expected
    return mine if board.decider_number == 0 else MILLIONTHS - mine


def mean_by_tile(engine: _native.Engine, board: Board) -> float:
    return sum(after(engine, board, token) for token in board.legal_moves) / len(board.legal_moves)


def after(engine: _native.Engine, board: Board, token: Token) -> int:
    board.push(token)
    value = value_of(engine, board)
    board.pop()
    return value


def test_luck_and_gains_are_what_plain_searches_say(played: Played) -> None:
    engine = _native.Engine(1, 1, open_network())
    checked = 0
    for number, (_, start, tokens, _, _) in enumerate(played.replayed()[:6]):
        board = Board(start)
        first = board.active_number
        luck = 0.0
        gains = []
        for index, token in enumerate(tokens):
            if isinstance(token, Draw) and len(board.legal_moves) > 1:
                luck += after(engine, board, token) - mean_by_tile(engine, board)
                checked += 1
            if isinstance(token, Build) and len(board.legal_moves) == 2:
                (other,) = (each for each in board.legal_moves if each != token)
                builder = board.decider_number
                difference = after(engine, board, token) - after(engine, board, other)
                board.push(token)
                if not board.is_over:
                    assert isinstance(other, Build)
                    gains.append((index, token.tile.code, other.tile.code, difference * (1 - 2 * builder)))
                board.pop()
            board.push(token)
        found = played.builds[played.builds["game"] == number]
        assert [(int(row["token"]), TILES[row["built"]], TILES[row["other"]]) for row in found] == [
            gain[:3] for gain in gains
        ]
        assert found["gain"].tolist() == pytest.approx([gain[3] for gain in gains], abs=2)
        assert played.games["luck"][number] == pytest.approx(luck * (1 - 2 * first), abs=10)
    assert checked > 10


def test_pairs_add_up_the_choices(played: Played) -> None:
    halves = [played.games[:20], played.games[20:]]
    early = played.builds["game"] < 20
    later = played.builds[~early].copy()
    later["game"] -= 20
    pairs = joined_pairs([pairs_of(halves[0], played.builds[early]), pairs_of(halves[1], later)])
    expected: dict[tuple[int, int, int], list[float]] = {}
    for build in played.builds:
        key = (int(played.games["variant"][build["game"]]), int(build["built"]), int(build["other"]))
        sums = expected.setdefault(key, [0, 0, 0, 0])
        gain = float(build["gain"])
        for place, value in enumerate((1, gain, gain**2, float(build["result"]))):
            sums[place] += value
    assert {(int(each["variant"]), int(each["built"]), int(each["other"])) for each in pairs} == set(expected)
    for pair in pairs:
        sums = expected[int(pair["variant"]), int(pair["built"]), int(pair["other"])]
        assert [pair["choices"], pair["gain"], pair["gain_squares"], pair["result"]] == sums


def test_a_damaged_file_is_refused(played: Played) -> None:
    with pytest.raises(RuntimeError, match="ends in the middle of a game"):
        find_facts(played.file[:-1], None, 10)
    with pytest.raises(RuntimeError, match="not a file of self-play games"):
        find_facts(b"", None, 10)


def test_even_games_are_reproducible_whatever_the_interruptions(tmp_path: Path, played: Played) -> None:
    path = tmp_path / "again.games"
    core.self_play(str(path), 3, 150, 7, 0, open_network(), lambda _: True, even=True)
    path.write_bytes(path.read_bytes()[:-5])
    core.self_play(str(path), 6, 150, 7, 0, open_network(), lambda _: True, even=True)
    assert played.file.startswith(path.read_bytes())
    with pytest.raises(RuntimeError, match="written with other settings"):
        core.self_play(str(path), 9, 150, 7, 0, open_network(), lambda _: True)
    assert path.read_bytes().startswith(b"CAIRNSP2")
