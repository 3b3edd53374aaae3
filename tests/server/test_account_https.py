"""HTTPS: when the server believes that it was reached over HTTPS, and what it then tells browsers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from harness.server.client import Client

pytestmark = pytest.mark.anyio


@contextlib.contextmanager
def behind_a_proxy(client: Client, proxies: str) -> Iterator[httpx.AsyncClient]:
    """A browser behind a proxy on this machine."""
    app: Any = client.app
    proxied: Any = ProxyHeadersMiddleware(app, trusted_hosts=proxies)  # what uvicorn does with --proxies
    yield httpx.AsyncClient(transport=httpx.ASGITransport(proxied), base_url="http://127.0.0.1:8765")


@pytest.mark.parametrize(
    ("proxies", "says", "origin", "status"),
    [
        ("127.0.0.1", "https", "https", 201),
        ("127.0.0.1", "https", "http", 403),  # a page without HTTPS, from an attacker who controls the network
        ("127.0.0.1", "http", "http", 201),
        ("127.0.0.1", "http", "https", 403),
        ("192.0.2.7", "https", "https", 403),  # not a trusted proxy, so its headers are ignored
        ("192.0.2.7", "https", "http", 201),
    ],
)
async def test_only_a_trusted_proxy_can_say_that_a_request_used_https(
    client: Client, proxies: str, says: str, origin: str, status: int
) -> None:
    with behind_a_proxy(client, proxies) as http:
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
        await http.aclose()
