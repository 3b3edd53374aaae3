"""The boards on the rules pages have valid positions and legal tokens, and show what they claim to show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from cairn import Board
from cairn.notation import read_position
from cairn.server.messages import games as models
from cairn.server.web.lessons import Lesson, lessons, lines
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
)
from cairn.vocabulary import MEGALITHS, SHAMANS_PER_TRIBE, Variant

NAMES: Final = [lesson.name for lesson in lessons()]
ORDER: Final = list(Variant)


def effects(name: str) -> list[Effect]:
    return [effect for step in lines()[name].steps for effect in step.effects]


@pytest.fixture(params=lessons(), ids=lambda lesson: lesson.name)
def lesson(request: pytest.FixtureRequest) -> Lesson:
    given = request.param
    assert isinstance(given, Lesson)
    return given


def test_every_subject_has_a_board() -> None:
    subjects = [
        "setup", "add-white", "add-black", "add-banish", "move-orthogonal", "move-diagonal", "jump-friend",
        "jump-enemy", "leaving-step", "leaving-jump", "leaving-corner", "leaving-occupied", "power-exit",
        "power-nothing", "chain", "opponent-decides", "transformation-middle", "transformation-end",
        "transformation-declined", "loop-guard", "loop-guard-third", "winning", "no-action", "repetition",
    ]  # fmt: skip
    assert subjects + [f"megalith-{code}" for code in MEGALITHS] == NAMES
    assert list(lines()) == NAMES


def test_each_lesson_plays_its_tokens(lesson: Lesson) -> None:
    told = lines()[lesson.name]
    assert told.start == lesson.position
    assert tuple(step.token for step in told.steps) == lesson.tokens
    assert told.now.position == Board(lesson.position, lesson.tokens).text
    assert all(step.turn > 0 and step.effects for step in told.steps)


def test_each_lesson_ends_at_the_end_of_a_turn(lesson: Lesson) -> None:
    """No chain is left unfinished, and no draw is pending."""
    assert lines()[lesson.name].now.phase in ("action", "over")


def test_each_lesson_cites_existing_rules(lesson: Lesson, repository: Path) -> None:
    rules = set(re.findall(r"^- \*\*([A-Z]\d)\b", (repository / "docs" / "rules.md").read_text("utf-8"), re.MULTILINE))
    assert {"B1", "A1", "E4", "G3"} <= rules
    assert lesson.rules
    assert set(lesson.rules) <= rules


def test_each_lesson_states_its_purpose_in_one_line(lesson: Lesson) -> None:
    assert lesson.purpose.endswith(".")
    assert len(lesson.purpose) <= 140


def test_each_lesson_starts_from_a_plausible_position(lesson: Lesson) -> None:
    """The position has all tiles of one variant and one built megalith for each point, and Forest is to move."""
    setup = read_position(lesson.position)
    tiles = {*setup.megaliths.values(), *setup.upcoming, *setup.deck.unknown, *setup.deck.known}
    variants = [
        variant
        for variant in Variant
        if tiles == {each for each in MEGALITHS.values() if ORDER.index(each.smallest_variant) <= ORDER.index(variant)}
    ]
    assert len(variants) == 1
    if variants == [Variant.BEGINNER]:
        starts = {each.beginner_start: each for each in MEGALITHS.values() if each.beginner_start}
        assert starts.items() <= setup.megaliths.items()
    assert len(setup.megaliths) == 2 + sum(setup.scores.values())
    assert setup.active.value == "forest"
    assert len(setup.shamans) <= SHAMANS_PER_TRIBE + 3, "the board is overcrowded"


@pytest.mark.parametrize("code", MEGALITHS)
def test_the_example_for_a_megalith_applies_its_power(code: str) -> None:
    told = lines()[f"megalith-{code}"]
    activations = [
        (index, effect)
        for index, step in enumerate(told.steps)
        for effect in step.effects
        if isinstance(effect, Activated) and effect.code == code
    ]
    assert len(activations) == 1
    index, activation = activations[0]
    assert activation.result == ("done" if code in ("PS", "TS") else "choice")
    assert POWERS[code] in (told.steps[index] if activation.result == "done" else told.steps[index + 1]).effects


POWERS: Final[dict[str, Effect]] = {
    "CG": Banished("sea", "c1", "CG"),
    "CD": Added("forest", "c1", "CD"),
    "CS": Moved("forest", "b3", "d3", "power", power="CS"),
    "PS": ExtraTurn("forest", "PS"),
    "AD": Banished("sea", "c2", "AD"),
    "DR": Moved("sea", "e2", "e3", "power", power="DR"),
    "MD": Moved("forest", "b3", "c4", "power", power="MD"),
    "SA": MegalithMoved("DR", "c5", "c4", "SA"),
    "TS": Banished("sea", "d3", "TS"),
    "SW": MegalithsSwapped("d3", "d5", "SW"),
    "FC": Moved("sea", "c4", "c3", "power", power="FC"),
    "HP": Moved("forest", "c4", "c5", "power", power="HP"),
    "MM": Flipped("jump", "f", "MM"),
    "SS": Replaced("d3", "CG", "PS", 0, "SS"),
    "WC": ShamansSwapped("c3", "c4", "WC"),
    "SH": Copied("AD"),
    "HE": Built("forest", "PS", "c2", 0, None, "HE"),
}


SHOWN: Final[dict[str, list[Effect]]] = {
    "add-white": [Added("forest", "d1"), Flipped("add", "b")],
    "add-black": [Added("forest", "b1"), Flipped("add", "w")],
    "add-banish": [Banished("sea", "b1"), Added("forest", "b1")],
    "move-orthogonal": [Moved("forest", "c2", "c3", "step"), Flipped("move", "d")],
    "move-diagonal": [Moved("forest", "c3", "b4", "step"), Flipped("move", "o")],
    "jump-friend": [Moved("forest", "a1", "c3", "jump", "b2"), Flipped("jump", "e")],
    "jump-enemy": [Moved("forest", "c1", "c3", "jump", "c2"), Flipped("jump", "f")],
    "leaving-step": [Left("forest", "c5", "step", direction="n"), Built("forest", "DR", "c5", 0, 1), Drawn("PS", 0)],
    "leaving-jump": [
        Left("forest", "c4", "jump", over="c5", direction="n"),
        Built("forest", "MD", "c4", 1, 1),
        Drawn("AD", 1),
    ],
    "leaving-corner": [Left("forest", "d4", "jump", over="e5", direction="ne"), Built("forest", "DR", "d4", 0, 1)],
    "leaving-occupied": [Left("forest", "c5", "step", direction="n"), NothingBuilt("forest", "c5")],
    "power-exit": [Left("forest", "c5", "power", direction="n", power="HP"), Built("forest", "MD", "c5", 1, 1)],
    "power-nothing": [Activated("forest", "CG", "b3", "nothing")],
    "chain": [
        Activated("forest", "MD", "b3", "choice"),
        Activated("forest", "CS", "a4", "choice"),
        Activated("forest", "CD", "d3", "choice"),
        Added("forest", "c1", "CD"),
    ],
    "opponent-decides": [Activated("sea", "SA", "d3", "choice"), MegalithMoved("FC", "b3", "c4", "SA")],
    "transformation-middle": [
        Transformed("forest", "c3", "c2", "c4"),
        Flipped("transformation", "e"),
        Banished("sea", "c3"),
    ],
    "transformation-end": [
        Transformed("forest", "d4", "b2", "d4"),
        Flipped("transformation", "m"),
        Banished("sea", "d4"),
    ],
    "transformation-declined": [Passed("forest")],
    "loop-guard": [Stopped("MD")],
    "loop-guard-third": [Activated("forest", "MD", "b3", "nothing")],
    "winning": [Built("forest", "MD", "c5", 1, 3), Ended("forest", "score")],
    "no-action": [Ended("forest", "no-action")],
    "repetition": [Ended(None, "repetition")],
    "megalith-PS": [ExtraTurn("forest", "PS"), Left("forest", "c5", "step", direction="ne")],
    "megalith-FC": [Moved("sea", "c4", "c3", "power", power="FC"), Transformed("forest", "c3", "b3", "d3")],
    "megalith-WC": [ShamansSwapped("c3", "c4", "WC"), Transformed("forest", "c3", "c2", "c4")],
    "megalith-SH": [Copied("AD"), Banished("sea", "c2", "AD")],
}


@pytest.mark.parametrize("name", SHOWN)
def test_each_lesson_shows_the_expected_effects_in_order(name: str) -> None:
    told = effects(name)
    assert [effect for effect in told if effect in SHOWN[name]] == SHOWN[name]


def test_the_opponent_decides_in_the_middle_of_the_turn() -> None:
    assert [(step.by, step.active) for step in lines()["opponent-decides"].steps] == [
        ("forest", "forest"),
        ("forest", "forest"),
        ("sea", "forest"),
    ]


def test_the_mound_prevents_a_jump_by_sea() -> None:
    """If the Add tile had been flipped instead, Sea could have left."""
    told = {lesson.name: lesson for lesson in lessons()}["megalith-MM"]
    assert "c2-out" not in Board(told.position, told.tokens).legal_moves
    assert "c2-out" in Board(told.position, [*told.tokens[:-1], "flip-add"]).legal_moves


def test_the_sanctuary_lets_a_shaman_build() -> None:
    told = {lesson.name: lesson for lesson in lessons()}["megalith-SA"]
    pushed = Board(told.position, [*told.tokens, "a5-b4", "c5-out"])
    elsewhere = Board(told.position, [*told.tokens[:-1], "d3~e3", "a5-b4", "c5-out"])
    assert (pushed.phase.value, elsewhere.phase.value) == ("build", "action")


def test_each_caller_gets_its_own_copy_of_the_lines() -> None:
    lines().clear()
    assert list(lines()) == NAMES
    assert all(isinstance(each, models.LineView) for each in lines().values())
