"""NUL characters and lone surrogates in any string of any request never cause a server error.

PostgreSQL rejects NUL in text, and neither database can store a lone surrogate. The requests are generated from the
OpenAPI description, so new routes are covered automatically.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx
import pytest

from cairn import puzzles
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.server.api import api
from harness.server.client import Client
from harness.server.people import identity_of
from harness.server.processes import listening
from harness.server.visitors import Visitor, application, begun, two
from tests.server.places import settings_at

pytestmark = pytest.mark.anyio

BAD: Final = ("a\0b", "\0", "a\ud800b")
VALID: Final[dict[str, Any]] = {"/api/games/{game}/chat": {"text": "Hello."}}
"""Valid bodies for routes whose schema is too general for a generated body to be valid."""
SAMPLES: Final = {"integer": 1, "number": 1.0, "boolean": True, "null": None}


def operations() -> list[tuple[str, str]]:
    """Return the method and path of every operation except streams."""
    return [
        (method.upper(), path)
        for path, methods in api()["paths"].items()
        for method in methods
        if "stream" not in path and path != "/api/bot/events"
    ]


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        found: dict[str, Any] = api()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return found
    return schema


def sample(schema: dict[str, Any]) -> Any:
    """Return a small value that matches a schema."""
    schema = resolved(schema)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return None if {"type": "null"} in schema[several] else sample(schema[several][0])
    match schema.get("type"):
        case "object":
            return {name: sample(each) for name, each in schema.get("properties", {}).items()}
        case "array":
            return [sample(schema["items"])]
        case "string":
            return "a" * max(1, schema.get("minLength", 0))
        case kind:
            return SAMPLES.get(str(kind))


def spoiled(schema: dict[str, Any], bad: str, whole: Any = None) -> Iterator[Any]:
    """Yield copies of a schema's sample. Each has the bad text in one string or as the name of an extra property."""
    schema = resolved(schema)
    for several in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(several, ()):
            yield from spoiled(each, bad)
    match schema.get("type"):
        case "string":
            yield bad.ljust(schema.get("minLength", 0), "0")
        case "array":
            yield from ([each] for each in spoiled(schema["items"], bad))
        case "object":
            whole = whole or sample(schema)
            yield {**whole, bad: 1}
            for name, each in schema.get("properties", {}).items():
                yield from ({**whole, name: value} for value in spoiled(each, bad))


def requests(method: str, path: str, known: dict[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield addresses and bodies of requests to an operation. Each request has the bad text in one place."""
    operation = api()["paths"][path][method.lower()]
    parameters = [resolved(each) for each in operation.get("parameters", ())]
    plain = path
    for name, value in known.items():
        plain = plain.replace(f"{{{name}}}", value)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    whole = VALID.get(path) or (sample(body) if body else None)
    for bad in BAD:
        text = quote(bad.encode("utf-8", "surrogatepass"))
        for each in parameters:
            if each["in"] == "query":
                yield f"{plain}?{each['name']}={text}", whole
            elif each["in"] == "path":
                spoiled_path = path.replace(f"{{{each['name']}}}", text)
                for name, value in known.items():
                    spoiled_path = spoiled_path.replace(f"{{{name}}}", value)
                yield spoiled_path, whole
        if body:
            yield from ((plain, each) for each in spoiled(body, bad, VALID.get(path)))


async def send(client: Client, method: str, path: str, body: Any) -> httpx.Response:
    content = None if body is None else json.dumps(body)  # ASCII: httpx cannot send lone surrogates as UTF-8
    return await client.http.request(method, path, content=content, headers={"Content-Type": "application/json"})


def test_the_requests_cover_every_string() -> None:
    known = {"game": "g", "challenge": "c", "name": "Ann", "token": "t", "report": "1", "puzzle": "p"}
    spoilt = {(method, path): len(list(requests(method, path, known))) for method, path in operations()}
    assert len(operations()) > 40
    assert spoilt["POST", "/api/account"] == 3 * 3  # a name, a password and the name of an extra property
    assert spoilt["GET", "/api/games"] >= 3
    assert spoilt["POST", "/api/games/{game}/chat"] >= 3 * 4


@pytest.fixture
async def town(settings: Settings, place: Path | str) -> AsyncIterator[tuple[str, Visitor, Visitor, dict[str, str]]]:
    """The address of a server, two players (an administrator and a guest), and values for the path parameters."""
    where = dataclasses.replace(settings_at(settings, place), limits=NO_LIMITS, public=True)
    async with application(where) as app, listening(app) as address, two(address) as (ann, ben):
        await ann.sign_up("Annabella")
        await identity_of(Client(ann.http, app)).make_admin("Annabella", True, "a test")
        game = await begun(ann, ben)
        challenge = (await ann.challenge(open=True))["challenge"]["id"]
        await ben.post(f"/games/{game['id']}/report", {"text": "Rude."}, status=204)
        token = (await ann.post("/account/tokens", {"bot": "Robot"}, status=201))["about"]["id"]
        known = {"game": game["id"], "challenge": challenge, "name": "Annabella", "token": token}
        yield address, ann, ben, {**known, "report": "1", "puzzle": puzzles.released()[0].id}


@pytest.mark.slow
async def test_bad_text_in_a_request_never_causes_a_server_error(
    town: tuple[str, Visitor, Visitor, dict[str, str]],
) -> None:
    _, ann, ben, known = town
    failed, answered = [], 0
    for method, path in operations():
        for visitor in (ann, ben):
            for address, body in requests(method, path, known):
                answer = await send(visitor, method, address, body)
                answered += 1
                if answer.status_code >= 500:
                    failed.append((answer.status_code, method, address, body))
    assert not failed, failed[:10]
    assert answered > 500
    assert (await ann.get("/me"))["admin"], "a request signed the administrator out"


COMMANDS: Final[list[dict[str, Any]]] = [
    {"type": "chat", "text": "Hello."},
    {"type": "hello", "seat": "secret"},
    {"type": "play", "revision": 0, "tribe": "forest", "token": "a1-a2"},
    {"type": "undo", "revision": 0},
    {"type": "confirm", "revision": 0},
    {"type": "offer", "revision": 0, "what": "draw"},
    {"type": "answer", "revision": 0, "answer": "decline"},
    {"type": "claim"},
    {"type": "ping"},
]


@pytest.mark.slow
async def test_bad_text_over_a_socket_causes_only_refusals(town: tuple[str, Visitor, Visitor, dict[str, str]]) -> None:
    _, ann, _, known = town
    async with ann.socket(known["game"]) as socket:
        for command in COMMANDS:
            for bad in BAD:
                given = {"id": "plain", **command}
                for name, value in given.items():
                    if isinstance(value, str):
                        await socket.connection.send(json.dumps({**given, name: bad}))
                        # Commands are answered in order, and a ping is always answered.
                        assert (await socket.send("ping"))["type"] == "done"
        refused = [message for message in socket.others if message["type"] == "refused"]
        assert {message["problem"]["kind"] for message in refused} <= {
            *("malformed", "malformed-token", "wrong-seat-token", "illegal-token", "stale-revision", "no-offer"),
            *("not-abandoned", "nothing-to-undo", "nothing-to-confirm", "your-decision", "too-many", "wrong-turn"),
        }
