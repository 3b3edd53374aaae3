"""Accounts through the web API: sign-up, sign-in, sign-out, passwords, bots, links, export and deletion."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
import statistics
import time
from collections.abc import AsyncIterator

import fastapi
import pytest
import websockets

from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from cairn.server.web.dependencies import CurrentPlayerDep, PlayerDep
from cairn.server.web.middleware.guard import SECURITY_HEADERS
from harness.server.client import START, Client
from harness.server.people import COOKIE, PASSWORD, account, bot, browser, guest, identity_of, me, unlimited
from harness.server.processes import listening

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    async with unlimited(settings) as client:
        yield client


# --- Guests


def with_test_routes(client: Client) -> None:
    """Add test routes with the same dependencies as the real routes."""
    assert client.app is not None

    async def act(player: PlayerDep, refused: bool = False) -> str:
        if refused:
            raise fastapi.HTTPException(418)
        return player.id

    async def answer_directly(player: PlayerDep) -> fastapi.Response:
        return fastapi.Response(player.id)

    async def listen(socket: fastapi.WebSocket, player: CurrentPlayerDep) -> None:
        await socket.accept()
        await socket.send_text(player.id if player else "nobody")
        await socket.close()

    client.app.add_api_route("/api/test", act, methods=["POST", "GET"])
    client.app.add_api_route("/api/test/direct", answer_directly, methods=["POST"])
    client.app.add_api_websocket_route("/api/test/socket", listen)


async def test_a_read_does_not_create_a_guest(client: Client) -> None:
    answer = await client.http.get("/api/me")
    assert answer.json() == {"player": None, "admin": False, "muted": False}
    assert "set-cookie" not in answer.headers


async def test_the_first_post_request_creates_a_guest(client: Client) -> None:
    with_test_routes(client)
    problem = await client.get("/test", status=401)
    assert problem["kind"] == "sign-in-needed"
    first = await client.http.post("/api/test")
    cookie = first.headers["set-cookie"]
    assert re.fullmatch(rf"{COOKIE}=[\w-]{{43}}; HttpOnly; Max-Age=31536000; Path=/; SameSite=Lax", cookie)
    again = await client.http.post("/api/test")
    assert again.json() == first.json()
    assert "set-cookie" not in again.headers
    assert (await client.get("/test")) == first.json()
    assert await me(client) == {"id": first.json(), "kind": "guest", "name": None}


@pytest.mark.parametrize("path", ["/api/test?refused=true", "/api/test/direct"])
async def test_the_cookie_is_set_even_on_errors_and_direct_responses(client: Client, path: str) -> None:
    with_test_routes(client)
    assert COOKIE in (await client.http.post(path)).cookies
    assert (await me(client))["kind"] == "guest"


async def test_the_cookie_is_secure_over_https(client: Client) -> None:
    with_test_routes(client)
    answer = await client.http.post("https://127.0.0.1:8765/api/test")
    assert "; Secure" in answer.headers["set-cookie"]


async def test_a_socket_belongs_to_the_player_who_opened_it(client: Client) -> None:
    with_test_routes(client)
    assert client.app is not None
    ann = await account(client, "Ann")
    robot = await bot(ann, "Robot")
    async with listening(client.app) as address:
        target = f"ws{address.removeprefix('http')}api/test/socket"

        async def told(headers: dict[str, str]) -> str:
            async with websockets.connect(target, additional_headers=headers) as socket:
                return str(await socket.recv())

        assert await told({}) == "nobody"
        assert await told({"Cookie": f"{COOKIE}={ann.http.cookies[COOKIE]}"}) == (await me(ann))["id"]
        assert await told({"Authorization": robot.http.headers["Authorization"]}) == (await me(robot))["id"]
        assert await told({"Cookie": f"{COOKIE}=nonsense"}) == "nobody"
        with pytest.raises(websockets.ConnectionClosed, match="4401"):
            await told({"Authorization": "Bearer nonsense"})


# --- Sign-up


async def test_a_guest_who_signs_up_stays_the_same_player(client: Client) -> None:
    ann = await guest(client)
    before, cookie = await me(ann), ann.http.cookies[COOKIE]
    made = await ann.post("/account", {"name": "Ann", "password": PASSWORD}, status=201)
    assert made["player"] == {"id": before["id"], "kind": "account", "name": "Ann"}
    assert await me(ann) == made["player"]
    assert ann.http.cookies[COOKIE] != cookie
    assert await me(browser(client.app, cookie=cookie)) is None


async def test_a_visitor_can_sign_up_without_being_a_guest_first(client: Client) -> None:
    ann = await account(client, "Ann")
    assert (await me(ann))["kind"] == "account"
    problem = await ann.post("/account", {"name": "Other", "password": PASSWORD}, status=409)
    assert problem["kind"] == "signed-in-already"


@pytest.mark.parametrize("other", ["Ännchen", "ÄNNCHEN", "ännchen", "A\u0308nnchen"])
async def test_names_are_unique(client: Client, other: str) -> None:
    await account(client, "Ännchen")
    problem = await client.post("/account", {"name": other, "password": PASSWORD}, status=409)
    assert problem["kind"] == "name-taken"
    assert "taken" in problem["sentence"]


async def test_only_one_of_many_simultaneous_sign_ups_gets_a_name(client: Client) -> None:
    browsers = [await guest(client) for _ in range(6)]
    body = {"name": "Ann", "password": PASSWORD}
    answers = await asyncio.gather(*(each.http.post("/api/account", json=body) for each in browsers))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5
    assert sorted([(await me(each))["kind"] for each in browsers]) == ["account"] + ["guest"] * 5


async def test_a_guest_can_sign_up_only_once(client: Client) -> None:
    ann = await guest(client)
    bodies = [{"name": f"Ann{number}", "password": PASSWORD} for number in range(4)]
    cookie = {"Cookie": f"{COOKIE}={ann.http.cookies[COOKIE]}"}
    others = [browser(client.app) for _ in bodies]
    posts = [
        each.http.post("/api/account", json=body, headers=cookie) for each, body in zip(others, bodies, strict=True)
    ]
    answers = await asyncio.gather(*posts)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


@pytest.mark.parametrize("password", ["", "1234567", "äöüß"])
async def test_a_short_password_is_refused(client: Client, password: str) -> None:
    problem = await client.post("/account", {"name": "Ann", "password": password}, status=422)
    assert problem["kind"] == "bad-password"


@pytest.mark.parametrize("password", ["73516284", "        ", "пароль-Ж", "🪨🪨🪨🪨🪨🪨🪨🪨", "a" * 1_000, "\0" * 8])
async def test_a_password_that_is_long_enough_may_contain_any_characters(client: Client, password: str) -> None:
    await client.post("/account", {"name": "Ann", "password": password}, status=201)
    other = browser(client.app)
    await other.post("/session", {"name": "Ann", "password": password})
    assert (await me(other))["name"] == "Ann"


# --- Sign-in


async def test_an_account_can_sign_in_and_out(client: Client) -> None:
    ann = await account(client, "Ann")
    other = await guest(client)
    old = other.http.cookies[COOKIE]
    answer = await other.post("/session", {"name": "aNN", "password": PASSWORD})
    assert answer["player"] == await me(ann) == await me(other)
    assert await me(browser(client.app, cookie=old)) is None
    cookie = other.http.cookies[COOKIE]
    gone = await other.http.delete("/api/session")
    assert gone.status_code == 204
    assert "Max-Age=0" in gone.headers["set-cookie"]
    assert await me(other) is None
    assert await me(browser(client.app, cookie=cookie)) is None
    assert (await me(ann))["name"] == "Ann"


async def test_refused_sign_ins_do_not_reveal_which_names_exist(client: Client) -> None:
    ann = await account(client, "Ann")
    await bot(ann, "Robot")
    wrong = [("Ann", "incorrect"), ("Nobody", PASSWORD), ("Robot", PASSWORD), ("no name!", PASSWORD), ("", "")]
    answers = [
        await client.http.post("/api/session", json={"name": name, "password": password}) for name, password in wrong
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert {answer.text for answer in answers} == {answers[0].text}
    assert answers[0].json()["kind"] == "wrong-login"
    assert await me(client) is None


async def test_refusing_an_unknown_name_takes_as_long_as_refusing_a_wrong_password(client: Client) -> None:
    await account(client, "Ann")

    async def seconds(name: str) -> float:
        start = time.perf_counter()
        await client.post("/session", {"name": name, "password": "incorrect"}, status=401)
        return time.perf_counter() - start

    known, unknown = [], []
    for _ in range(7):
        known.append(await seconds("Ann"))
        unknown.append(await seconds("Nobody"))
    assert 0.4 < statistics.median(unknown) / statistics.median(known) < 2.5


async def test_another_site_cannot_sign_a_visitor_in(client: Client) -> None:
    await account(client, "Ann")
    answer = await client.http.post(
        "/api/session", json={"name": "Ann", "password": PASSWORD}, headers={"Origin": "http://evil.example"}
    )
    assert (answer.status_code, answer.json()["kind"]) == (403, "forbidden")
    assert "set-cookie" not in answer.headers


# --- Passwords


async def test_a_new_password_ends_all_other_browser_sessions(client: Client) -> None:
    ann, other = await account(client, "Ann"), browser(client.app)
    await other.post("/session", {"name": "Ann", "password": PASSWORD})
    robot = await bot(ann, "Robot")
    problem = await ann.post("/account/password", {"old": "incorrect", "new": "something else"}, status=403)
    assert problem["kind"] == "wrong-password"
    assert (await ann.post("/account/password", {"old": PASSWORD, "new": "short"}, status=422))["kind"] == (
        "bad-password"
    )
    assert (await me(other))["name"] == "Ann"
    await ann.post("/account/password", {"old": PASSWORD, "new": "something else"}, status=204)
    assert (await me(ann))["name"] == "Ann"
    assert await me(other) is None
    assert (await me(robot))["name"] == "Robot"
    await other.post("/session", {"name": "Ann", "password": PASSWORD}, status=401)
    await other.post("/session", {"name": "Ann", "password": "something else"})


async def test_a_reset_link_sets_a_new_password(client: Client) -> None:
    ann, admin = await account(client, "Ann"), await account(client, "Admin", admin=True)
    made = await admin.post("/admin/players/ann/reset", status=201)
    start, _, token = made["link"].partition("#")
    assert start == "http://127.0.0.1:8765/reset"
    assert len(token) == 43
    other = browser(client.app)
    assert (await other.post(f"/reset/{token}", {"password": "short"}, status=422))["kind"] == "bad-password"
    answer = await other.post(f"/reset/{token}", {"password": "something else"})
    assert answer["player"]["name"] == "Ann"
    assert (await me(other))["name"] == "Ann"
    assert await me(ann) is None
    again = await client.post(f"/reset/{token}", {"password": "and once more"}, status=404)
    assert again["kind"] == "unknown-reset"
    await ann.post("/session", {"name": "Ann", "password": "something else"})


async def test_a_reset_link_works_only_once(client: Client) -> None:
    await account(client, "Ann")
    made = await identity_of(client).issue_reset("Ann", "a test")
    answers = await asyncio.gather(
        *(
            browser(client.app).http.post(f"/api/reset/{made.token}", json={"password": f"password {number}"})
            for number in range(5)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404, 404]


async def test_only_the_newest_reset_link_works(client: Client) -> None:
    ann = await account(client, "Ann")
    links = [await identity_of(client).issue_reset("Ann", "a test") for _ in range(2)]
    await client.post(f"/reset/{links[0].token}", {"password": PASSWORD}, status=404)
    await ann.post("/account/password", {"old": PASSWORD, "new": "something else"}, status=204)
    await client.post(f"/reset/{links[1].token}", {"password": PASSWORD}, status=404)


# --- Bots


async def test_bot_tokens_can_be_created_listed_and_revoked(client: Client) -> None:
    ann = await account(client, "Ann")
    made = await ann.post("/account/tokens", {"bot": "Robot", "label": "at home"}, status=201)
    second = await ann.post("/account/tokens", {"bot": "robot"}, status=201)
    assert made["about"]["bot"] == second["about"]["bot"]
    robot, copy = (browser(client.app, bearer=each["token"]) for each in (made, second))
    assert await me(robot) == {"id": made["about"]["bot"]["id"], "kind": "bot", "name": "Robot"}
    listed = await ann.get("/account/tokens")
    assert listed["tokens"] == [made["about"], second["about"]]
    assert listed["bots"] == [made["about"]["bot"]]
    assert made["token"] not in json.dumps(listed)
    await ann.ask("DELETE", f"/account/tokens/{made['about']['id']}", status=204)
    answer = await robot.http.get("/api/me")
    assert (answer.status_code, answer.json()["kind"]) == (401, "unknown-bearer")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert (await me(copy))["name"] == "Robot"
    await ann.ask("DELETE", f"/account/tokens/{second['about']['id']}", status=204)
    assert await ann.get("/account/tokens") == {"tokens": [], "bots": [made["about"]["bot"]]}


async def test_an_account_has_no_access_to_another_accounts_tokens_and_bots(client: Client) -> None:
    ann, ben = await account(client, "Ann"), await account(client, "Ben")
    robot = await bot(ann, "Robot")
    (token,) = (await ann.get("/account/tokens"))["tokens"]
    for each in (token["id"], "", token["id"][:8], "%00", "____", "%25"):
        await ben.ask("DELETE", f"/account/tokens/{each}", status=404)
        if each != token["id"]:
            await ann.ask("DELETE", f"/account/tokens/{each}", status=404)
    assert (await me(robot))["name"] == "Robot"
    for name in ("Robot", "Ann"):
        assert (await ben.post("/account/tokens", {"bot": name}, status=409))["kind"] == "name-taken"
    assert (await ben.post("/account", {"name": "Robot", "password": PASSWORD}, status=409))["kind"]


async def test_the_number_of_bots_and_tokens_is_limited(client: Client) -> None:
    ann = await account(client, "Ann")
    for number in range(20):
        await ann.post("/account/tokens", {"bot": f"Robot{number}"}, status=201)
    problem = await ann.post("/account/tokens", {"bot": "Robot20"}, status=409)
    assert problem["kind"] == "too-many-tokens"
    for token in (await ann.get("/account/tokens"))["tokens"]:
        await ann.ask("DELETE", f"/account/tokens/{token['id']}", status=204)
    await ann.post("/account/tokens", {"bot": "Robot0"}, status=201)
    assert (await ann.post("/account/tokens", {"bot": "Robot20"}, status=409))["kind"] == "too-many-tokens"


async def test_cookies_and_tokens_are_not_interchangeable(client: Client) -> None:
    ann = await account(client, "Ann")
    robot = await bot(ann, "Robot")
    token = robot.http.headers["Authorization"].partition(" ")[2]
    assert await me(browser(client.app, cookie=token)) is None
    await browser(client.app, bearer=ann.http.cookies[COOKIE]).get("/me", status=401)
    both = browser(client.app, bearer=token, cookie=ann.http.cookies[COOKIE])
    assert (await me(both))["name"] == "Robot"


# --- Export and deletion


async def test_an_export_contains_only_the_players_own_data(client: Client) -> None:
    ann, ben = await account(client, "Ann"), await account(client, "Ben")
    await bot(ann, "Robot")
    identity = identity_of(client)
    game = await client.begin(position=START)
    players = [await identity.find(name) for name in ("Ann", "Ben")]
    await identity.report(players[0], players[1].id, game["id"], "Ben was rude.")
    await identity.report(players[1], players[0].id, game["id"], "Ann was rude.")
    answer = await ann.http.get("/api/account/export")
    assert answer.headers["content-disposition"].startswith("attachment")
    told = answer.json()
    assert told["player"] == await me(ann)
    assert sorted(row["name"] for row in told["tables"]["players"]) == ["Ann", "Robot"]
    assert {row["kind"] for row in told["tables"]["sessions"]} == {"browser", "bot"}
    assert [row["text"] for row in told["tables"]["reports"]] == ["Ben was rude."]
    assert "argon2" not in answer.text
    assert "Ann was rude" not in answer.text
    assert (await ben.get("/account/export"))["player"]["name"] == "Ben"
    shy = await guest(client)
    assert (await shy.get("/account/export"))["player"]["kind"] == "guest"


async def test_a_deleted_account_loses_its_name_bots_sessions_and_links(client: Client, settings: Settings) -> None:
    ann, other = await account(client, "Ann"), browser(client.app)
    await other.post("/session", {"name": "Ann", "password": PASSWORD})
    robot = await bot(ann, "Robot")
    link = await identity_of(client).issue_reset("Ann", "a test")
    for body in ({"password": "incorrect"}, {}, {"password": None}, {"password": ""}):
        assert (await ann.ask("DELETE", "/account", body, status=403))["kind"] == "wrong-password"
    known = await me(ann)
    await ann.ask("DELETE", "/account", {"password": PASSWORD}, status=204)
    assert await me(ann) is None
    assert await me(other) is None
    assert (await robot.get("/me", status=401))["kind"] == "unknown-bearer"
    await client.post("/session", {"name": "Ann", "password": PASSWORD}, status=401)
    await client.post(f"/reset/{link.token}", {"password": PASSWORD}, status=404)
    with sqlite3.connect(settings.data / DATABASE) as connection:
        rows = connection.execute(
            "SELECT kind, name, key, password, owner, admin FROM players WHERE kind != 'level'"
        ).fetchall()
        assert rows == [("deleted", None, None, None, None, 0)] * 2
        assert connection.execute("SELECT count(*) FROM sessions").fetchone() == (0,)
    connection.close()
    again = await account(client, "Ann")
    assert (await me(again))["id"] != known["id"]


async def test_a_guest_can_be_deleted(client: Client) -> None:
    shy = await guest(client)
    await shy.ask("DELETE", "/account", {}, status=204)
    assert await me(shy) is None


# --- Secrets


async def test_no_secret_is_stored_exported_or_logged(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    admin, ann = await account(client, "Admin", admin=True), await guest(client)
    first = ann.http.cookies[COOKIE]
    new = "a new secret indeed"
    await ann.post("/account", {"name": "Ann", "password": PASSWORD}, status=201)
    robot = await bot(ann, "Robot")
    await client.post("/session", {"name": "Ann", "password": "a wrong secret"}, status=401)
    await client.post("/session", {"name": "Ann", "password": "a long secret" * 100}, status=422)
    await client.post("/session", {"name": ["a misplaced secret"], "password": ["a misplaced secret"]}, status=422)
    link = (await admin.post("/admin/players/Ann/reset", status=201))["link"].partition("#")[2]
    await client.post(f"/reset/{link}", {"password": new})
    secrets = [PASSWORD, new, "a wrong secret", "a long secret", "a misplaced secret", first, link]
    secrets += [ann.http.cookies[COOKIE], client.http.cookies[COOKIE], robot.http.headers["Authorization"][7:]]
    kept = b"".join(path.read_bytes() for path in settings.data.iterdir()).decode("latin-1")
    assert "argon2id" in kept
    assert "Ann" in kept
    logged = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("http"))
    assert "link-issued" in logged
    told = logged + (await client.http.get("/api/account/export")).text
    assert "exported" in told
    for secret in secrets:
        assert len(secret) >= 8
        assert secret not in kept
        assert secret not in told


async def test_a_failure_does_not_log_the_token_of_a_reset_link(
    client: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await account(client, "Ann")
    link = await identity_of(client).issue_reset("Ann", "a test")

    async def fail(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(identity_of(client)._storage, "use_reset", fail)
    answer = await client.http.post(f"/api/reset/{link.token}", json={"password": PASSWORD})
    assert (answer.status_code, answer.json()["kind"]) == (500, "unexpected")
    assert {name: answer.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    (record,) = [record for record in caplog.records if record.name == "cairn.server"]
    assert record.getMessage() == "POST /api/reset/{token} failed"
    written = logging.Formatter().format(record)
    assert "out of order" in written
    assert link.token not in written
    assert PASSWORD not in written
