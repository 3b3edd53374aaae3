"""The traffic report on the administrators' page, in four languages, on wide and narrow screens, and in all themes."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e import looks
from tests.e2e.conftest import Visits
from tests.e2e.server import Server
from tests.e2e.test_access import LOOKS, violations_in_all_looks
from tests.e2e.visit import DESKTOP, PASSWORD, PHONE
from tests.e2e.words import LANGUAGES, say

SMALL = (360, 640)
LONG_NAME = "Maximiliane-von-Hohe"
PICTURES = os.environ.get("CAIRN_PICTURES")
"""The folder for screenshots of the page, if any are wanted."""


@pytest.fixture
def traced_server(require_chromium: None, tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, "--traces")
    try:
        server.start()
        yield server
    finally:
        server.close()


@contextlib.contextmanager
def member(server: Server, name: str, host: str) -> Iterator[httpx.Client]:
    """A client that connects from this address and is signed in to a new account."""
    with httpx.Client(base_url=f"{server.address}/api", headers={"X-Forwarded-For": host}, timeout=30) as http:
        http.post("/account", json={"name": name, "password": PASSWORD}).raise_for_status()
        yield http


def lose(winner: httpx.Client, loser: httpx.Client) -> None:
    """Play a rated game in which the second player resigns immediately."""
    body = {"rated": True, "clock": {"kind": "correspondence", "days": 3}}
    made = winner.post("/challenges", json=body).raise_for_status().json()
    number = {"number": secrets.token_hex(16)}
    winner.put(f"/challenges/{made['challenge']['id']}/number", json=number).raise_for_status()
    game = loser.post(f"/challenges/{made['invite']}/accept", json=number).raise_for_status().json()["game"]
    loser.post(f"/games/{game['id']}/resign", json={}).raise_for_status()


@pytest.mark.slow
@pytest.mark.proof
def test_an_administrator_sees_the_traffic(visits: Visits, traced_server: Server) -> None:
    admin = visits(traced_server)
    admin.allow(r"ERR_|WebSocket|request failed|401|403")
    traced_server.make_admin(admin.sign_up())
    with (
        member(traced_server, LONG_NAME, "203.0.113.7") as winner,
        member(traced_server, "Ben", "203.0.113.8") as loser,
        member(traced_server, "Cleo", "2001:db8:1234::1") as reader,
    ):
        for _ in range(4):
            lose(winner, loser)
        for _ in range(20):
            assert reader.get("/games/nowhere").status_code == 404
    page = admin.go("/admin")
    section = page.get_by_role("region", name=say("account.admin.traffic"), exact=True)
    pairs = section.get_by_role("region", name=say("account.admin.traffic.pairs"))
    expect(pairs.get_by_role("row").nth(1)).to_contain_text(LONG_NAME)
    expect(pairs.get_by_role("row").nth(1)).to_contain_text("4 of 4")
    networks = section.get_by_role("region", name=say("account.admin.traffic.networks"))
    expect(networks.get_by_role("row").filter(has_text="2001:db8:1234::/48")).to_contain_text("20")
    wrong: list[str] = []
    for language in LANGUAGES:
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        page.locator(f'header button:has([lang="{language}"])').click()
        page.locator(f'html[lang="{language}"]').wait_for(state="attached")
        for width, height in (SMALL, PHONE, DESKTOP):
            page.set_viewport_size({"width": width, "height": height})
            wrong += [f"{language} {width}: {fault}" for fault in looks.faults(page)]
            if PICTURES:
                page.screenshot(path=f"{PICTURES}/{language}-{width}.png", full_page=True)
    for width, height in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        wrong += [f"{width}, {each}" for each in violations_in_all_looks(admin)]
        if PICTURES:
            for look, settings in LOOKS.items():
                admin.choose(**settings)
                page.screenshot(path=f"{PICTURES}/{look}-{width}.png", full_page=True)
    assert not wrong, "\n".join(dict.fromkeys(wrong))
