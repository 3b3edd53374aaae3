"""HTTPS: which requests the server treats as encrypted, and which headers it sends in response."""

from __future__ import annotations

import dataclasses

import pytest

from cairn.server.settings import Settings
from harness.server.processes import running

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("proxies", "says", "origin", "status"),
    [
        ("127.0.0.1", "https", "https", 201),
        ("127.0.0.1", "https", "http", 403),  # a page served without HTTPS by an attacker who controls the network
        ("127.0.0.1", "http", "http", 201),
        ("127.0.0.1", "http", "https", 403),
        ("192.0.2.7", "https", "https", 403),  # not a trusted proxy, so its headers are ignored
        ("192.0.2.7", "https", "http", 201),
    ],
)
async def test_only_a_trusted_proxy_can_say_that_a_request_used_https(
    settings: Settings, proxies: str, says: str, origin: str, status: int
) -> None:
    async with running(dataclasses.replace(settings, proxies=proxies)) as client:
        http = client.http
        headers = {"X-Forwarded-Proto": says, "Origin": f"{origin}://127.0.0.1:8765"}
        answer = await http.post("/api/challenges", json={}, headers=headers)
        assert answer.status_code == status
        by_https = proxies == "127.0.0.1" and says == "https"
        expected = "max-age=31536000" if by_https else None
        assert answer.headers.get("strict-transport-security") == expected
        assert (await http.get("/", headers=headers)).headers.get("strict-transport-security") == expected
        if status == 201:
            assert ("Secure" in answer.headers["set-cookie"]) == by_https
        else:
            kind = answer.json()
            assert (kind["kind"], "--proxies" in kind["sentence"]) == ("forbidden", True)
