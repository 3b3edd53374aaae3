"""The numbers of tokens, the masks and the observations."""

from __future__ import annotations

import hashlib
import random

import numpy as np
import pytest

from cairn import Board, IllegalTokenError
from cairn.research import encoding
from cairn.vocabulary import FOREST, SEA, TRIBES, Copy, Phase
from harness import positions
from harness.token_universe import well_formed_tokens

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
DIGEST_OF_VERSION_1 = "2f705e61fd3a3052b4f6b0edb502cc320202035dfa4913b00a6d593cec372e7d"


def random_boards(kind: str, games: int, seed: int) -> list[Board]:
    """Every board of some random games."""
    rng = random.Random(seed)
    boards = []
    for _ in range(games):
        board = Board(positions.KINDS[kind](rng))
        for _ in range(150):
            boards.append(board.copy(history=False))
            if not board.legal_moves:
                break
            board.push(rng.choice(board.legal_moves))
    return boards


@pytest.mark.parametrize("kind", positions.KINDS)
def test_every_legal_token_has_one_number(kind: str) -> None:
    for board in random_boards(kind, 25, seed=3):
        numbers = {encoding.id_of(board, token): token for token in board.legal_moves}
        assert len(numbers) == len(board.legal_moves)
        assert sorted(numbers) == encoding.legal_ids(board)
        assert all(encoding.token_of(board, number) == token for number, token in numbers.items())
        drawing = board.phase is Phase.DRAW
        assert all((number >= encoding.ACTIONS) is drawing for number in numbers)


@pytest.mark.parametrize("kind", positions.KINDS)
def test_masks_bits_and_lists_agree(kind: str) -> None:
    for board in random_boards(kind, 5, seed=4):
        mask = encoding.mask(board)
        assert np.flatnonzero(mask).tolist() == encoding.legal_ids(board)
        words = encoding.pack(mask)
        assert words.shape == (58,)
        bits = [number for number in range(encoding.TOKENS) if int(words[number // 64]) >> (number % 64) & 1]
        assert bits == encoding.legal_ids(board)


@pytest.mark.slow
def test_tokens_outside_the_legal_ones_have_no_number() -> None:
    rng = random.Random(5)
    tokens = well_formed_tokens()
    for kind in positions.KINDS:
        board = rng.choice(random_boards(kind, 5, seed=6))
        legal = set(board.legal_moves)
        for token in rng.sample(tokens, 3000):
            if token in legal:
                continue
            with pytest.raises(IllegalTokenError, match="not legal here"):
                encoding.id_of(board, token)


def test_numbers_outside_the_legal_ones_have_no_token() -> None:
    board = Board(START)
    legal = set(encoding.legal_ids(board))
    for number in [-1, *range(encoding.TOKENS + 1)]:
        if number not in legal:
            with pytest.raises(encoding.IllegalActionError, match="is not legal at"):
                encoding.token_of(board, number)


def test_every_token_that_can_be_legal_fits_a_group() -> None:
    """The names of numbers, from Forest's chair, are the tokens of the universe that the rules can ever allow."""
    named = {encoding.describe(number) for number in range(encoding.TOKENS)}
    assert len(named) == encoding.TOKENS
    kinds = {
        type(token.choice if isinstance(token, Copy) else token).__name__.lower() for token in well_formed_tokens()
    }
    groups = {group.name for group in encoding.TOKEN_GROUPS}
    assert kinds <= groups
    for token in well_formed_tokens():
        if isinstance(token, Copy):
            continue
        text = str(token)
        match type(token).__name__:
            case "Travel":
                origin, target = text.split("-")
                assert origin == target or f"travel {text}" in named
            case "Banish" | "Transform":
                assert f"{type(token).__name__.lower()} {text[1:]}" in named
            case "Draw":
                assert f"draw {text[1:]}" in named
            case "Add":
                # B2, CD: shamans are added only in their owner's first row.
                assert (f"add {text[1:]}" in named) is text.endswith("1")


def test_the_numbers_are_those_of_this_version() -> None:
    """The meaning of a number never changes within a version. If this fails, VERSION has to change, too."""
    names = "\n".join(encoding.describe(number) for number in range(encoding.TOKENS))
    layout = "\n".join(f"{group.name} {group.first} {group.count}" for group in encoding.OBSERVATION_GROUPS)
    games = random_boards("start", 5, seed=9) + random_boards("copies", 20, seed=9)
    played = "\n".join(
        f"{board!r} {[(str(token), encoding.id_of(board, token)) for token in board.legal_moves]} "
        f"{encoding.observe(board, FOREST).tobytes().hex()} {encoding.observe(board, SEA).tobytes().hex()}"
        for board in games
    )
    digest = hashlib.sha256(f"{names}\n\n{layout}\n\n{played}".encode()).hexdigest()
    assert encoding.VERSION == 1
    assert digest == DIGEST_OF_VERSION_1


def turned(board: Board) -> Board:
    """The same position with the tribes exchanged, seen from the other side of the table."""
    shamans, megaliths, upcoming, deck, faces, scores, active = board.turn_start.split()
    rows = "/".join(row[::-1] for row in shamans.split("/")[::-1]).translate(str.maketrans("FS", "SF"))
    placed = [] if megaliths == "-" else megaliths.split(",")
    moved = sorted((6 - int(each[1]), chr(ord("a") + ord("e") - ord(each[0])), each[2:]) for each in placed)
    stones = ",".join(f"{column}{row}{code}" for row, column, code in moved) or "-"
    return Board(f"{rows} {stones} {upcoming} {deck} {faces} {scores[2]}-{scores[0]} {'S' if active == 'F' else 'F'}")


@pytest.mark.parametrize("kind", ["start", "crowded", "copies"])
def test_both_chairs_see_the_same_numbers(kind: str) -> None:
    rng = random.Random(7)
    for _ in range(10):
        board = Board(positions.KINDS[kind](rng))
        other = turned(board)
        for _ in range(100):
            legal = encoding.legal_ids(board)
            assert legal == encoding.legal_ids(other)
            for viewer in TRIBES:
                assert (encoding.observe(board, viewer) == encoding.observe(other, viewer.enemy)).all()
            if not legal:
                break
            number = rng.choice(legal)
            board.push(encoding.token_of(board, number))
            other.push(encoding.token_of(other, number))


def test_values_of_observations_are_in_their_ranges() -> None:
    highest = encoding.highest_values()
    for kind in positions.KINDS:
        for board in random_boards(kind, 5, seed=8):
            assert (encoding.observe(board) <= highest).all()


def test_planes_show_the_field() -> None:
    board = Board(START)
    planes = encoding.planes(encoding.observe(board, FOREST))
    assert planes.shape == (21, 5, 5)
    assert planes[0, 0].tolist() == [1, 0, 1, 0, 1]
    assert planes[1, 4].tolist() == [1, 0, 1, 0, 1]
    assert planes[2 + encoding.TILES.index("CG"), 2].tolist() == [0, 1, 0, 0, 0]
    batch = encoding.planes(np.stack([encoding.observe(board, tribe) for tribe in TRIBES]))
    assert batch.shape == (2, 21, 5, 5)
    assert batch[1, 2 + encoding.TILES.index("CG"), 2].tolist() == [0, 0, 0, 1, 0]


def test_repeats_are_counted() -> None:
    board = Board(START)
    tokens = ["a1-a2", "a5-b4", "a2-a1", "b4-a5"]
    seen = []
    for index in range(9):
        seen.append(int(encoding.observe(board)[-1]))
        token = tokens[index % 4]
        if token not in board.legal_moves:
            break
        board.push(token)
    assert seen[0] == 0
    assert max(seen) >= 1
