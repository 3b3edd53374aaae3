"""Limits on the work that the server does for an address or a player, tested over real connections."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
from typing import Any

import httpx
import pytest
import websockets

from cairn.server.players.limits import Limits, Rate
from cairn.server.settings import Settings
from cairn.server.web.app import create_app
from harness.server.client import PERSONS, START, Client
from harness.server.people import account, browser
from harness.server.postgresql import PostgresServer
from harness.server.processes import Process, listening, running
from harness.server.visitors import Socket, Visitor, application, begun, command_id, table, two

pytestmark = pytest.mark.anyio

NEVER = 36_000
"""A refill time in seconds, so long that a bucket does not refill during a test."""


def limited(settings: Settings, **limits: Any) -> Settings:
    return dataclasses.replace(settings, limits=Limits(**limits))


async def until_refused(http: httpx.AsyncClient, path: str = "/api/health", most: int = 200) -> httpx.Response:
    """Send requests until one is refused, and return the refusal."""
    for _ in range(most):
        answer = await http.get(path)
        if answer.status_code != 200:
            return answer
    raise AssertionError(f"none of {most} requests was refused")


async def close_of(connection: websockets.ClientConnection) -> tuple[int | None, str | None]:
    """Wait until a socket is closed; return the close code and reason."""
    async with asyncio.timeout(20):
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await connection.recv()
    return connection.close_code, connection.close_reason


def socket_address(address: str, path: str) -> str:
    return f"ws{address.removeprefix('http').rstrip('/')}/api{path}"


# --- Requests


async def test_a_refused_request_says_how_long_to_wait(settings: Settings) -> None:
    async with running(limited(settings, work_of_address=Rate(20, NEVER))) as client:
        answer = await until_refused(client.http)
        problem = answer.json()
        assert (answer.status_code, problem["kind"]) == (429, "too-many")
        assert problem["seconds"] == int(answer.headers["retry-after"]) >= 1
        assert problem["sentence"].startswith("Too many requests. Try again in ")
        assert answer.headers["x-content-type-options"] == "nosniff"
        # Another address has its own budget.
        await browser(client.app, address="192.0.2.1").get("/health")
        # A browser receives the close code and the reason when a socket is refused.
        assert client.app is not None
        async with (
            listening(client.app) as address,
            websockets.connect(socket_address(address, "/games/any/socket")) as socket,
        ):
            code, reason = await close_of(socket)
            assert code == 1013
            assert reason is not None
            assert reason.startswith("Too many requests. Try again in ")


@pytest.mark.slow
async def test_a_budget_refills(settings: Settings) -> None:
    async with running(limited(settings, work_of_address=Rate(200, 2))) as client:
        refused = await until_refused(client.http, most=5_000)
        await asyncio.sleep(int(refused.headers["retry-after"]))
        assert (await client.http.get("/api/health")).status_code == 200


async def test_a_heavy_request_costs_more_than_a_light_one(settings: Settings) -> None:
    """A few lines of 400 tokens use up a budget that is enough for many light requests."""
    tokens = (["a1-a2", "a5-a4", "a2-a1", "a4-a5"] * 100)[:400]
    async with running(limited(settings, work_of_address=Rate(60, NEVER))) as client:
        light = browser(client.app, address="192.0.2.1")
        for _ in range(20):
            await light.get("/health")
        heavy = browser(client.app, address="192.0.2.2")
        answers = [
            (await heavy.http.post("/api/positions/line", json={"position": START, "tokens": tokens})).status_code
            for _ in range(8)
        ]
        assert 429 in answers


@pytest.mark.slow
async def test_an_address_that_keeps_sending_requests_is_disconnected(settings: Settings) -> None:
    """The first refusals leave the connection open. Later refusals close it, because that is cheaper."""
    async with running(limited(settings, work_of_address=Rate(1_000, NEVER))) as client:
        first = await until_refused(client.http, most=5_000)
        assert "connection" not in first.headers
        answer = first
        while "connection" not in answer.headers:
            answer = await client.http.get("/api/health")
        assert (answer.status_code, answer.headers["connection"]) == (429, "close")


async def test_a_player_has_one_budget_across_all_addresses(settings: Settings) -> None:
    async with running(limited(settings, work_of_player=Rate(60, NEVER))) as client:
        ann = await account(client, "Ann")
        cookie = ann.http.cookies["cairn_session"]
        statuses = []
        for number in range(200):
            elsewhere = browser(client.app, address=f"192.0.2.{number}", cookie=cookie)
            statuses.append((await elsewhere.http.get("/api/me")).status_code)
            if statuses[-1] != 200:
                break
        assert statuses[-1] == 429
        assert len(statuses) > 3
        await browser(client.app, address="192.0.2.1").get("/me")
        assert client.app is not None
        async with listening(client.app) as address:
            target, headers = socket_address(address, "/lobby/socket"), {"Cookie": f"cairn_session={cookie}"}
            async with websockets.connect(target, additional_headers=headers) as socket:
                assert (await close_of(socket))[0] == 1013


# --- Sockets


@pytest.mark.slow
async def test_a_client_that_is_too_fast_is_told_to_wait_and_can_then_continue(settings: Settings) -> None:
    # A client is disconnected when its debt reaches a tenth of the budget. One pass of the garbage collector must not
    # cause that much debt.
    budget = Rate(800, 8)
    async with table(limited(settings, work_of_address=budget)) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            while (answer := await forest.send("ping"))["type"] == "done":
                pass
            problem = answer["problem"]
            assert (answer["type"], problem["kind"], problem["seconds"]) == ("refused", "too-fast", 1)
            assert problem["sentence"] == "Too many requests. Try again in 1 second."
            await asyncio.sleep(problem["seconds"])
            # The same socket works again, and a command that was refused can be repeated with its id.
            assert (await forest.play(id=answer["id"]))["type"] == "done"


@pytest.mark.slow
@pytest.mark.parametrize("frames", ["commands", "nonsense", "pings", "fragments"])
async def test_a_client_that_keeps_flooding_is_disconnected(settings: Settings, frames: str) -> None:
    """Frames of all kinds count, and all sockets from an address share one budget."""
    async with table(limited(settings, work_of_address=Rate(400, NEVER))) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        target = socket_address(address, f"/games/{game['id']}/socket")
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            flooding = asyncio.create_task(flood(forest.connection, frames))
            code, reason = await close_of(forest.connection)
            assert code == 1013
            assert reason is not None
            assert reason.startswith("Too many requests. Try again in ")
            await flooding
            await sea.connection.send("nonsense")
            assert (await close_of(sea.connection))[0] == 1013
            async with websockets.connect(target, local_addr=("127.0.0.2", 0)) as elsewhere:
                assert (await (await Socket(elsewhere).begin()).send("ping"))["type"] == "done"


async def flood(connection: websockets.ClientConnection, frames: str) -> None:
    """Send frames of one kind until the server closes the socket."""
    with contextlib.suppress(websockets.ConnectionClosed):
        for _ in range(100_000):
            match frames:
                case "commands":
                    await connection.send(json.dumps({"type": "ping", "id": command_id()}))
                case "nonsense":
                    await connection.send("nonsense")
                case "pings":
                    await connection.ping()
                case "fragments":
                    await connection.send(["a"] * 50)
            await asyncio.sleep(0)  # yield to the server, which runs in the same process


@pytest.mark.slow
async def test_a_flood_of_pings_is_noticed_even_without_speedups(settings: Settings) -> None:
    plain = dataclasses.replace(limited(settings, work_of_address=Rate(150, NEVER)), speedups=False)
    with Process(plain) as process:
        async with websockets.connect(socket_address(process.address, "/lobby/socket")) as socket:
            with contextlib.suppress(websockets.ConnectionClosed):
                for _ in range(100_000):
                    await (await socket.ping())
            assert socket.close_code == 1013


# --- People


@pytest.mark.slow
async def test_ordinary_use_is_never_limited(settings: Settings) -> None:
    """Six people open pages and play from one address, while twenty spectators watch from another address."""
    with Process(dataclasses.replace(settings, public=True, limits=Limits())) as process:
        address = process.address
        async with contextlib.AsyncExitStack() as stack:
            pairs = [await stack.enter_async_context(two(address)) for _ in range(3)]
            games = [await begun(*pair) for pair in pairs]
            for visitor in [each for pair in pairs for each in pair]:
                for path in ("/me", "/lobby", "/live", "/leaderboard", "/games"):
                    await visitor.get(path)
            tables = [
                [await stack.enter_async_context(visitor.socket(game["id"])) for visitor in pair]
                for pair, game in zip(pairs, games, strict=True)
            ]
            target = socket_address(address, f"/games/{games[0]['id']}/socket")
            watchers = [
                await stack.enter_async_context(websockets.connect(target, local_addr=("127.0.0.2", 0)))
                for _ in range(20)
            ]
            for _ in range(15):
                for forest, sea in tables:
                    mine, other = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
                    assert (await mine.play())["type"] == "done"
                    await other.until(mine.game["revision"])
                    assert (await other.send("ping"))["type"] == "done"
            last = tables[0][0].game["revision"]
            for watcher in watchers:
                watching = await Socket(watcher).begin()
                await watching.until(last)


# --- Several processes


@pytest.mark.slow
async def test_processes_share_the_budget_of_an_address(settings: Settings, postgres: PostgresServer) -> None:
    shared = dataclasses.replace(
        limited(settings, work_of_address=Rate(300, NEVER), sign_in=Rate(4, NEVER)),
        database=postgres.new_database("empty"),
    )
    async with table(shared) as one, table(shared) as other, Visitor(one) as here, Visitor(other) as there:
        await here.get("/health")
        await there.get("/health")
        wrong = {"name": "Nobody", "password": "incorrect"}
        for _ in range(4):
            await here.post("/session", wrong, status=401)
        await until_refused(here.http, most=2_000)
        async with asyncio.timeout(20):
            while (await there.http.get("/api/health")).status_code != 429:
                await asyncio.sleep(0.1)


async def test_processes_share_other_rate_limits(settings: Settings, postgres: PostgresServer) -> None:
    shared = dataclasses.replace(limited(settings, sign_in=Rate(4, NEVER)), database=postgres.new_database("empty"))
    async with table(shared) as one, table(shared) as other, Visitor(one) as here, Visitor(other) as there:
        wrong = {"name": "Nobody", "password": "incorrect"}
        for _ in range(4):
            await here.post("/session", wrong, status=401)
        async with asyncio.timeout(20):
            while (await there.http.post("/api/session", json=wrong)).status_code != 429:
                await asyncio.sleep(0.6)


async def test_unlimited_servers_measure_nothing(settings: Settings) -> None:
    unlimited = limited(settings, work_of_address=None, work_of_player=None)
    app = create_app(unlimited)
    async with app.router.lifespan_context(app):
        client: Client = browser(app)
        await client.post("/games", {"seats": PERSONS}, status=201)
        assert app.state.limiter.counts.work_milliseconds == 0


async def test_the_metrics_include_work_and_refusals(settings: Settings) -> None:
    async with application(limited(settings, work_of_address=Rate(20, NEVER))) as app:
        client = browser(app, address="192.0.2.1")
        await until_refused(client.http)
        text = (await browser(app).http.get("/api/metrics")).text
        values = {line.split()[0]: float(line.split()[1]) for line in text.splitlines() if not line.startswith("#")}
        assert values["cairn_work_milliseconds_total"] >= 20
        assert values["cairn_refused_requests_total"] == 1
