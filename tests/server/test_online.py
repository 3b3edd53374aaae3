"""Two people play a game by link, with real sessions and sockets, on the real application."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import httpx
import pytest

from cairn import read_record
from cairn.fairness import Verdict, overall, verify
from cairn.server.settings import Settings
from harness.server.client import choices, tokens
from harness.server.visitors import Socket, Visitor, begun, refused, table, two

pytestmark = pytest.mark.anyio


async def one_token(forest: Socket, sea: Socket, rng: random.Random) -> None:
    """Let the decider play a token, and wait until the opponent has received it."""
    here, there = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
    answer = await here.play(rng.choice(choices(here.game)))
    assert answer["type"] == "done"
    await there.until(answer["revision"])


async def until_the_end(forest: Socket, sea: Socket, rng: random.Random) -> None:
    while not forest.game["now"]["outcome"]:
        await one_token(forest, sea, rng)


@pytest.mark.slow
async def test_a_rated_game_by_link_survives_a_reconnect_and_a_takeback_while_somebody_watches(
    settings: Settings,
) -> None:
    rng = random.Random(5)
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as eve:
        game = await begun(ann, ben, rated=True, clock={"kind": "real-time", "initial": 600_000, "increment": 2_000})
        assert game["you"] == ["sea"]
        async with ann.socket(game["id"]) as forest, eve.socket(game["id"]) as watcher:
            assert (forest.game["you"], watcher.game["you"]) == (["forest"], [])
            async with ben.socket(game["id"]) as sea:
                while len(forest.game["steps"]) < 6:
                    await one_token(forest, sea, rng)
            await one_token_alone(forest, ann, ben, rng)  # while the opponent is disconnected
            async with ben.socket(game["id"]) as sea:
                assert sea.game["you"] == ["sea"]
                assert sea.game["steps"] == forest.game["steps"]
                await takeback(forest, sea, rng)
                assert refused(await watcher.send("resign")) == "not-your-seat"
                assert refused(await watcher.play(choices(forest.game)[0], tribe="forest")) == "not-your-seat"
                await until_the_end(forest, sea, rng)
                await watcher.until(forest.game["revision"])
                for seen in (sea.game, watcher.game, await eve.view(game)):
                    for part in ("steps", "proof", "revision"):
                        assert seen[part] == forest.game[part]
                    assert seen["now"]["outcome"] == forest.game["now"]["outcome"]
                    assert seen["players"]["forest"]["rating"] != seen["players"]["sea"]["rating"]
        await check_profiles(ann, forest.game)
        await check_record(ann, forest.game)


async def one_token_alone(forest: Socket, ann: Visitor, ben: Visitor, rng: random.Random) -> None:
    """Let the decider play a token over HTTP."""
    view = await ann.view(forest.game)
    here = ann if view["now"]["decider"] == "forest" else ben
    update = await here.play(view, rng.choice(choices(view)))
    await forest.until(update["revision"])


async def takeback(forest: Socket, sea: Socket, rng: random.Random) -> None:
    """Twice, play until the opponent has to decide, and ask to take the last token back: they decline, then accept."""
    for agreed in (False, True):
        while True:
            before = tokens(forest.game)
            here = forest if forest.game["now"]["decider"] == "forest" else sea
            other = sea if here is forest else forest
            await one_token(forest, sea, rng)
            handed_over = here.game["now"]["decider"] not in here.game["you"] and not here.game["now"]["outcome"]
            if handed_over and here.game["steps"][-1]["by"] != "chance":
                break
        after = tokens(here.game)
        revision = here.game["revision"]
        assert refused(await here.send("undo", revision=revision)) == "takeback-needed"
        assert (await here.send("offer", revision=revision, what="takeback"))["type"] == "done"
        await other.until(revision + 1)
        (offer,) = other.game["now"]["offers"]
        assert (offer["what"], offer["by"]) == ("takeback", here.game["you"][0])
        assert refused(await here.send("answer", revision=revision + 1, answer="accept")) == "no-offer"
        answer = "accept" if agreed else "decline"
        assert (await other.send("answer", revision=revision + 1, answer=answer))["type"] == "done"
        await here.until(revision + 2)
        assert tokens(here.game) == (before if agreed else after)
        assert here.game["now"]["offers"] == []


async def check_profiles(ann: Visitor, game: dict[str, Any]) -> None:
    winner = game["now"]["outcome"]["winner"]
    for tribe in ("forest", "sea"):
        profile = await ann.get(f"/players/{game['players'][tribe]['id']}")
        (point,) = profile["history"]
        assert point["game"] == game["id"]
        assert point["rating"] == game["players"][tribe]["rating"]
        assert (point["change"] > 0) == (winner == tribe)
        assert [rating["variant"] for rating in profile["ratings"]] == ["all", "beginner"]
        (results,) = profile["results"]
        assert results["won" if winner == tribe else "lost"] == 1
        assert [each["id"] for each in profile["recent"]] == [game["id"]]


async def check_record(visitor: Visitor, game: dict[str, Any]) -> None:
    text = (await visitor.http.get(f"/api/games/{game['id']}/record")).text
    record = read_record(text)
    assert record.headers["Commitment"] == game["proof"]["commitment"]
    assert record.headers["Seed"] == game["proof"]["seed"]
    findings = verify(record)
    assert overall(findings) is Verdict.RIGHT, "\n".join(str(each) for each in findings)


@pytest.mark.parametrize("variant", ["beginner", "standard", "expert"])
async def test_every_record_of_a_finished_game_can_be_verified(settings: Settings, variant: str) -> None:
    rng = random.Random(variant)
    async with table(settings) as address, two(address) as (ann, ben):
        for how in ("resign", "agreement", "the board"):
            made = await ann.challenge(variant=variant, open=how == "agreement")
            game = (await ben.accept(made["challenge"]["id"], invite=made["invite"]))["game"]
            async with ann.socket(game["id"]) as one, ben.socket(game["id"]) as other:
                forest, sea = (one, other) if one.game["you"] == ["forest"] else (other, one)
                if how == "the board":
                    await until_the_end(forest, sea, rng)
                else:
                    for _ in range(12):
                        await one_token(forest, sea, rng)
                    running = (await ann.http.get(f"/api/games/{game['id']}/record")).text
                    assert "Commitment" in running
                    assert "Seed" not in running
                    assert overall(verify(read_record(running))) is Verdict.OPEN
                if how == "resign":
                    await forest.send("resign")
                elif how == "agreement":
                    await forest.send("offer", what="draw", revision=forest.game["revision"])
                    await sea.until(forest.game["revision"])
                    await sea.send("answer", answer="accept", revision=sea.game["revision"])
            ended = await ann.view(game)
            assert ended["now"]["outcome"]["reason"] == {"resign": "resignation"}.get(
                how, ended["now"]["outcome"]["reason"]
            )
            await check_record(ben, ended)


async def test_a_draw_offer_stands_until_the_opponent_decides(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            await forest.send("offer", what="draw", revision=0)
            assert refused(await forest.send("offer", what="draw", revision=1)) == "offered-already"
            await forest.play()
            await sea.until(forest.game["revision"])
            assert sea.game["now"]["offers"] == [{"by": "forest", "what": "draw", "tokens": 0}]
            while sea.game["now"]["decider"] != "sea":
                await forest.play()
                await sea.until(forest.game["revision"])
            await sea.play()
            assert sea.game["now"]["offers"] == []
            assert refused(await sea.send("answer", answer="accept", revision=sea.game["revision"])) == "no-offer"
            await sea.send("offer", what="draw", revision=sea.game["revision"])
            await forest.until(sea.game["revision"])
            await forest.send("offer", what="draw", revision=forest.game["revision"])  # now both have offered a draw
            assert forest.game["now"]["outcome"]["reason"] == "agreement"
            for kind, command in {
                "play": {"tribe": "forest", "token": "a1-a2"},
                "undo": {},
                "offer": {"what": "draw"},
                "resign": {},
                "claim": {},
            }.items():
                message = await forest.send(kind, revision=forest.game["revision"], **command)
                assert refused(message) == "game-over", kind


async def test_a_withdrawn_offer_cannot_be_accepted(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            await forest.send("offer", what="draw", revision=0)
            await forest.send("answer", answer="withdraw", revision=1)
            assert forest.game["now"]["offers"] == []
            body = {"revision": 2, "answer": "accept"}
            problem = await ben.post(f"/games/{game['id']}/answer", body, status=409)
            assert problem["kind"] == "no-offer"


async def test_a_player_can_undo_their_own_tokens_without_asking(settings: Settings) -> None:
    """An undo needs no consent during a player's own turn, even while the turn is on hold."""
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            first = next(each for each in choices(forest.game) if each.startswith("+") or "-" in each)
            await forest.play(first, hold=True)
            if forest.game["now"]["held"]:
                await sea.until(forest.game["revision"])
                assert refused(await sea.send("confirm", revision=sea.game["revision"])) == "wrong-turn"
                assert refused(await sea.send("undo", revision=sea.game["revision"])) == "takeback-needed"
            assert forest.game["now"]["undo"]["step"]
            await forest.send("undo", revision=forest.game["revision"])
            assert forest.game["steps"] == []


async def test_an_online_game_survives_a_restart(settings: Settings) -> None:
    rng = random.Random(3)
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, rated=True, clock={"kind": "correspondence", "days": 2})
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            for _ in range(8):
                await one_token(forest, sea, rng)
            await sea.send("offer", what="draw", revision=sea.game["revision"])
        before = await ann.view(game)
        cookies = ann.http.cookies, ben.http.cookies
    async with table(settings) as address, two(address) as (ann, ben):
        ann.http.cookies, ben.http.cookies = (httpx.Cookies(each) for each in cookies)
        after = await ann.view(game)
        for part in ("revision", "steps", "proof", "you", "rated", "seats"):
            assert after[part] == before[part]
        assert after["now"]["offers"] == before["now"]["offers"]
        await ann.post(f"/games/{game['id']}/answer", {"revision": after["revision"], "answer": "accept"})
        ended = await ben.view(game)
        assert ended["now"]["outcome"]["reason"] == "agreement"
        await check_record(ben, ended)


async def test_presence_messages_report_players_and_watchers(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as eve:
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            async with ben.socket(game["id"]) as sea:
                assert sea.game["players"]["forest"]["online"]
                assert sea.game["players"]["sea"]["online"]
                news = await forest.hear("presence")
                while not news["sea"]:
                    news = await forest.hear("presence")
                async with eve.socket(game["id"]):
                    while not news["watchers"]:
                        news = await forest.hear("presence")
            while news["sea"] or news["watchers"]:
                news = await forest.hear("presence")
            assert news == {"type": "presence", "forest": True, "sea": False, "watchers": 0}


async def test_a_seat_token_is_enough_to_play(settings: Settings) -> None:
    """The token can be sent in a header or over a socket, from a browser without a session."""
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as other:
        game = await begun(ann, ben)
        async with other.socket(game["id"]) as socket:
            assert refused(await socket.play("a1-a2", tribe="forest")) == "not-your-seat"
            assert (await socket.send("hello", seat=ann.seat))["type"] == "done"
            assert socket.game["you"] == ["forest"]
            assert (await socket.play())["type"] == "done"
        other.http.headers["X-Seat-Token"] = ben.seat
        assert (await other.view(game))["you"] == ["sea"]
        other.http.headers["X-Seat-Token"] = "x" * 43
        assert (await other.view(game))["you"] == []


async def test_the_list_contains_only_the_visitors_own_games(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as eve:
        game = await begun(ann, ben)
        for visitor, expected in ((ann, [(game["id"], ["forest"])]), (ben, [(game["id"], ["sea"])]), (eve, [])):
            listed = await visitor.get("/games")
            assert [(each["id"], each["you"]) for each in listed["games"]] == expected
        problem = await ann.ask("DELETE", f"/games/{game['id']}", status=409)
        assert problem["kind"] == "online-game"
        live = await eve.get("/live")
        assert [each["game"]["id"] for each in live["games"]] == [game["id"]]
        await ann.post(f"/games/{game['id']}/resign", {})
        assert (await eve.get("/live"))["games"] == []


async def test_only_one_of_many_tokens_for_the_same_revision_is_played(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        bodies = [
            {"revision": 0, "tribe": "forest", "token": token, "id": f"race {number}"}
            for number, token in enumerate(choices(game) * 10)
        ]
        path = f"/api/games/{game['id']}/tokens"
        answers = await asyncio.gather(*(ann.http.post(path, json=body) for body in bodies))
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses == [200] + [409] * (len(bodies) - 1)
        assert len([step for step in (await ben.view(game))["steps"] if step["by"] == "forest"]) == 1
