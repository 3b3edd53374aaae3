"""The pages, the headers of every response, and the origins that the server accepts."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cairn.server.settings import Settings
from cairn.server.web.static import build_of
from harness.server.client import PERSONS, Client

pytestmark = pytest.mark.anyio

PAGE = "<!doctype html><title>Cairn</title>"
SCRIPT = "console.log('cairn');" * 100
BROTLI = b"as the build compressed it"


@pytest.fixture
def built(settings: Settings) -> Settings:
    (settings.pages / "assets").mkdir(parents=True)
    (settings.pages / "index.html").write_text(PAGE)
    (settings.pages / "assets" / "index-abc.js").write_text(SCRIPT)
    (settings.pages / "assets" / "index-abc.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (settings.pages / "assets" / "index-abc.js.br").write_bytes(BROTLI)
    (settings.pages / "icon.svg").write_text("<svg/>")
    (settings.pages / "sw.js").write_text("self.oninstall = null;")
    (settings.pages / "version.json").write_text('{"build": "0123abcd"}')
    (settings.pages / "manifest.webmanifest").write_text("{}")
    (settings.pages.parent / "secret.txt").write_text("secret")
    return settings


@pytest.mark.usefixtures("built")
async def test_a_path_outside_the_api_that_is_not_a_file_serves_the_start_page(client: Client) -> None:
    for path in (
        "/",
        "/game/abc",
        "/games?x=1",
        "/learn/megaliths",
        "/position?p=%2F",
        "/%00",
        "/..%2f",
        "/index.html",
    ):
        answer = await client.http.get(path)
        assert (answer.status_code, answer.text) == (200, PAGE), path
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
    head = await client.http.head("/")
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.usefixtures("built")
async def test_the_start_page_is_sent_again_only_when_it_has_changed(client: Client, settings: Settings) -> None:
    tag = (await client.http.get("/")).headers["etag"]
    assert (await client.http.get("/", headers={"If-None-Match": tag})).status_code == 304
    (settings.pages / "index.html").write_text(PAGE + "!")
    assert (await client.http.get("/", headers={"If-None-Match": tag})).text == PAGE + "!"


@pytest.mark.usefixtures("built")
async def test_hashed_files_are_cached_forever(client: Client) -> None:
    answer = await client.http.get("/assets/index-abc.js")
    assert answer.text == SCRIPT
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert (await client.http.get("/assets/index-old.js")).status_code == 404
    assert (await client.http.get("/icon.svg")).headers["content-type"] == "image/svg+xml"


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/sw.js", "text/javascript; charset=utf-8"), ("/manifest.webmanifest", "application/manifest+json")],
)
async def test_the_service_worker_and_the_manifest_are_revalidated_on_each_request(
    client: Client, path: str, media_type: str
) -> None:
    answer = await client.http.get(path)
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"] == media_type
    again = await client.http.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.usefixtures("built")
async def test_api_responses_contain_the_build_of_the_pages(client: Client) -> None:
    for path in ("/api/health", "/api/games/nothing"):
        assert (await client.http.get(path)).headers["x-cairn-build"] == "0123abcd"
    version = await client.http.get("/version.json")
    assert version.json() == {"build": "0123abcd"}
    assert version.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"build": 1}', '{"build": "a\\r\\nSet-Cookie: b"}'])
def test_a_folder_without_a_valid_version_has_no_build(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "version.json").write_text(content)
    assert build_of(tmp_path) is None


@pytest.mark.usefixtures("built")
async def test_files_are_sent_in_the_best_encoding_that_the_browser_accepts(client: Client) -> None:
    async with client.http.stream("GET", "/assets/index-abc.js", headers={"Accept-Encoding": "gzip, br"}) as answer:
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert (answer.headers["content-encoding"], raw) == ("br", BROTLI)
    async with client.http.stream("GET", "/assets/index-abc.js", headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw).decode() == SCRIPT
    plain = await client.http.get("/assets/index-abc.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt", "//etc/passwd"])
async def test_nothing_outside_the_folder_is_served(client: Client, path: str) -> None:
    answer = await client.http.get(f"http://127.0.0.1:8765{path}")
    assert "secret" not in answer.text
    assert "root:" not in answer.text


async def test_the_response_says_how_to_build_the_pages_if_they_are_missing(client: Client) -> None:
    answer = await client.http.get("/")
    assert answer.status_code == 503
    assert "make play" in answer.text


@pytest.mark.slow
async def test_every_response_has_security_headers(client: Client) -> None:
    for path in ("/", "/api/health", "/api/nothing", "/api/openapi.json"):
        headers = (await client.http.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        policy = [part.split() for part in headers["content-security-policy"].split("; ")]
        assert ["default-src", "'self'"] in policy
        # WebAssembly may be compiled, but no text may be evaluated as a script.
        assert ["script-src", "'self'", "'wasm-unsafe-eval'"] in policy
        assert [part[0] for part in policy if part[0].startswith(("script", "worker"))] == ["script-src"]
    assert (await client.http.get("/api/health")).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": "http://127.0.0.1:8765"}, 201),
        ({"Origin": "http://localhost:8765", "Host": "localhost:8765"}, 201),
        ({"Origin": "http://[::1]", "Host": "[::1]"}, 201),
        ({"Origin": "https://127.0.0.1:8765"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 403),
        ({"Host": "localhost.evil.example"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "[::1"}, 403),
    ],
)
async def test_only_our_own_pages_can_make_changes(client: Client, headers: dict[str, str], status: int) -> None:
    answer = await client.http.post("/api/games", json={"seats": PERSONS}, headers=headers)
    assert answer.status_code == status
    if status == 403:
        assert answer.json()["kind"] == "forbidden"
        assert (await client.get("/games"))["total"] == 0


async def test_a_request_with_a_foreign_host_name_is_refused(client: Client) -> None:
    assert (await client.http.get("/api/games", headers={"Host": "evil.example"})).status_code == 403


async def test_the_api_describes_itself(client: Client) -> None:
    page = await client.http.get("/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    for text in (
        "POST /api/games/{game}/tokens",
        'id="GameView"',
        "A whole game, without hidden information.",
        "UpdateMessage",
    ):
        assert text in page.text
    assert "<script" not in page.text
    described = await client.get("/openapi.json")
    assert "HTTPValidationError" not in described["components"]["schemas"]
    assert {"GameMessage", "UpdateMessage", "Problem"} <= set(described["components"]["schemas"])


async def test_the_api_describes_fields_with_their_docstrings(client: Client) -> None:
    schemas = (await client.get("/openapi.json"))["components"]["schemas"]
    for name, field, text in (
        ("ClockView", "forest", "The remaining time in milliseconds."),
        ("Choice", "tile", "In phase ``action``: the action tile that the token uses."),
        ("Moved", "over", "For a jump, the space that was jumped over."),
        ("SignUp", "name", "3 to 20 characters: letters of any script, digits, - and _."),
    ):
        assert schemas[name]["properties"][field]["description"] == text
    assert "description" not in schemas["ClockView"]["properties"]["sea"]
