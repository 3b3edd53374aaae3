"""Taking back, and turns that wait to be confirmed."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.helpers import AGAINST_COMPUTER, CHAIN, LEAVES, START, Client, choices, tokens, updated

pytestmark = pytest.mark.anyio

NO_UNDO = {"step": False, "turn": False}
BOTH = {"step": True, "turn": True}


async def test_step_by_step_at_one_screen(client: Client) -> None:
    game = await client.begin(position=START)
    assert game["now"]["undo"] == NO_UNDO
    start = game
    for token in ("a1-a2", "a5-b4"):
        game = updated(game, await client.play(game, token))
    assert game["now"]["undo"] == BOTH
    game = updated(game, await client.undo(game))
    assert (tokens(game), game["revision"], game["now"]["decider"]) == (["a1-a2"], 3, "sea")
    game = updated(game, await client.undo(game))
    assert game["now"] == start["now"]
    assert (await client.view(game))["steps"] == []


async def test_a_step_inside_a_turn_and_the_turn(client: Client) -> None:
    game = await client.begin(position=CHAIN)
    for token in ("a1-c3", "d5-d4"):
        game = updated(game, await client.play(game, token))
    step = updated(game, await client.undo(game))
    assert tokens(step) == ["a1-c3"]
    game = updated(step, await client.play(step, "d5-d4"))
    game = updated(game, await client.undo(game, "turn"))
    assert tokens(game) == []


async def test_a_turn_at_its_start_is_the_turn_before(client: Client) -> None:
    game = await client.begin(position=START)
    for token in ("a1-a2", "a5-b4"):
        game = updated(game, await client.play(game, token))
    game = updated(game, await client.undo(game, "turn"))
    assert tokens(game) == ["a1-a2"]


@pytest.mark.parametrize("scope", ["step", "turn"])
async def test_against_the_computer_its_answer_is_taken_back_too(client: Client, scope: str) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=START)
    game = await client.until_asked(updated(game, await client.play(game, "a1-a2")))
    assert len(game["steps"]) >= 2
    assert game["now"]["undo"] == BOTH
    game = updated(game, await client.undo(game, scope))
    assert tokens(game) == []
    assert game["now"]["decider"] == "forest"
    assert choices(game)


async def test_never_past_a_drawn_tile(client: Client) -> None:
    game = await client.begin(position=LEAVES)
    game = updated(game, await client.play(game, "a5-out"))
    assert game["now"]["undo"] == BOTH
    game = updated(game, await client.play(game, "=DR"))
    assert game["now"]["undo"] == NO_UNDO
    assert (await client.undo(game, status=409))["kind"] == "nothing-to-undo"
    assert (await client.undo(game, "turn", status=409))["kind"] == "nothing-to-undo"
    after = updated(game, await client.play(game, choices(game)[0]))
    assert after["now"]["undo"] == BOTH
    back = updated(after, await client.undo(after, "turn"))
    assert tokens(back) == tokens(game)
    assert back["now"]["undo"] == NO_UNDO


async def test_a_finished_game_can_be_taken_back(client: Client) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=LEAVES.replace("0-0", "2-0"))
    game = updated(game, await client.play(game, "a5-out"))
    game = updated(game, await client.play(game, "=DR"))
    assert game["now"]["outcome"]["winner"] == "forest"
    assert game["now"]["undo"] == BOTH
    game = updated(game, await client.undo(game, "turn"))
    assert game["now"]["outcome"] is None
    assert game["steps"] == []


async def test_a_held_turn_waits_for_its_confirmation(client: Client) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=START)
    game = updated(game, await client.play(game, "a1-a2", hold=True))
    assert (game["now"]["held"], game["now"]["choices"], game["now"]["decider"]) == ("forest", [], "sea")
    assert game["now"]["undo"] == BOTH
    await asyncio.sleep(0.2)
    assert (await client.view(game))["revision"] == 1, "the computer did not wait"
    game = updated(game, await client.confirm(game))
    assert game["now"]["held"] is None
    game = await client.until_asked(game)
    assert tokens(game)[0] == "a1-a2"
    assert len(game["steps"]) >= 2


async def test_a_held_turn_can_be_taken_back(client: Client) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=START)
    game = updated(game, await client.play(game, "a1-a2", hold=True))
    game = updated(game, await client.undo(game))
    assert (game["now"]["held"], tokens(game), game["now"]["decider"]) == (None, [], "forest")
    assert (await client.confirm(game, status=409))["kind"] == "nothing-to-confirm"


async def test_while_a_turn_is_held_nobody_plays(client: Client) -> None:
    game = await client.begin(position=START)
    game = updated(game, await client.play(game, "a1-a2", hold=True))
    assert (await client.play(game, "a5-b4", status=409))["kind"] == "turn-held"
    game = updated(game, await client.confirm(game))
    await client.play(game, "a5-b4")


async def test_only_the_end_of_a_turn_is_held(client: Client) -> None:
    game = await client.begin(position=CHAIN)
    game = updated(game, await client.play(game, "a1-c3", hold=True))
    assert game["now"]["held"] is None
    assert choices(game)


async def test_a_turn_that_ends_with_a_draw_is_not_held(client: Client) -> None:
    game = await client.begin(position=LEAVES)
    game = updated(game, await client.play(game, "a5-out", hold=True))
    assert game["now"]["held"] is None
    game = updated(game, await client.play(game, "=DR", hold=True))
    assert game["now"]["held"] is None
    assert choices(game)


async def test_the_end_of_the_game_is_not_held(client: Client) -> None:
    game = await client.begin(position=LEAVES.replace("0-0", "2-0"), tokens=["a5-out"])
    game = updated(game, await client.play(game, "=DR", hold=True))
    assert game["now"]["outcome"] is not None
    assert game["now"]["held"] is None
