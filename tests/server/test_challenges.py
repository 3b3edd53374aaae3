"""Challenges: by link, in the lobby, to the computer, and for a rematch."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import json
from typing import Any

import pytest
import websockets

from cairn import fairness, read_record
from cairn.server.errors import StorageError
from cairn.server.players.limits import Limits, Rate
from cairn.server.settings import Settings
from cairn.server.storage.challenges import ChallengeRepository
from cairn.server.web import streams
from harness.server.client import PERSONS, START, choices
from harness.server.postgresql import PostgresServer
from harness.server.processes import listening
from harness.server.visitors import SLOW, Visitor, application, begun, number, table, two, with_account
from tests.server.places import change_header

pytestmark = pytest.mark.anyio


async def heard(socket: websockets.ClientConnection) -> Any:
    async with asyncio.timeout(20):
        return json.loads(await socket.recv())


async def test_the_server_commits_to_the_seed_before_it_receives_any_number(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        made = await ann.post("/challenges", {"variant": "expert"}, status=201)
        challenge, invite = made["challenge"], made["invite"]
        assert not challenge["ready"]
        assert len(invite) >= 43
        assert len(made["seat"]) >= 43
        problem = await ben.accept(invite, status=409)
        assert problem["kind"] == "not-ready"
        own, other = number(), number()
        ready = await ann.ask("PUT", f"/challenges/{challenge['id']}/number", {"number": own})
        assert ready["ready"]
        assert ready["commitment"] == challenge["commitment"]
        body = {"number": number()}
        problem = await ann.ask("PUT", f"/challenges/{challenge['id']}/number", body, status=409)
        assert problem["kind"] == "number-fixed"
        game = (await ben.post(f"/challenges/{invite}/accept", {"number": other}, status=201))["game"]
        assert game["id"] == challenge["id"]
        assert game["proof"]["commitment"] == challenge["commitment"]
        assert {game["proof"]["forest_number"], game["proof"]["sea_number"]} == {own, other}
        assert game["proof"]["seed"] is None
        await ann.post(f"/games/{game['id']}/resign", {})
        proof = (await ben.view(game))["proof"]
        assert fairness.commitment_of(bytes.fromhex(proof["seed"]), game["id"]).hex() == challenge["commitment"]


@pytest.mark.parametrize("wrong", ["", "00" * 15, "00" * 33, "zz" * 16, "A0" * 16, "0" * 33])
async def test_malformed_numbers_are_refused(settings: Settings, wrong: str) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        made = await ann.post("/challenges", {}, status=201)
        path = f"/challenges/{made['challenge']['id']}"
        assert (await ann.ask("PUT", f"{path}/number", {"number": wrong}, status=422))["kind"] == "malformed"
        await ann.ask("PUT", f"{path}/number", {"number": number()})
        body = {"number": wrong, "invite": made["invite"]}
        assert (await ben.post(f"{path}/accept", body, status=422))["kind"] == "malformed"
        assert (await ben.accept(made["invite"]))["game"]["revision"] == 0


async def test_a_challenge_by_link_is_hidden_without_the_link(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as nobody:
        made = await ann.challenge()
        name = made["challenge"]["id"]
        for visitor in (ben, nobody):
            assert (await visitor.get(f"/challenges/{name}", status=404))["kind"] == "unknown-challenge"
            assert (await visitor.accept(name, status=404))["kind"] == "unknown-challenge"
            assert (await visitor.accept(name, invite="x" * 43, status=404))["kind"] == "unknown-challenge"
            assert not (await visitor.get(f"/challenges/{made['invite']}"))["yours"]
            assert (await visitor.get("/lobby"))["challenges"] == []
        assert (await ann.get(f"/challenges/{name}"))["yours"]
        assert (await ann.accept(made["invite"], status=409))["kind"] == "own-challenge"


async def test_only_one_of_many_simultaneous_acceptances_succeeds(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann, contextlib.AsyncExitStack() as stack:
        made = await ann.challenge(open=True)
        others = [await stack.enter_async_context(Visitor(address)) for _ in range(12)]
        path = f"/api/challenges/{made['challenge']['id']}/accept"
        answers = await asyncio.gather(*(each.http.post(path, json={"number": number()}) for each in others))
        assert sorted(answer.status_code for answer in answers) == [201] + [409] * 11
        winner = next(each for each, answer in zip(others, answers, strict=True) if answer.status_code == 201)
        game = await winner.get(f"/games/{made['challenge']['id']}")
        assert len(game["you"]) == 1
        assert len((await ann.get(f"/games/{game['id']}"))["you"]) == 1
        # The visitor who succeeded may accept again, in case the response was lost.
        again = await winner.post(f"/challenges/{game['id']}/accept", {"number": number()}, status=201)
        assert (again["game"]["id"], again["seat"]) == (game["id"], None)


async def test_a_withdrawn_challenge_cannot_be_accepted(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        made = await ann.challenge(open=True)
        name = made["challenge"]["id"]
        await ann.ask("DELETE", f"/challenges/{name}", status=204)
        assert (await ann.get(f"/challenges/{name}"))["state"] == "withdrawn"
        assert (await ben.accept(name, status=409))["kind"] == "challenge-gone"
        assert (await ann.ask("DELETE", f"/challenges/{name}", status=409))["kind"] == "challenge-gone"
        assert (await ben.get("/lobby"))["challenges"] == []


async def test_the_lobby_socket_sends_changes(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as guest:
        for visitor in (ann, ben):
            await with_account(visitor)
        async with ben.listen("/lobby/socket") as lobby, guest.listen("/lobby/socket") as theirs:
            for each in (lobby, theirs):
                assert await heard(each) == {"type": "lobby", "challenges": []}
            made = await ann.challenge(open=True, variant="standard", rated=True, clock=SLOW)
            name = made["challenge"]["id"]
            async with ann.listen(f"/challenges/{name}/socket") as waiting:
                assert (await heard(waiting))["challenge"]["state"] == "open"
                added = await heard(lobby)
                assert (added["type"], added["gone"]) == ("lobby-change", [])
                (shown,) = added["challenges"]
                assert (shown["id"], shown["variant"], shown["rated"]) == (name, "standard", True)
                # Each visitor gets their own view.
                assert shown["refusal"] is None
                assert [each["refusal"] for each in (await heard(theirs))["challenges"]] == ["account-needed"]
                await ben.accept(name)
                accepted = (await heard(waiting))["challenge"]
                assert (accepted["state"], accepted["game"]) == ("accepted", name)
                for each in (lobby, theirs):
                    assert await heard(each) == {"type": "lobby-change", "challenges": [], "gone": [name]}


@pytest.mark.parametrize("path", ["/challenges/nobody/socket", "/games/nobody/socket"])
async def test_a_socket_for_an_unknown_game_or_challenge_is_closed(settings: Settings, path: str) -> None:
    async with table(settings) as address, Visitor(address) as ann, ann.listen(path) as socket:
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404


async def close_code(socket: websockets.ClientConnection) -> int | None:
    """Read until a socket is closed; return the close code."""
    async with asyncio.timeout(20):
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await socket.recv()
    return socket.close_code


async def test_a_stream_is_closed_after_a_failed_query(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing the stream tells a client that never sends anything, such as a web page, to reconnect."""

    async def fail(*_: object) -> None:
        raise StorageError("too busy")

    async with table(settings) as address, two(address) as (ann, ben):
        made = await ann.challenge()
        async with ben.listen("/lobby/socket") as lobby:
            assert (await heard(lobby))["challenges"] == []
            with monkeypatch.context() as away:
                away.setattr(ChallengeRepository, "lobby", fail)
                await ann.challenge(open=True)
                assert await close_code(lobby) == 1013
        monkeypatch.setattr(streams, "REFRESH_SECONDS", 0.1)
        async with ben.listen(f"/challenges/{made['invite']}/socket") as waiting:
            assert (await heard(waiting))["challenge"]["state"] == "open"
            await ann.ask("DELETE", "/account", {}, status=204)
            assert await close_code(waiting) == 4404


async def test_a_long_lobby_is_sent_to_other_processes(settings: Settings, postgres: PostgresServer) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"))
    async with (
        table(shared) as one,
        table(shared) as other,
        Visitor(one) as ann,
        Visitor(other) as ben,
        ben.listen("/lobby/socket") as lobby,
    ):
        assert (await heard(lobby))["challenges"] == []
        made = {(await ann.challenge(open=True))["challenge"]["id"] for _ in range(20)}
        while made:
            made -= {each["id"] for each in (await heard(lobby))["challenges"]}


async def test_a_number_can_be_sent_again(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that missed the response can retry, even if the first request did not start the game."""

    async def fail(*_: object) -> None:
        raise StorageError("too busy")

    async with table(settings) as address, Visitor(address) as ann:
        made = (await ann.post("/challenges", {"level": 1, "tribe": "forest"}, status=201))["challenge"]
        path, body = f"/challenges/{made['id']}/number", {"number": number()}
        with monkeypatch.context() as away:
            away.setattr(ChallengeRepository, "players", fail)
            await ann.ask("PUT", path, body, status=503)
        assert (await ann.get(f"/challenges/{made['id']}"))["state"] == "open"
        assert (await ann.ask("PUT", path, {"number": number()}, status=409))["kind"] == "number-fixed"
        for _ in range(2):
            begun_now = await ann.ask("PUT", path, body)
            assert (begun_now["state"], begun_now["game"]) == ("accepted", made["id"])
        assert (await ann.get(f"/games/{made['id']}"))["proof"]["forest_number"] == body["number"]
        link = (await ann.post("/challenges", {}, status=201))["challenge"]["id"]
        for status in (200, 409):
            await ann.ask("PUT", f"/challenges/{link}/number", body, status=status)
            await ann.ask("DELETE", f"/challenges/{link}", status=204 if status == 200 else 409)


async def test_tribes_are_random_or_chosen(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        tossed = {(await begun(ann, ben, tribe=None))["you"][0] for _ in range(12)}
        assert tossed == {"forest", "sea"}
        for tribe in ("forest", "sea"):
            game = await begun(ann, ben, tribe=tribe, first=tribe)
            assert game["you"] != [tribe]
            assert game["now"]["decider"] == tribe


async def test_the_fairness_proof_covers_randomly_chosen_tribes(settings: Settings) -> None:
    """The game record contains the proof, even after a restart."""
    games = {}
    async with table(settings) as address, two(address) as (ann, ben):
        for tribe in (None, None, None, "forest", "sea"):
            game = await begun(ann, ben, tribe=tribe)
            maker = "sea" if game["you"] == ["forest"] else "forest"
            games[game["id"]] = maker if tribe is None else None
            await ann.post(f"/games/{game['id']}/resign", {})
            assert (await ben.view(game))["proof"]["tossed"] == games[game["id"]]
    async with table(settings) as address, Visitor(address) as anybody:
        for game, tossed in games.items():
            record = read_record((await anybody.http.get(f"/api/games/{game}/record")).text)
            findings = fairness.verify(record)
            assert fairness.overall(findings) is fairness.Verdict.RIGHT
            assert ("tribes" in [finding.kind for finding in findings]) is (tossed is not None)
            assert record.headers.get("Tossed") == (tossed and tossed[0].upper())


async def test_a_rematch_swaps_the_tribes(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as eve:
        game = await begun(ann, ben, rated=True, variant="expert", clock={"kind": "correspondence", "days": 3})
        path = f"/games/{game['id']}/rematch"
        assert (await ann.post(path, status=409))["kind"] == "still-running"
        await ann.post(f"/games/{game['id']}/resign", {})
        async with ben.socket(game["id"]) as socket:
            made = await ann.post(path, status=201)
            name = made["challenge"]["id"]
            told = await socket.hear("rematch")
            assert (told["challenge"], told["by"]) == (name, "forest")
        assert (await ben.post(path, status=409))["kind"] == "rematch-offered"
        await ann.ask("PUT", f"/challenges/{name}/number", {"number": number()})
        (offered,) = (await ben.get(path))["challenges"]
        assert offered["id"] == name
        assert (await eve.accept(made["invite"], status=403))["kind"] == "not-for-you"
        again = (await ben.accept(name))["game"]
        assert again["you"] == ["forest"]
        assert (again["rated"], again["variant"]) == (True, "expert")
        assert again["now"]["clock"]["control"] == {"kind": "correspondence", "days": 3}


async def test_a_game_against_the_computer_begins_when_the_player_sends_a_number(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        await with_account(ann)
        made = await ann.challenge(level=1, tribe="forest", first="sea", rated=True, clock=SLOW)
        assert made["challenge"]["state"] == "accepted"
        game = await ann.until_asked({"id": made["challenge"]["game"]})
        assert game["you"] == ["forest"]
        assert game["seats"]["sea"] == {"kind": "computer", "level": 1, "name": None}
        assert game["players"]["sea"]["rating"] == 600
        assert game["steps"][0]["by"] == "sea"
        body = {"revision": game["revision"], "what": "draw"}
        assert (await ann.post(f"/games/{game['id']}/offer", body, status=409))["kind"] == "computer-opponent"
        game = await ann.until_asked({**game, **(await ann.play(game, choices(game)[0]))})
        await ann.post(f"/games/{game['id']}/resign", {})
        ended = await ann.view(game)
        assert ended["players"]["sea"]["rating"] > 600
        again = await ann.post(f"/games/{game['id']}/rematch", status=201)
        assert (again["challenge"]["level"], again["challenge"]["tribe"]) == (1, "sea")


async def test_the_number_of_open_challenges_is_limited(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        for _ in range(20):
            await ann.post("/challenges", {}, status=201)
        assert (await ann.post("/challenges", {}, status=409))["kind"] == "too-many-challenges"


# --- Rated games


async def bot_of(owner: Visitor, name: str) -> Visitor:
    made = await owner.post("/account/tokens", {"bot": name}, status=201)
    robot = Visitor(owner.address)
    robot.http.headers["Authorization"] = f"Bearer {made['token']}"
    return robot


async def test_guests_cannot_play_rated_games(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, guest):
        for body in ({"rated": True}, {"rated": True, "open": True}, {"rated": True, "level": 3}):
            problem = await guest.post("/challenges", body, status=403)
            assert problem["kind"] == "account-needed"
            assert problem["sentence"].startswith("Both players need an account")
        await with_account(ann)
        made = await ann.challenge(rated=True, open=True, clock=SLOW)
        for name in (made["invite"], made["challenge"]["id"]):
            assert (await guest.get(f"/challenges/{name}"))["refusal"] == "account-needed"
            assert (await guest.accept(name, status=403))["kind"] == "account-needed"
        assert (await ann.get(f"/challenges/{made['invite']}"))["state"] == "open"
        assert (await begun(ann, guest))["rated"] is False
        await with_account(guest)
        assert (await guest.accept(made["invite"]))["game"]["rated"] is True


async def test_an_owner_and_their_bots_cannot_play_rated_games_against_each_other(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        for visitor in (ann, ben):
            await with_account(visitor)
        one, other, foreign = await bot_of(ann, "One"), await bot_of(ann, "Other"), await bot_of(ben, "Foreign")
        for maker, taker in ((ann, one), (one, ann), (one, other)):
            made = await maker.challenge(rated=True, open=True, clock=SLOW)
            (shown,) = (await taker.get("/lobby"))["challenges"]
            assert (shown["refusal"], shown["yours"]) == ("own-bot", False)
            problem = await taker.accept(made["invite"], status=409)
            assert problem["kind"] == "own-bot", (maker, taker)
            await maker.ask("DELETE", f"/challenges/{made['challenge']['id']}", status=204)
            assert not (await begun(maker, taker))["rated"]
        for maker, taker in ((ann, foreign), (one, ben), (one, foreign)):
            made = await maker.challenge(rated=True, clock=SLOW)
            assert (await taker.get(f"/challenges/{made['invite']}"))["refusal"] is None
            assert (await taker.accept(made["invite"]))["game"]["rated"]
        for robot in (one, other, foreign):
            await robot.http.aclose()


async def test_a_player_cannot_take_both_seats(settings: Settings) -> None:
    """The challenger cannot accept, and neither can another visitor who has the challenger's seat token."""
    async with table(settings) as address, two(address) as (ann, elsewhere):
        made = await ann.challenge()
        assert (await ann.accept(made["invite"], status=409))["kind"] == "own-challenge"
        elsewhere.http.headers["X-Seat-Token"] = made["seat"]
        assert (await elsewhere.accept(made["invite"], status=409))["kind"] == "own-challenge"


async def test_a_rated_rematch_needs_accounts_too(settings: Settings) -> None:
    """This holds even if the first game was started before the rule existed."""
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        await ben.post(f"/games/{game['id']}/resign", {})
        await app.state.services.database.write(functools.partial(change_header, game=game["id"], rated=True))
        await app.state.services.authority.forget(game["id"])
        assert (await ann.post(f"/games/{game['id']}/rematch", status=403))["kind"] == "account-needed"


# --- Limits


async def test_a_player_with_too_many_running_games_cannot_begin_another(settings: Settings) -> None:
    limited = dataclasses.replace(settings, limits=Limits(running_of_guest=2, running_of_account=3))
    async with table(limited) as address, two(address) as (ann, ben), Visitor(address) as cat:
        made = [await ben.challenge() for _ in range(3)]
        await ann.accept(made[0]["invite"])
        game = (await ann.accept(made[1]["invite"]))["game"]
        problem = await ann.accept(made[2]["invite"], status=409)
        assert (problem["kind"], problem["sentence"]) == (
            "too-many-running",
            "You are already playing 2 games. Finish one of them first.",
        )
        assert (await ann.post("/challenges", {}, status=409))["kind"] == "too-many-running"
        await ann.post(f"/games/{game['id']}/resign", {})
        again = (await ann.accept(made[2]["invite"]))["game"]
        await ann.sign_up("Ann")
        await cat.accept((await ann.challenge())["invite"])
        assert (await ann.post("/challenges", {}, status=409))["kind"] == "too-many-running"
        await ann.post(f"/games/{again['id']}/resign", {})
        await ann.post("/challenges", {}, status=201)


async def test_stored_games_are_limited_on_a_public_server(settings: Settings) -> None:
    limits = Limits(games_of_guest=2, games_of_account=3, upload=Rate(1, 3_600))
    record = {"text": f'[Position "{START}"]\n\n1 F a1-a2\n*\n'}
    shared = dataclasses.replace(settings, limits=limits, public=True)
    async with table(shared) as address, two(address) as (ann, ben):
        game = await ann.begin(PERSONS, position=START)
        await ann.post("/records", record, status=201)
        await ann.ask("DELETE", f"/games/{game['id']}", status=204)  # still counts, because the game can be restored
        body = {"seats": PERSONS, "position": START}
        problem = await ann.post("/games", body, status=409)
        assert problem["kind"] == "too-many-games"
        assert problem["sentence"].startswith("You already have 2 games")
        assert (await ben.post("/records", record, status=429))["kind"] == "too-many"
        played = {**body, "tokens": ["a1-a2"]}
        assert (await ben.post("/games", played, status=429))["kind"] == "too-many"
        await ann.sign_up("Ann")
        await ann.begin(PERSONS, position=START)
        assert (await ann.post("/games", body, status=409))["kind"] == "too-many-games"
        await ben.begin(PERSONS, position=START)
        assert (await ben.get("/games"))["total"] == 1


async def test_games_are_not_limited_on_a_private_server(settings: Settings) -> None:
    limits = Limits(games_of_guest=0, games_of_account=0, upload=Rate(1, 3_600), game=Rate(1, 3_600))
    async with table(dataclasses.replace(settings, limits=limits)) as address, Visitor(address) as ann:
        for _ in range(2):
            await ann.begin(PERSONS, position=START, tokens=["a1-a2"])
