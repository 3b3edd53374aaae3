"""The effects reported for a token are exactly the changes that it makes, in order."""

from __future__ import annotations

import random
import typing
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import pytest
from hypothesis import given

from cairn import Board, Game, IllegalTokenError
from cairn.story import (
    Activated,
    Added,
    Banished,
    Built,
    Copied,
    Drawn,
    Effect,
    Ended,
    ExtraTurn,
    Flipped,
    Left,
    MegalithMoved,
    MegalithsSwapped,
    Moved,
    NothingBuilt,
    Passed,
    Replaced,
    ShamansSwapped,
    Stopped,
    Transformed,
    play,
    tell,
)
from cairn.vocabulary import Outcome, Phase, Reason, Token, Tribe, Variant
from harness.positions import KINDS, text_of
from harness.vectors import read_vectors
from tests.picture import Picture
from tests.strategies import Line, lines

EVERY_KIND: Final = {each.__dataclass_fields__["kind"].default for each in typing.get_args(Effect)}


def check_game(position: str, tokens: Iterable[Token | str]) -> list[Effect]:
    """Return all effects of a game after checking them against the board, token by token."""
    game, picture, told = Game(position), Picture(position), list[Effect]()
    following: str | None = None
    for token in tokens:
        active = game.board.active
        effects = play(game, token)
        picture.show(effects)
        assert picture == Picture(game.board.text)
        check_activations(effects, game)
        check_order(effects, game)
        for effect in effects:
            following = effect.tribe if isinstance(effect, ExtraTurn) else following
        if game.board.phase is Phase.ACTION:
            assert game.board.active.value == (following or active.enemy.value)
            following = None
        told += effects
    return told


def check_activations(effects: Sequence[Effect], game: Game) -> None:
    """Check that a megalith is activated exactly when a shaman is moved or added onto it (P1)."""
    arrivals = [
        each.target if isinstance(each, Moved) else each.space for each in effects if isinstance(each, Moved | Added)
    ]
    activated = [each for each in effects if isinstance(each, Activated)]
    megaliths = Picture(game.board.text).megaliths
    assert [each.space for each in activated] == [each for each in arrivals if each in megaliths]
    for each in activated:
        assert (each.result == "choice") == (game.phase is Phase.POWER)
        assert (each.result == "done") == (each.code in ("PS", "TS"))
        if each.result == "choice":
            assert (game.board.power_code, game.board.focus_name) == (each.code, each.space)
            assert game.decider is Tribe(each.tribe)


def check_order(effects: Sequence[Effect], game: Game) -> None:
    """Check that the tile is flipped after the action and before any power (T2, P2), and the game's end comes last."""
    kinds = [each.kind for each in effects]
    assert kinds
    for first, second in (("moved", "flipped"), ("added", "flipped"), ("left", "flipped"), ("flipped", "activated")):
        if first in kinds and second in kinds:
            assert kinds.index(first) < kinds.index(second)
    assert ("ended" in kinds) == (game.outcome is not None)
    if game.outcome:
        last, winner = effects[-1], game.outcome.winner
        assert isinstance(last, Ended)
        assert (last.winner, last.reason) == (winner.value if winner else None, game.outcome.reason.value)


def random_game(position: str, seed: int, longest: int = 150) -> list[Token]:
    """Return random tokens from the position to the end of the game, but no more than ``longest``."""
    rng, game = random.Random(seed), Game(position)
    while game.outcome is None and len(game.tokens) < longest:
        game.push(rng.choice(game.legal_moves))
    return list(game.tokens)


@pytest.mark.slow
@given(lines())
def test_effects_match_the_board_in_random_lines(line: Line) -> None:
    game = Game(line.position)
    played = []
    for token in line.tokens:
        if game.outcome:
            break
        game.push(token)
        played.append(token)
    check_game(line.position, played)


@pytest.mark.parametrize("variant", Variant)
def test_effects_match_the_board_in_whole_games_of_every_variant(variant: Variant) -> None:
    for seed in range(6):
        position = Board.start(variant, seed).text
        check_game(position, random_game(position, seed))


@pytest.mark.slow
def test_every_kind_of_effect_occurs() -> None:
    rng = random.Random(4)
    told: list[Effect] = []
    for kind in KINDS:
        for seed in range(25):
            position = text_of(KINDS[kind](rng))
            told += check_game(position, random_game(position, seed))
    assert {effect.kind for effect in told} == EVERY_KIND
    assert {each.result for each in told if isinstance(each, Activated)} == {"choice", "done", "nothing"}
    assert {each.way for each in told if isinstance(each, Moved)} == {"step", "jump", "power"}
    assert {each.way for each in told if isinstance(each, Left)} == {"step", "jump", "power"}
    assert {each.tile for each in told if isinstance(each, Flipped)} == {"add", "move", "jump", "transformation"}
    assert {(each.code is None, each.score is None) for each in told if isinstance(each, Built)} == {
        (False, False),
        (False, True),  # the Heart of the Earth
        (True, False),  # E5
    }


def test_effects_match_the_board_in_the_games_of_the_test_vectors() -> None:
    vectors = read_vectors("games")
    for vector in vectors:
        check_game(vector["position"], [ply["token"] for ply in vector["plies"]])
    for vector in read_vectors("special"):
        check_game(vector["position"], vector["tokens"])


def test_effects_match_the_board_for_every_power_choice_in_the_test_vectors() -> None:
    kinds = set()
    for vector in read_vectors("powers"):
        for choice in vector["choices"]:
            kinds |= {each.kind for each in check_game(vector["position"], [*vector["tokens"], choice["token"]])}
    assert {"copied", "replaced", "shamans-swapped", "megaliths-swapped", "megalith-moved"} <= kinds


class Example(NamedTuple):
    """A position, the tokens played from it, and the effects of the last one."""

    name: str
    position: str
    tokens: str
    effects: list[Effect]


EXAMPLES: Final = (
    Example(
        "adding a shaman where an enemy stands banishes the enemy first",
        "S1S1S/5/5/5/F1FSF b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        "+d1",
        [Banished("sea", "d1"), Added("forest", "d1"), Flipped("add", "b")],
    ),
    Example(
        "adding onto a megalith activates it",
        "S1S1S/5/5/5/F1F1F d1DR,d3CD MDAD (CGCSPSSA) wofm 0-0 F",
        "+d1",
        [Added("forest", "d1"), Flipped("add", "b"), Activated("forest", "DR", "d1", "choice")],
    ),
    Example(
        "a jump includes the space that it crosses",
        "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F",
        "a1-c3",
        [
            Moved("forest", "a1", "c3", "jump", "b2"),
            Flipped("jump", "e"),
            Activated("forest", "FC", "c3", "choice"),
        ],
    ),
    Example(
        "a power moves an enemy, whose owner decides next",
        "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F",
        "a1-c3 d5-d4",
        [Moved("sea", "d5", "d4", "power", power="FC"), Activated("sea", "SA", "d4", "choice")],
    ),
    Example(
        "the Sanctuary moves a megalith",
        "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F",
        "a1-c3 d5-d4 c3~b3",
        [MegalithMoved("FC", "c3", "b3", "SA")],
    ),
    Example(
        "a megalith whose power cannot be applied",
        "S1S1S/5/5/1F3/F3F b3AD DRMD (CDCSPSTS) wofm 0-0 F",
        "b2-b3",
        [Moved("forest", "b2", "b3", "step"), Flipped("move", "d"), Activated("forest", "AD", "b3", "nothing")],
    ),
    Example(
        "a third arrival does nothing (P6)",
        "S1S1S/5/5/1F3/4F b3MD,c3CS DRAD (CDCGPSSA) wofm 0-0 F",
        "b2-b3 b3-c3 c3-b3 b3-c3 c3-b3",
        [Moved("forest", "c3", "b3", "power", power="CS"), Activated("forest", "MD", "b3", "nothing")],
    ),
    Example(
        "a player declines to apply a power again (P6)",
        "S1S1S/5/5/1F3/4F b3MD,c3CS DRAD (CDCGPSSA) wofm 0-0 F",
        "b2-b3 b3-c3 c3-b3 stop",
        [Stopped("MD")],
    ),
    Example(
        "a step out, with tiles to choose from",
        "S1F1S/5/5/5/F3F b3CG DRMD (ADCS) wofm 0-0 F",
        "c5-out",
        [Left("forest", "c5", "step", direction="n"), Flipped("move", "d")],
    ),
    Example(
        "a jump past the corner",
        "4S/3F1/5/5/F3F - DRMD - woem 0-0 F",
        "d4-out",
        [Left("forest", "d4", "jump", over="e5", direction="ne"), Flipped("jump", "f")],
    ),
    Example(
        "a jump straight out, although a diagonal one is possible",
        "2SS1/2F2/5/5/F3F - DRMD - woem 0-0 F",
        "c4-out",
        [Left("forest", "c4", "jump", over="c5", direction="n"), Flipped("jump", "f")],
    ),
    Example(
        "a diagonal jump out that does not pass the corner, although one past the corner is possible",
        "2S1S/3F1/5/5/F3F - DRMD - woem 0-0 F",
        "d4-out",
        [Left("forest", "d4", "jump", over="c5", direction="nw"), Flipped("jump", "f")],
    ),
    Example(
        "a jump past the corner of the first column, by Sea",
        "S4/5/5/1S3/F4 - DRMD - woem 0-0 S",
        "b2-out",
        [Left("sea", "b2", "jump", over="a1", direction="sw"), Flipped("jump", "f")],
    ),
    Example(
        "a diagonal step out of the corner",
        "S3F/5/5/5/F4 - DRMD - wdfm 0-0 F",
        "e5-out",
        [Left("forest", "e5", "step", direction="nw"), Flipped("move", "o")],
    ),
    Example(
        "leaving from a megalith constructs nothing (E4)",
        "S1F1S/5/5/5/F3F b3CG,c5CD DRMD (ADCSPSSA) wofm 0-0 F",
        "c5-out",
        [Left("forest", "c5", "step", direction="n"), Flipped("move", "d"), NothingBuilt("forest", "c5")],
    ),
    Example(
        "a point without a tile (E5)",
        "S1F1S/5/5/5/F3F b3CG ---- - wofm 0-0 F",
        "c5-out",
        [Left("forest", "c5", "step", direction="n"), Flipped("move", "d"), Built("forest", None, "c5", None, 1)],
    ),
    Example(
        "a winning point without a tile",
        "S1F1S/5/5/5/F3F b3CG ---- - wofm 2-0 F",
        "c5-out",
        [
            Left("forest", "c5", "step", direction="n"),
            Flipped("move", "d"),
            Built("forest", None, "c5", None, 3),
            Ended("forest", "score"),
        ],
    ),
    Example(
        "a power moves a shaman out",
        "2F2/5/4S/5/5 d3FC DRMD (ADCS) wofm 2-0 S",
        "e3-d3 c5-out",
        [Left("forest", "c5", "power", direction="n", power="FC")],
    ),
    Example(
        "a shaman moved out by a power wins on the opponent's turn",
        "2F2/5/4S/5/5 d3FC DRMD (ADCS) wofm 2-0 S",
        "e3-d3 c5-out =DR",
        [Built("forest", "DR", "c5", 0, 3), Ended("forest", "score")],
    ),
    Example(
        "a draw into the second slot",
        "S1F1S/5/5/5/F3F b3CG DRMD (ADCS) wofm 0-0 F",
        "c5-out =MD ?AD",
        [Drawn("AD", 1)],
    ),
    Example(
        "Pillars of Spring",
        "S3S/5/5/1F3/4F b3PS DRMD - wofm 0-0 F",
        "b2-b3",
        [
            Moved("forest", "b2", "b3", "step"),
            Flipped("move", "d"),
            Activated("forest", "PS", "b3", "done"),
            ExtraTurn("forest", "PS"),
        ],
    ),
    Example(
        "Pillars of Spring for the opponent",
        "S3S/5/5/1F3/4F b3FC,a4PS DRMD - wofm 0-0 F",
        "b2-b3 a5-a4",
        [Moved("sea", "a5", "a4", "power", power="FC"), Activated("sea", "PS", "a4", "done"), ExtraTurn("sea", "PS")],
    ),
    Example(
        "Tumulus of Shadow",
        "S3S/5/5/1F3/4F b3TS DRMD - wofm 0-0 F",
        "b2-b3",
        [
            Moved("forest", "b2", "b3", "step"),
            Flipped("move", "d"),
            Activated("forest", "TS", "b3", "done"),
            Banished("forest", "b3", "TS"),
        ],
    ),
    Example(
        "the Shifting Stone as the Pillars",
        "S3S/5/5/1F3/4F b3SH ADPS - wofm 0-0 F",
        "b2-b3 PS:use",
        [Copied("PS"), ExtraTurn("forest", "PS")],
    ),
    Example(
        "the Shifting Stone as the Tumulus",
        "S3S/5/5/1F3/4F b3SH ADTS - wofm 0-0 F",
        "b2-b3 TS:use",
        [Copied("TS"), Banished("forest", "b3", "TS")],
    ),
    Example(
        "the Shifting Stone as the Menhir, onto another megalith",
        "S3S/5/5/1F3/4F b3SH,c4MM ADMD - wofm 0-0 F",
        "b2-b3 MD:b3-c4",
        [Copied("MD"), Moved("forest", "b3", "c4", "power", power="MD"), Activated("forest", "MM", "c4", "choice")],
    ),
    Example(
        "the Walk of the Colossus activates nothing",
        "S3S/5/5/1F3/4F b3WC,e5MM ADMD - wofm 0-0 F",
        "b2-b3 b3/e5",
        [ShamansSwapped("b3", "e5", "WC")],
    ),
    Example(
        "Stormwell",
        "S3S/5/5/1F3/4F b3SW,e5MM ADMD - wofm 0-0 F",
        "b2-b3 b3/e5",
        [MegalithsSwapped("b3", "e5", "SW")],
    ),
    Example(
        "Source of Silver",
        "S3S/5/5/1F3/4F b3SS,d3CG DRMD - wofm 0-0 F",
        "b2-b3 d3=MD",
        [Replaced("d3", "CG", "MD", 1, "SS")],
    ),
    Example(
        "Source of Silver draws the tile that it replaced",
        "S3S/5/5/1F3/4F b3SS,d3CG DRMD - wofm 0-0 F",
        "b2-b3 d3=MD ?CG",
        [Drawn("CG", 1)],
    ),
    Example(
        "the Heart of the Earth scores nothing",
        "S3S/5/5/1F3/4F b3HE,d3CG DRMD - wofm 0-0 F",
        "b2-b3 c3=MD",
        [Built("forest", "MD", "c3", 1, None, "HE")],
    ),
    Example(
        "Memorial Mound",
        "S3S/5/5/1F3/4F b3MM,d3CG DRMD - wofm 0-0 F",
        "b2-b3 flip-jump",
        [Flipped("jump", "e", "MM")],
    ),
    Example(
        "Cairn of Dawn",
        "S3S/5/5/1F3/4F a1MM,b3CD DRMD - wofm 0-0 F",
        "b2-b3 +a1",
        [Added("forest", "a1", "CD"), Activated("forest", "MM", "a1", "choice")],
    ),
    Example(
        "a transformation, with tiles to choose from",
        "5/3S1/1SF2/5/F1F2 e3CD DRMD (ADCSPSSA) wofm 1-0 S",
        "d4-d3 Tc3",
        [Transformed("sea", "c3", "b3", "d3"), Flipped("transformation", "e"), Banished("forest", "c3")],
    ),
    Example(
        "a transformation on a megalith",
        "5/3S1/1SF2/5/F1F2 c3CG,e3CD DRMD (ADCSPSSA) wofm 1-0 S",
        "d4-d3 Tc3",
        [
            Transformed("sea", "c3", "b3", "d3"),
            Flipped("transformation", "e"),
            Banished("forest", "c3"),
            NothingBuilt("sea", "c3"),
        ],
    ),
    Example(
        "a winning transformation when no tile is left",
        "5/3S1/1SF2/5/F1F2 - ---- - wofm 1-2 S",
        "d4-d3 Tc3",
        [
            Transformed("sea", "c3", "b3", "d3"),
            Flipped("transformation", "e"),
            Banished("forest", "c3"),
            Built("sea", None, "c3", None, 3),
            Ended("sea", "score"),
        ],
    ),
    Example(
        "declining a transformation",
        "5/3S1/1SF2/5/F1F2 e3CD DRMD (ADCSPSSA) wofm 1-0 S",
        "d4-d3 pass",
        [Passed("sea")],
    ),
    Example(
        "no action left",
        "5/5/4S/5/2SFS - ---- - wdfm 0-0 S",
        "e3-d2",
        [Moved("sea", "e3", "d2", "step"), Flipped("move", "o"), Ended("sea", "no-action")],
    ),
    Example(
        "repetition",
        "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        "a1-a2 a5-b4 a2-a1 b4-a5 a1-a2 a5-b4 a2-a1 b4-a5",
        [Moved("sea", "b4", "a5", "step"), Flipped("move", "o"), Ended(None, "repetition")],
    ),
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_last_token_of_an_example_has_the_expected_effects(example: Example) -> None:
    *before, last = example.tokens.split()
    assert [*play(Game(example.position, before), last)] == example.effects


def test_boards_and_games_give_the_same_effects() -> None:
    position, token = "S3S/5/5/1F3/4F b3TS DRMD - wofm 0-0 F", "b2-b3"
    told = tell(Board(position, [token]))
    assert told == tell(Game(position, [token])) == play(Board(position), token)
    assert told[-1] == Banished("forest", "b3", "TS")


def test_there_are_no_effects_before_the_first_token() -> None:
    with pytest.raises(IndexError):
        tell(Game.start("beginner", seed=1))


def test_a_declared_end_is_not_an_effect_of_the_last_token() -> None:
    game = Game("S3S/5/5/1F3/4F b3TS DRMD - wofm 0-0 F", ["b2-b3"])
    told = tell(game)
    game.end(Outcome(None, Reason.AGREEMENT))
    assert tell(game) == told


def test_a_board_does_not_detect_repetition() -> None:
    board = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    for token in ("a1-a2", "a5-b4", "a2-a1", "b4-a5") * 2:
        board.push(token)
    assert tell(board) == (Moved("sea", "b4", "a5", "step"), Flipped("move", "o"))


def test_an_illegal_token_has_no_effects() -> None:
    game = Game("S3S/5/5/1F3/4F b3TS DRMD - wofm 0-0 F")
    with pytest.raises(IllegalTokenError):
        play(game, "b2-b5")
    assert game.tokens == ()
