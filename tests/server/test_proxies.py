"""Requests through proxies: the address of the client."""

from __future__ import annotations

import dataclasses

import httpx
import pytest
from typer.testing import CliRunner

from cairn.cli.app import app
from cairn.server.players.limits import NO_LIMITS, Rate
from cairn.server.settings import Settings
from cairn.server.web.middleware.forwarded import Proxies
from harness.server.processes import Process


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "203.0.113.9, 192.0.2.1", "192.0.2.1"),  # the client invented the first one
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
            # What a proxy that appends sends for a client at 192.0.2.1, which sends a header of its own.
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
