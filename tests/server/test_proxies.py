"""Requests through proxies: the address of the client, and the cookie over HTTPS."""

from __future__ import annotations

import dataclasses
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from cairn.cli.app import app
from cairn.server.players.limits import NO_LIMITS, Rate
from cairn.server.settings import Settings
from cairn.server.web.middleware.forwarded import Proxies
from harness.server.client import START
from harness.server.people import COOKIE, PASSWORD
from harness.server.processes import Process, running

pytestmark = pytest.mark.anyio

SECURE_COOKIE = "__Host-cairn_session"
HTTPS = {"X-Forwarded-Proto": "https"}


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "203.0.113.9, 192.0.2.1", "192.0.2.1"),  # the client made up the first address
        ("127.0.0.1,10.0.0.0/8", "203.0.113.9, 192.0.2.1, 10.1.2.3", "192.0.2.1"),
        ("127.0.0.1, 10.0.0.0/8", "10.9.9.9, 10.1.2.3", "10.9.9.9"),
        ("*", "203.0.113.9, 192.0.2.1", "192.0.2.1"),
        ("*,10.0.0.0/8", "203.0.113.9, 192.0.2.1, 10.1.2.3", "192.0.2.1"),
        ("*", "", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.1:4711", "192.0.2.1"),
        ("127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("127.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("127.0.0.1", "192.0.2.1, unknown", "127.0.0.1"),
        ("127.0.0.1,10.0.0.0/8", "192.0.2.1, unknown, 10.1.2.3", "10.1.2.3"),
        ("192.0.2.7", "192.0.2.1", None),
        ("", "192.0.2.1", None),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_proxy(proxies: str, forwarded: str, client: str | None) -> None:
    assert Proxies(proxies).client_of("127.0.0.1", forwarded) == client


def test_ipv4_addresses_in_ipv6_form_are_recognised() -> None:
    assert Proxies("127.0.0.1").client_of("::ffff:127.0.0.1", "192.0.2.1") == "192.0.2.1"


@pytest.mark.parametrize("proxies", ["*", "127.0.0.1"])
def test_a_client_behind_an_appending_proxy_cannot_choose_its_address(settings: Settings, proxies: str) -> None:
    limits = dataclasses.replace(NO_LIMITS, guest=Rate(2, 3_600))
    with Process(dataclasses.replace(settings, proxies=proxies, public=True, limits=limits)) as process:
        statuses = []
        for number in range(4):
            # An appending proxy sends this header if a client at 192.0.2.1 has sent such a header itself.
            headers = {"X-Forwarded-For": f"203.0.113.{number}, 192.0.2.1"}
            answer = httpx.post(f"{process.address}/api/challenges", json={}, headers=headers)
            statuses.append(answer.status_code)
        assert statuses == [201, 201, 429, 429]
        other = httpx.post(f"{process.address}/api/challenges", json={}, headers={"X-Forwarded-For": "192.0.2.2"})
        assert other.status_code == 201


def test_proxies_that_are_not_addresses_are_refused() -> None:
    done = CliRunner().invoke(app, ["serve", "--no-open", "--proxies", "nginx"])
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "Proxies must be addresses, networks or *" in done.stderr


# --- The cookie


def set_cookies(answer: httpx.Response) -> dict[str, str]:
    return {text.partition("=")[0]: text for text in answer.headers.get_list("set-cookie")}


async def sign_up(http: httpx.AsyncClient, **headers: Any) -> httpx.Response:
    body = {"name": "Ann", "password": PASSWORD}
    answer = await http.post("/api/account", json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer


async def test_the_cookie_is_bound_to_the_host_over_https(settings: Settings) -> None:
    async with running(settings) as client:
        made = set_cookies(await sign_up(client.http, **HTTPS))
        assert list(made) == [SECURE_COOKIE]
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(made[SECURE_COOKIE].split("; "))
        assert "Domain" not in made[SECURE_COOKIE]
        token = made[SECURE_COOKIE].partition("=")[2].partition(";")[0]
        client.http.cookies.clear()

        async def me(headers: dict[str, str]) -> Any:
            return (await client.http.get("/api/me", headers=headers)).json()["player"]

        assert (await me({"Cookie": f"{SECURE_COOKIE}={token}", **HTTPS}))["name"] == "Ann"
        assert await me({"Cookie": f"{SECURE_COOKIE}={token}"}) is None  # a browser never sends it over http
        # Another host on the same site can set a cookie without the prefix. The one with the prefix takes precedence.
        both = f"{COOKIE}=of-an-attacker; {SECURE_COOKIE}={token}"
        assert (await me({"Cookie": both, **HTTPS}))["name"] == "Ann"


async def test_an_old_cookie_is_replaced_silently_over_https(settings: Settings) -> None:
    async with running(settings) as client:
        made = set_cookies(await sign_up(client.http))
        assert list(made) == [COOKIE]
        token = made[COOKIE].partition("=")[2].partition(";")[0]
        client.http.cookies.clear()
        headers = {"Cookie": f"{COOKIE}={token}"}
        assert set_cookies(await client.http.get("/api/me", headers=headers)) == {}

        answer = await client.http.get("/api/me", headers=headers | HTTPS)
        assert answer.json()["player"]["name"] == "Ann"
        replaced = set_cookies(answer)
        assert set(replaced) == {COOKIE, SECURE_COOKIE}
        assert replaced[SECURE_COOKIE].startswith(f"{SECURE_COOKIE}={token};")
        assert "Max-Age=0" in replaced[COOKIE]

        client.http.cookies.clear()
        unknown = {"Cookie": f"{COOKIE}=unknown", **HTTPS}
        assert set_cookies(await client.http.get("/api/me", headers=unknown)) == {}


async def test_signing_out_over_https_deletes_both_cookies(settings: Settings) -> None:
    async with running(settings) as client:
        made = set_cookies(await sign_up(client.http, **HTTPS))
        token = made[SECURE_COOKIE].partition("=")[2].partition(";")[0]
        client.http.cookies.clear()
        headers = {"Cookie": f"{COOKIE}={token}; {SECURE_COOKIE}={token}", **HTTPS}
        answer = await client.http.delete("/api/session", headers=headers)
        assert answer.status_code < 300, answer.text
        gone = set_cookies(answer)
        assert set(gone) == {COOKIE, SECURE_COOKIE}
        assert all("Max-Age=0" in each for each in gone.values())
        assert (await client.http.get("/api/me", headers=headers)).json()["player"] is None


async def test_a_guest_over_https_gets_only_the_secure_cookie(settings: Settings) -> None:
    async with running(dataclasses.replace(settings, public=True)) as client:
        body = {"seats": {"forest": {"kind": "person"}, "sea": {"kind": "person"}}, "position": START}
        made = await client.http.post("/api/games", json=body, headers=HTTPS)
        assert (made.status_code, list(set_cookies(made))) == (201, [SECURE_COOKIE])
