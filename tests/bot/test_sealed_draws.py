"""A bot plays with sealed draws, and reveals no link from which the server could predict a draw."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from cairn import Game, Record, Variant, fairness
from cairn.bot.links import DeceivedError, Links
from cairn.fairness import UNKNOWN_START, link_before
from cairn.record import read_record
from cairn.vocabulary import Phase
from harness.server.client import choices
from harness.server.visitors import Socket, Visitor
from tests.bot.town import Town, bot

GAME = "k7mq2xw9hb4t"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def play(socket: Socket, links: Links, draws: int) -> None:
    """Play random tokens and reveal links as a page does, until ``draws`` tiles are drawn or the game is over."""
    rng, (own,) = random.Random(3), socket.game["you"]
    while (now := socket.game["now"])["outcome"] is None:
        if sum(step["by"] == "chance" for step in socket.game["steps"]) >= draws:
            return
        revision = socket.game["revision"]
        if link := links.due(socket.game):
            await socket.send("reveal", revision=revision, link=link)
        elif now["decider"] == own and now["choices"]:
            await socket.play(rng.choice(choices(socket.game)))
        else:
            await socket.until(revision + 1, seconds=60)


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_bot_plays_with_sealed_draws(tmp_path: Path) -> None:
    with Town(tmp_path) as town:
        tokens = town.tokens("Sealed")
        file = town.token_file("Sealed", tokens["Sealed"])
        with bot(town, file, "--level", "1", "--accept", "any", "--games", "1") as program:
            await asyncio.to_thread(program.until, "Sealed is connected")
            async with Visitor(town.address) as ann:
                fields = {"open": True, "variant": "standard", "sealed": True}
                clock = {"kind": "real-time", "initial": 600_000, "increment": 1_000}
                game = (await ann.post("/challenges", {**fields, "clock": clock}, status=201))["challenge"]["id"]
                links = Links(game)
                await ann.ask("PUT", f"/challenges/{game}/number", {"number": links.anchor, "sealed": True})
                await asyncio.to_thread(program.until, f"challenge {game}: accepted")
                async with ann.socket(game) as socket:
                    await play(socket, links, draws=1)
                town.kill()
                await asyncio.to_thread(program.until, "retrying")
                town.start()
                async with ann.socket(game) as socket:
                    await play(socket, links, draws=2)
                    if socket.game["now"]["outcome"] is None:
                        await socket.send("resign")
                record = read_record(town.ask_text(f"/api/games/{game}/record"))
            assert await asyncio.to_thread(program.wait) == 0, program.text
    assert record.headers["Proof"] == "3"
    assert fairness.overall(fairness.verify(record)) is fairness.Verdict.RIGHT
    assert links.objections(record) == []
    assert "all draws verified" in program.text
    assert "WARNING" not in program.text


# --- A server that lies


def view(start: str, tokens: list[str], **now: Any) -> dict[str, Any]:
    proof = {"commitment": "c", "forest_number": "f", "sea_number": "s"}
    steps = [{"token": token} for token in tokens]
    shown = {"outcome": None, "owed": ["forest", "sea"], "held": None, **now}
    return {"start": start, "steps": steps, "you": ["forest"], "now": shown, "proof": proof}


def before_a_draw(seed: int, draws: int) -> Game:
    """A random game in which ``draws`` tiles have been drawn and another one is about to be drawn."""
    while True:
        rng, game, seed = random.Random(seed), Game(fairness.deal(bytes(32), Variant.EXPERT, None)), seed + 1
        drawn = 0
        while game.outcome is None:
            if game.phase is Phase.DRAW:
                if drawn == draws:
                    return game
                drawn += 1
            game.push(rng.choice(game.legal_moves))


def shown(game: Game, **now: Any) -> dict[str, Any]:
    return view(game.start_text, [str(token) for token in game.tokens], **now)


def revealed(links: Links, *views: dict[str, Any]) -> list[str | None]:
    return [links.due(each) for each in views]


def test_a_client_reveals_its_links_in_order() -> None:
    links = Links(GAME)
    first, second, again = revealed(links, view(UNKNOWN_START, []), *[shown(before_a_draw(1, 0))] * 2)
    assert first
    assert second
    assert link_before(bytes.fromhex(first), GAME).hex() == links.anchor
    assert link_before(bytes.fromhex(second), GAME).hex() == first
    assert again == second


def test_a_client_reveals_nothing_while_it_owes_no_link() -> None:
    assert revealed(Links(GAME), view(UNKNOWN_START, [], owed=["sea"]), view(UNKNOWN_START, [], owed=[])) == [
        None,
        None,
    ]


@pytest.mark.parametrize("draws", [1, 3])
def test_a_client_does_not_reveal_a_later_link(draws: int) -> None:
    """Each link gives away all links before it."""
    links = Links(GAME)
    links.due(view(UNKNOWN_START, []))
    with pytest.raises(DeceivedError, match=f"asked for link {draws + 2}, but the number of links due so far is 1"):
        links.due(shown(before_a_draw(1, draws)))


def test_a_client_reveals_nothing_if_no_draw_is_due() -> None:
    links, game = Links(GAME), before_a_draw(1, 0)
    links.due(view(UNKNOWN_START, []))
    with pytest.raises(DeceivedError, match="no random draw"):
        links.due(shown(game, held="sea"))
    with pytest.raises(DeceivedError, match="no random draw"):
        links.due(shown(Game(game.start_text)))


def test_a_client_notices_if_the_game_changes_after_it_revealed_a_link() -> None:
    links, game = Links(GAME), before_a_draw(1, 0)
    revealed(links, view(UNKNOWN_START, []), shown(game))
    with pytest.raises(DeceivedError, match="a different game than the one for which link 2"):
        links.due(shown(before_a_draw(2, 0)))
    changed = view(UNKNOWN_START, [])
    changed["proof"]["sea_number"] = "chosen later"
    with pytest.raises(DeceivedError, match="link 1"):
        links.due(changed)


def test_a_record_of_another_game_is_noticed() -> None:
    headers = {"Commitment": "c", "ForestNumber": "f", "SeaNumber": "s"}
    game = before_a_draw(1, 0)
    links = Links(GAME)
    revealed(links, view(UNKNOWN_START, []), shown(game))
    assert links.objections(Record(game, headers)) == []
    drawn = Game(game.start_text, [*game.tokens, game.legal_moves[0]])
    assert links.objections(Record(drawn, headers)) == []
    assert links.objections(Record(before_a_draw(2, 0), headers)) == [
        "link 2 was revealed for a different game than the one in the record"
    ]
    assert len(links.objections(Record(game, {**headers, "SeaNumber": "chosen later"}))) == 1
    assert len(links.objections(Record(Game(game.start_text), headers))) == 1
