"""Strategies for hypothesis: valid set-ups, and games played from them."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from hypothesis import strategies as st

from cairn import Board, rulebook
from cairn.notation import write_position
from cairn.vocabulary import (
    FOREST,
    MEGALITHS,
    SEA,
    SHAMANS_PER_TRIBE,
    SPACES,
    TRIBES,
    AddFace,
    Copy,
    Deck,
    Faces,
    JumpFace,
    MoveFace,
    Setup,
    Token,
    TransformationFace,
    Variant,
)
from harness.positions import KINDS

SEEDS: Final = st.integers(0, 2**32 - 1)

faces: Final[st.SearchStrategy[Faces]] = st.builds(
    Faces,
    add=st.sampled_from(AddFace),
    move=st.sampled_from(MoveFace),
    jump=st.sampled_from(JumpFace),
    transformation=st.sampled_from(TransformationFace),
)


@st.composite
def any_setups(draw: st.DrawFn) -> Setup:
    """Any valid set-up, however unlikely; shrinks towards an empty table."""
    spaces = draw(st.lists(st.sampled_from(SPACES), unique=True, max_size=2 * SHAMANS_PER_TRIBE))
    forest = draw(st.integers(max(0, len(spaces) - SHAMANS_PER_TRIBE), min(len(spaces), SHAMANS_PER_TRIBE)))
    tiles = draw(st.lists(st.sampled_from(list(MEGALITHS.values())), unique=True))
    places = draw(st.lists(st.sampled_from(SPACES), unique=True, max_size=len(tiles)))
    rest = tiles[len(places) :]
    unknown = draw(st.integers(0, max(0, len(rest) - 2)))
    slots = (*rest[:2], None, None)[:2]
    if draw(st.booleans()):
        slots = slots[::-1]
    return Setup(
        shamans={space: FOREST if index < forest else SEA for index, space in enumerate(spaces)},
        megaliths=dict(zip(places, tiles, strict=False)),
        upcoming=(slots[0], slots[1]),
        deck=Deck.of(frozenset(rest[2 : 2 + unknown]), tuple(rest[2 + unknown :])),
        faces=draw(faces),
        scores={tribe: draw(st.integers(0, 2)) for tribe in TRIBES},
        active=draw(st.sampled_from(TRIBES)),
    )


def deals() -> st.SearchStrategy[Setup]:
    """Starting set-ups of all variants."""
    return st.builds(lambda variant, seed: rulebook.deal(variant, random.Random(seed)), st.sampled_from(Variant), SEEDS)


def directed_setups() -> st.SearchStrategy[Setup]:
    """Set-ups that make rare events frequent."""
    return st.builds(lambda kind, seed: KINDS[kind](random.Random(seed)), st.sampled_from(list(KINDS)), SEEDS)


def setups() -> st.SearchStrategy[Setup]:
    """Valid set-ups of all three kinds."""
    return st.one_of(any_setups(), deals(), directed_setups())


class Line(NamedTuple):
    """A position, and tokens that can be played from it one after the other."""

    position: str
    tokens: tuple[Token, ...]

    def board(self) -> Board:
        """The board after the last token."""
        return Board(self.position, self.tokens)


@st.composite
def lines(draw: st.DrawFn, longest: int = 40) -> Line:
    """A random game, or its beginning. Shrinks towards fewer tokens, and towards the first legal tokens."""
    position = write_position(draw(setups()))
    board = Board(position)
    for number in draw(st.lists(st.integers(0, 255), max_size=longest)):
        if board.is_over:
            break
        board.push(board.legal_moves[number % len(board.legal_moves)])
    return Line(position, board.history)


def boards(longest: int = 40) -> st.SearchStrategy[Board]:
    """Boards at any moment of a game, including mid-turn and after the end."""
    return lines(longest).map(Line.board)


def boards_where_the_shifting_stone_chooses() -> st.SearchStrategy[Board]:
    """Boards on which a player chooses a power for the Shifting Stone, so that every legal token has a prefix."""
    return SEEDS.map(_shifting_stone_chooses)


def _shifting_stone_chooses(seed: int) -> Board:
    rng = random.Random(seed)
    while True:
        board = Board(KINDS["copies"](rng))
        for _ in range(10):
            if board.is_over or isinstance(board.legal_moves[0], Copy):
                break
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_over and isinstance(board.legal_moves[0], Copy):
            return board
