"""Previews of links: the tags in the page, and the picture of a game."""

from __future__ import annotations

import re
import struct
import sys

import pytest

from cairn.server.previews.tags import TEXTS
from cairn.server.settings import Settings
from harness.server.client import PERSONS, Client
from harness.server.visitors import Visitor, begun, table, two

pytestmark = pytest.mark.anyio

PAGE = "<!doctype html><html><head><title>Cairn</title></head><body></body></html>"
WINS = "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD,b4AD,d4DR SAMD CS wofm 2-1 F"
NAMED = {"forest": {"kind": "person", "name": "<Ann> & co"}, "sea": {"kind": "computer", "level": 3}}


@pytest.fixture(autouse=True)
def pages(settings: Settings) -> None:
    settings.pages.mkdir()
    (settings.pages / "index.html").write_text(PAGE)


async def tags(client: Client, path: str, **headers: str) -> dict[str, str]:
    """The tags in a page."""
    answer = await client.http.get(path, headers=headers)
    assert answer.status_code == 200
    return dict(re.findall(r'<meta (?:property|name)="([^"]*)" content="([^"]*)" />', answer.text))


async def won(client: Client, **seats: object) -> str:
    body = {"seats": {**PERSONS, **seats}, "position": WINS, "tokens": ["c5-out", "=MD"]}
    return str((await client.post("/games", body, status=201))["id"])


async def test_a_link_to_a_game_shows_its_players_its_result_and_its_board(client: Client) -> None:
    game = await won(client, **NAMED)
    found = await tags(client, f"/game/{game}")
    assert found["og:title"] == "&lt;Ann&gt; &amp; co \N{EN DASH} Computer, level 3 · Cairn"
    assert found["og:description"] == "Forest won 3\N{EN DASH}1. Replay the game move by move."
    assert found["twitter:card"] == "summary_large_image"
    origin = str(client.http.base_url).rstrip("/")
    assert found["og:url"] == f"{origin}/game/{game}"
    assert found["og:image"].startswith(f"{origin}/api/games/{game}/picture.png")
    answer = await client.http.get(found["og:image"])
    assert answer.headers["content-type"] == "image/png"
    assert "max-age" in answer.headers["cache-control"]
    assert answer.content.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", answer.content[16:24])
    assert (width, height) == (int(found["og:image:width"]), int(found["og:image:height"]))
    again = await client.http.get(f"/api/games/{game}/picture.png")
    assert again.content == answer.content


async def test_a_preview_speaks_the_language_of_the_request(client: Client) -> None:
    game = await won(client)
    assert (await tags(client, f"/game/{game}", **{"Accept-Language": "xx, de-AT;q=0.9"}))["og:title"] == (
        "Wald \N{EN DASH} Meer · Cairn"
    )
    assert set(TEXTS) == {"en", "fr", "de", "ru"}
    assert all(set(texts) == set(TEXTS["en"]) for texts in TEXTS.values())


async def test_browsers_get_the_page_as_it_was_built(client: Client) -> None:
    for name in ("Sec-Fetch-Mode", "Upgrade-Insecure-Requests"):
        answer = await client.http.get(f"/game/{await won(client)}", headers={name: "navigate"})
        assert (answer.text, "etag" in answer.headers) == (PAGE, True)


async def test_a_preview_of_an_invitation_or_an_unknown_game_shows_nothing_about_it(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, _), Visitor(address) as crawler:
        await ann.sign_up("Annabel")
        made = await ann.challenge(variant="expert")
        invitation = await crawler.http.get(f"/join/{made['invite']}")
        assert "You are invited to a game of Cairn" in invitation.text
        for secret in ("Annabel", "xpert", made["challenge"]["id"]):
            assert secret not in invitation.text
        for path in ("/", "/game/unknown", "/game/..%2fapi", f"/game/{made['challenge']['id']}"):
            found = await tags(crawler, path)
            assert (found["og:title"], found["twitter:card"]) == ("Cairn", "summary")


async def test_a_preview_contains_no_more_than_a_watcher_sees(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as crawler:
        game = await begun(ann, ben)
        found = await tags(crawler, f"/game/{game['id']}")
        assert found["og:description"] == "Game in progress, 0\N{EN DASH}0 (Forest \N{EN DASH} Sea). Watch it live."
        # The picture is drawn from the public position, in which the order of the deck is not known.
        watched = await crawler.get(f"/games/{game['id']}")
        assert watched["now"]["position"].split(" ")[3].startswith("(")


async def test_a_picture_that_cannot_be_drawn_is_reported_and_can_be_asked_for_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = f"/api/games/{await won(client)}/picture.png"
    with monkeypatch.context() as broken:
        broken.setattr(sys, "executable", "/bin/false")
        answer = await client.http.get(path)
    assert (answer.status_code, answer.json()["kind"]) == (503, "no-picture")
    assert "could not be drawn" in caplog.text
    assert (await client.http.get(path)).status_code == 200
