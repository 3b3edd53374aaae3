"""Traffic as shown to operators: in the metrics, and in the report on the administrators' page."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from fastapi import FastAPI

from cairn.server.players import traffic_report
from cairn.server.players.limits import Limits, Rate
from cairn.server.settings import Settings
from cairn.server.traces import recent
from cairn.server.traces.recent import RecentTraffic
from cairn.server.traces.trace import Trace
from harness.server.client import Client
from harness.server.preloaded import PreloadedPopen
from harness.server.processes import listening
from harness.server.visitors import Visitor, application, begun, refused, two
from tests.server.places import settings_at
from tests.server.test_serve import command, free_port

pytestmark = pytest.mark.anyio

NEVER = 36_000
PLENTY = Rate(1e9, 1)


async def metric(client: Client, name: str) -> float:
    """Return the value of a metric, or 0 if the metric does not exist yet."""
    text = (await client.http.get("/api/metrics")).text
    found = re.search(rf"^cairn_{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(20):
        while not await condition():
            await asyncio.sleep(0.01)


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[FastAPI]:
    async with application(dataclasses.replace(settings, traces=True)) as app:
        yield app


@pytest.fixture
async def address(app: FastAPI) -> AsyncIterator[str]:
    async with listening(app) as address:
        yield address


async def administrator(app: FastAPI, address: str) -> Visitor:
    admin = Visitor(address)
    admin.http.headers["X-Forwarded-For"] = "198.51.100.1"
    await admin.sign_up("Ruler")
    await app.state.services.identity.make_admin("Ruler", True, "a test")
    return admin


# --- Metrics


async def test_refusals_are_counted_by_kind(address: str) -> None:
    async with two(address) as (ann, ben):
        game = await begun(ann, ben)
        await ann.get("/games/nowhere", status=404)
        async with ann.socket(game["id"]) as socket:
            assert refused(await socket.send("play", revision=7, tribe="forest", token="a1-a2")) == "stale-revision"
            assert refused(await socket.send("dance")) == "malformed"
        async with ann.listen("/games/nowhere/socket") as connection:
            with pytest.raises(websockets.ConnectionClosed):
                await connection.recv()
        assert await metric(ann, 'refusals_total{kind="unknown-game"}') == 2
        assert await metric(ann, 'refusals_total{kind="stale-revision"}') == 1
        assert await metric(ann, 'refusals_total{kind="malformed"}') == 1


async def test_clients_in_debt_are_counted_until_they_have_paid(settings: Settings) -> None:
    now = 0.0
    limits = Limits(work_of_address=PLENTY, work_of_player=Rate(60, NEVER))
    limited = dataclasses.replace(settings, limits=limits)
    async with (
        application(limited, monotonic=lambda: now) as app,
        listening(app) as address,
        two(address) as (ann, ben),
    ):
        await ann.sign_up("Ann")
        while (await ann.http.get("/api/me")).status_code == 200:
            pass
        assert await metric(ben, "players_in_debt") == 1
        assert await metric(ben, "addresses_in_debt") == 0
        assert await metric(ben, 'refusals_total{kind="too-many"}') == 1
        now = NEVER
        assert await metric(ben, "players_in_debt") == 0


@pytest.mark.slow
async def test_the_delay_of_a_stalled_process_is_measured(tmp_path: Path) -> None:
    """The process is stopped for a while by a signal, as if something had blocked its event loop."""
    port = str(free_port())
    process = PreloadedPopen(
        command("--data", str(tmp_path), "--port", port), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
            client = Client(http)
            await client.until_ready()
            before = await metric(client, "loop_delay_seconds_sum")
            process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(1.5)
            process.send_signal(signal.SIGCONT)

            async def measured() -> bool:
                return await metric(client, "loop_delay_seconds_sum") > before + 1

            await until(measured)
    finally:
        process.kill()
        process.communicate()


# --- The report


async def test_the_report_lists_the_clients_that_cost_the_most(app: FastAPI, address: str) -> None:
    admin = await administrator(app, address)
    async with admin, two(address) as (ann, ben):
        for visitor, host, name in ((ann, "203.0.113.5", "Ann"), (ben, "192.0.2.9", "Ben")):
            visitor.http.headers["X-Forwarded-For"] = host
            await visitor.sign_up(name)
        for _ in range(30):
            await ann.get("/games/nowhere", status=404)
        report = await admin.get("/admin/traffic")
    assert (report["traced"], report["minutes"], len(report["process"])) == (True, 15, 16)
    networks = {each["network"]: each for each in report["networks"]}
    assert (networks["203.0.113.0/24"]["requests"], networks["203.0.113.0/24"]["refused"]) == (31, 30)
    assert (networks["192.0.2.0/24"]["requests"], networks["192.0.2.0/24"]["refused"]) == (1, 0)
    players = {each["player"]["name"]: each for each in report["players"]}
    assert (players["Ann"]["requests"], players["Ann"]["refused"]) == (30, 30)
    assert players["Ann"]["milliseconds"] > 0
    costs = [each["milliseconds"] for each in report["networks"]]
    assert costs == sorted(costs, reverse=True)


async def test_a_flood_of_reads_is_in_the_report(settings: Settings) -> None:
    """Reads are not written to the trace files, but they use CPU time too."""
    limits = Limits(work_of_address=Rate(60, NEVER), work_of_player=PLENTY)
    flooded = dataclasses.replace(settings, traces=True, limits=limits)
    async with application(flooded) as app, listening(app) as address, Visitor(address) as stranger:
        admin = await administrator(app, address)
        stranger.http.headers["X-Forwarded-For"] = "203.0.113.5"
        while (await stranger.http.get("/api/health")).status_code == 200:
            pass
        async with admin:
            report = await admin.get("/admin/traffic")
        (found,) = [each for each in report["networks"] if each["network"] == "203.0.113.0/24"]
        assert found["refused"] == 1
        assert found["milliseconds"] >= 60


async def test_stalls_are_in_the_report(app: FastAPI, address: str) -> None:
    async with await administrator(app, address) as admin, app.state.loop_delays.measured():
        assert (await admin.get("/admin/traffic"))["stalls"] == []
        await asyncio.sleep(0)
        time.sleep(0.5)  # blocks the event loop on purpose

        async def listed() -> bool:
            return bool((await admin.get("/admin/traffic"))["stalls"])

        await until(listed)
        (stall,) = (await admin.get("/admin/traffic"))["stalls"]
        assert stall["milliseconds"] >= 300


async def rated_games(one: Visitor, other: Visitor, results: str) -> None:
    """Play rated games that end with a resignation: ``w`` is a win for the first visitor, ``l`` a loss."""
    for result in results:
        game = await begun(one, other, rated=True)
        await (other if result == "w" else one).post(f"/games/{game['id']}/resign", {})


@pytest.mark.slow
async def test_one_sided_pairs_of_players_in_a_network_are_in_the_report(settings: Settings, place: Path | str) -> None:
    pairs = {
        ("Winner", "Loser"): ("203.0.113.5", "203.0.113.99", "wwww"),
        ("Even", "Equal"): ("192.0.2.1", "192.0.2.2", "wlwl"),
        ("Here", "There"): ("198.18.0.1", "198.18.7.1", "wwww"),  # different networks
        ("Rarely", "Seldom"): ("100.64.0.1", "100.64.0.2", "ww"),
        ("Second", "First"): ("100.64.9.1", "100.64.9.2", "lll"),
    }
    traced = dataclasses.replace(settings_at(settings, place), traces=True)
    async with application(traced) as app, listening(app) as address:
        for (first, second), (here, there, results) in pairs.items():
            async with two(address) as (one, other):
                for visitor, host, name in ((one, here, first), (other, there, second)):
                    visitor.http.headers["X-Forwarded-For"] = host
                    await visitor.sign_up(name)
                await rated_games(one, other, results)
        async with await administrator(app, address) as admin:
            report = await admin.get("/admin/traffic")
    found = [
        (each["winner"]["name"], each["loser"]["name"], each["games"], each["score"], each["network"])
        for each in report["pairs"]
    ]
    assert found == [
        ("Winner", "Loser", 4, 4.0, "203.0.113.0/24"),
        ("First", "Second", 3, 3.0, "100.64.9.0/24"),
    ]


async def test_guests_do_not_push_accounts_out_of_the_report(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traffic_report, "MOST_COMPARED", 2)
    traced = dataclasses.replace(settings, traces=True)
    async with application(traced) as app, listening(app) as address, two(address) as (one, other):
        await one.sign_up("Winner")
        await other.sign_up("Loser")
        await rated_games(one, other, "www")
        for _ in range(12):
            async with Visitor(address) as guest:
                await guest.challenge()
        async with await administrator(app, address) as admin:
            (pair,) = (await admin.get("/admin/traffic"))["pairs"]
        assert (pair["winner"]["name"], pair["loser"]["name"]) == ("Winner", "Loser")


async def test_the_report_says_when_a_server_is_not_traced(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address:
        async with await administrator(app, address) as admin:
            report = await admin.get("/admin/traffic")
        assert not report["traced"]
        assert (report["networks"], report["players"], report["pairs"]) == ([], [], [])


# --- The last minutes


def trace(network: str, player: str | None = None, outcome: str = "done") -> Trace:
    return Trace(0.0, player, None, "play", network, 2.0, outcome)


def test_an_outage_does_not_count_as_a_refusal() -> None:
    traffic = RecentTraffic(lambda: 0.0)
    for outcome in ("done", "storage:full", "failed", "unanswered", "refused:too-many"):
        traffic.add(trace("network", outcome=outcome))
    ((_, usage),) = traffic.networks(9)
    assert (usage.requests, usage.refused) == (5, 1)


def test_traffic_is_forgotten_after_fifteen_minutes() -> None:
    now = 0.0
    traffic = RecentTraffic(lambda: now)
    traffic.add(trace("old", "a"))
    traffic.add(trace("old", "b"))
    now = 14.5 * 60
    traffic.add(trace("new", "a"))
    assert [name for name, _ in traffic.networks(9)] == ["old", "new"]
    assert traffic.players_by_network() == {"old": {"a", "b"}}
    assert dict(traffic.players(9))["a"].milliseconds == 4.0
    now = 15.5 * 60
    assert [name for name, _ in traffic.networks(9)] == ["new"]
    assert traffic.players_by_network() == {}


def test_the_memory_for_traffic_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "MOST_CLIENTS", 3)
    traffic = RecentTraffic(lambda: 0.0)
    for number in range(100):
        traffic.add(trace(f"network {number}", f"player {number}"))
        traffic.add(trace(f"network {number}", "player 0"))
    assert len(traffic.networks(1_000)) == 3
    assert len(traffic.players(1_000)) == 3
    assert len(traffic.players_by_network()) <= recent.MOST_NETWORKS_OF_PLAYER
