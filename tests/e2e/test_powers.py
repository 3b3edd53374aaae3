"""On the page, every power can be used and every kind of decision made, in the positions from the rules pages."""

from __future__ import annotations

from typing import Any

import pytest

from cairn.server.web.lessons import Lesson, lessons
from cairn.vocabulary import MEGALITHS
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.visit import Visitor

LESSONS = {lesson.name: lesson for lesson in lessons()}
WITHOUT_CHOICE = ("PS", "TS")
"""Pillars of Spring and Tumulus of Shadow, whose powers take effect without a choice."""
DECISIONS = (
    "add-banish",
    "jump-friend",
    "jump-enemy",
    "leaving-step",
    "leaving-jump",
    "leaving-corner",
    "leaving-occupied",
    "power-exit",
    "chain",
    "opponent-decides",
    "transformation-middle",
    "transformation-end",
    "transformation-declined",
    "loop-guard",
    "loop-guard-third",
    "winning",
    "no-action",
    "repetition",
)


def choice(game: Any, token: str) -> Any:
    """The server's description of a token that can be played now."""
    return next(each for each in game["now"]["choices"] if each["token"] == token)


def open_lesson(visitor: Visitor, server: Server, lesson: Lesson, played: int = 0) -> tuple[Table, str]:
    game = server.begin(lesson.position, lesson.tokens[:played])
    visitor.go(f"/game/{game}")
    table = Table(visitor.page)
    table.wait()
    return table, game


def follow(table: Table, server: Server, game: str, tokens: tuple[str, ...], way: int = 0) -> None:
    """Play these tokens in order, each with the picks of one of its paths."""
    for token in tokens:
        if token.startswith("?"):
            continue  # the server draws, and usually draws a different tile
        paths = choice(server.game(game), token)["paths"]
        table.play(paths[way % len(paths)])


def without_draws(tokens: list[str] | tuple[str, ...]) -> list[str]:
    return [token for token in tokens if not token.startswith("?")]


def begins(game: Any) -> set[str]:
    """The first picks of all current choices, except buttons."""
    paths = [path for each in game["now"]["choices"] for path in each["paths"]]
    return {path[0] for path in paths if not path[0].startswith("button:")}


@pytest.mark.parametrize("code", [code for code in MEGALITHS if code not in WITHOUT_CHOICE])
def test_a_power_can_be_used(visitor: Visitor, server: Server, code: str) -> None:
    lesson = LESSONS[f"megalith-{code}"]
    before = server.begin(lesson.position, lesson.tokens[:1])
    now = server.game(before)["now"]
    assert now["power"] == code
    ways = len(choice(server.game(before), lesson.tokens[1])["paths"])
    for way in {0, ways - 1}:
        table, game = open_lesson(visitor, server, lesson)
        follow(table, server, game, lesson.tokens[:1], way)
        moment = server.game(game)
        assert moment["now"]["power"] == code
        assert MEGALITHS[code].name in table.prompt()
        if not table.picked():  # a pick without alternatives is made automatically
            assert set(table.marked()) == begins(moment)
        follow(table, server, game, lesson.tokens[1:], way)
        assert without_draws(server.tokens(game)) == without_draws(lesson.tokens)


def test_pillars_of_spring_gives_an_extra_turn(visitor: Visitor, server: Server) -> None:
    lesson = LESSONS["megalith-PS"]
    table, game = open_lesson(visitor, server, lesson)
    follow(table, server, game, lesson.tokens[:1])
    assert server.game(game)["now"]["active"] == "forest"
    assert set(table.shamans("forest")) & set(table.marked())  # the page asks Forest again
    follow(table, server, game, lesson.tokens[1:])
    assert without_draws(server.tokens(game)) == without_draws(lesson.tokens)


def test_tumulus_of_shadow_banishes_the_shaman_that_steps_on_it(visitor: Visitor, server: Server) -> None:
    lesson = LESSONS["megalith-TS"]
    table, game = open_lesson(visitor, server, lesson)
    follow(table, server, game, lesson.tokens)
    assert server.tokens(game) == list(lesson.tokens)
    assert "d3" not in table.shamans("sea")


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_can_be_made(visitor: Visitor, server: Server, name: str) -> None:
    lesson = LESSONS[name]
    table, game = open_lesson(visitor, server, lesson)
    follow(table, server, game, lesson.tokens)
    assert without_draws(server.tokens(game)) == without_draws(lesson.tokens)
    outcome = server.game(game)["now"]["outcome"]
    assert table.is_over() == (outcome is not None)


@pytest.mark.parametrize(
    ("upcoming", "token"),
    [("PSAD", "PS:use"), ("MDAD", "MD:b3-b4"), ("MMAD", "MM:flip-jump"), ("SWAD", "SW:b3/d3"), ("WCAD", "WC:b3/c2")],
)
def test_the_shifting_stone_copies_a_power(visitor: Visitor, server: Server, upcoming: str, token: str) -> None:
    position = f"S3S/5/5/1FS2/F3F b3SH,d3CG {upcoming} (CDCSFCHEHP) wofm 0-0 F"
    game = server.begin(position, ["b2-b3"])
    visitor.go(f"/game/{game}")
    table = Table(visitor.page)
    table.wait()
    assert {"slot:0", "slot:1"} <= set(table.marked())
    path = choice(server.game(game), token)["paths"][0]
    table.pick(path[0])
    if len(path) > 1:
        name = MEGALITHS[upcoming[:2]].name
        assert name in table.prompt(), "the prompt does not say which power is copied"
    table.play(path[1:])
    assert server.tokens(game) == ["b2-b3", token]


def test_the_opponent_decides_during_a_turn(visitor: Visitor, server: Server) -> None:
    lesson = LESSONS["opponent-decides"]
    table, game = open_lesson(visitor, server, lesson)
    follow(table, server, game, lesson.tokens[:2])
    now = server.game(game)["now"]
    assert (now["active"], now["decider"]) == ("forest", "sea")
    assert "Sea" in table.prompt()
    assert "Sanctuary of the Ages" in table.prompt()
    assert set(table.marked()) == {"b3", "d3"}  # the megaliths, whether occupied or not
    follow(table, server, game, lesson.tokens[2:])
    assert server.tokens(game) == list(lesson.tokens)


def test_only_legal_picks_are_offered(visitor: Visitor, server: Server) -> None:
    game = server.begin("S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F")
    visitor.go(f"/game/{game}")
    table = Table(visitor.page)
    table.wait()
    assert set(table.open()) == begins(server.game(game))
    table.pick("a1")
    goals = {path[1] for each in server.game(game)["now"]["choices"] for path in each["paths"] if path[0] == "a1"}
    assert set(table.marked()) == goals
