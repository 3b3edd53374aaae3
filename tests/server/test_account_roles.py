"""What each role may do at the endpoints for players. ``test_every_role`` covers the other endpoints."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Final

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from cairn.server.settings import Settings
from harness.server.client import START, Client
from harness.server.people import PASSWORD, account, bot, browser, guest, identity_of, me, unlimited

pytestmark = pytest.mark.anyio

ROLES: Final = ("nobody", "guest", "account", "other account", "bot", "admin")


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """A request for data that belongs to the client "account", and the verdict for each role.

    A verdict is an HTTP status or the kind of a problem.
    """

    route: str
    body: Any = None
    verdicts: tuple[int | str, ...] = ()


def everybody(status: int) -> tuple[int | str, ...]:
    return (status,) * len(ROLES)


UNKNOWN: Final = "sign-in-needed"
GUEST: Final = "account-needed"
BOT: Final = "bot-refused"
PERSONS: Final = (UNKNOWN, 204, 204, 204, BOT, 204)
ADMIN: Final = "admin-needed"


def admins(status: int) -> tuple[int | str, ...]:
    return (UNKNOWN, GUEST, ADMIN, ADMIN, BOT, status)


ENDPOINTS: Final = [
    Endpoint("GET /api/me", None, everybody(200)),
    Endpoint(
        "POST /api/account",
        {"name": "New#", "password": PASSWORD},
        (201, 201, *["signed-in-already"] * 2, BOT, "signed-in-already"),
    ),
    Endpoint("POST /api/session", {"name": "Ann", "password": PASSWORD}, everybody(200)),
    Endpoint("DELETE /api/session", None, PERSONS),
    Endpoint("DELETE /api/account", {"password": PASSWORD}, PERSONS),
    Endpoint("GET /api/account/export", None, (UNKNOWN, 200, 200, 200, BOT, 200)),
    Endpoint(
        "POST /api/account/password",
        {"old": PASSWORD, "new": "something else"},
        (UNKNOWN, GUEST, 204, 204, BOT, 204),
    ),
    Endpoint("POST /api/reset/{token}", {"password": "something else"}, everybody(200)),
    Endpoint("POST /api/account/tokens", {"bot": "Robot#"}, (UNKNOWN, GUEST, 201, 201, BOT, 201)),
    # Only the owner of a bot can create another token for it.
    Endpoint("POST /api/account/tokens", {"bot": "Robot"}, (UNKNOWN, GUEST, 201, "name-taken", BOT, "name-taken")),
    Endpoint("GET /api/account/tokens", None, (UNKNOWN, GUEST, 200, 200, BOT, 200)),
    Endpoint("DELETE /api/account/tokens/{token}", None, (UNKNOWN, GUEST, 204, "unknown-token", BOT, "unknown-token")),
    Endpoint("POST /api/admin/players/{name}/reset", None, admins(201)),
    Endpoint("POST /api/admin/players/{name}/mute", {"muted": True}, admins(200)),
    Endpoint("GET /api/admin/reports", None, admins(200)),
    Endpoint("GET /api/admin/damage", None, admins(200)),
    Endpoint("GET /api/admin/traffic", None, admins(200)),
    Endpoint("POST /api/admin/reports/{report}/done", None, admins(204)),
]


@dataclasses.dataclass
class Town:
    """A client for each role, and path parameters that refer to data of the client "account"."""

    people: Mapping[str, Client]
    parameters: Mapping[str, str]


@pytest.fixture
async def town(settings: Settings) -> AsyncIterator[Town]:
    async with unlimited(settings) as client:
        ann = await account(client, "Ann")
        robot = await bot(ann, "Robot")
        people = {
            "nobody": browser(client.app),
            "guest": await guest(client),
            "account": ann,
            "other account": await account(client, "Ben"),
            "bot": robot,
            "admin": await account(client, "Admin", admin=True),
        }
        identity = identity_of(client)
        game = await client.begin(position=START)
        player = await identity.find("Ann")
        parameters = {
            "token": (await ann.get("/account/tokens"))["tokens"][0]["id"],
            "name": "Ann",
            "report": str(await identity.report(player, None, game["id"], "Hello.")),
            "secret": (await identity.issue_reset("Ann", "a test")).token,
        }
        yield Town(people, parameters)


def api_routes(routes: list[BaseRoute]) -> Iterator[str]:
    """Yield every route of the application in the form ``GET /api/me``."""
    for route in routes:
        if isinstance(route, APIRoute):
            yield from (f"{method} {route.path}" for method in route.methods or ())
        else:
            # Framework versions differ in how they store included routers.
            router = getattr(route, "router", None) or getattr(route, "original_router", None)
            yield from api_routes(list(getattr(router, "routes", None) or getattr(route, "routes", None) or []))


def described(app: FastAPI) -> set[str]:
    return {f"{method.upper()} {path}" for path, operations in app.openapi()["paths"].items() for method in operations}


def verdict(endpoint: Endpoint, role: str) -> int | str:
    return endpoint.verdicts[ROLES.index(role)]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.route.replace("/api", ""))
async def test_every_role_gets_the_expected_verdict(town: Town, endpoint: Endpoint) -> None:
    assert len(endpoint.verdicts) == len(ROLES)
    method, _, path = endpoint.route.partition(" ")
    # Try the refused roles first, before an accepted request changes the data.
    for role in sorted(ROLES, key=lambda role: isinstance(verdict(endpoint, role), int)):
        if "/reset/{token}" in path:
            await new_link(town)
            target = path.format(token=town.parameters["secret"])
        else:
            target = path.format(**town.parameters)
        expected = verdict(endpoint, role)
        answer = await town.people[role].http.request(method, target, json=body_for(endpoint, role))
        told = answer.json() if answer.content else {}
        if isinstance(expected, int):
            assert answer.status_code == expected, (role, told)
        else:
            assert (answer.status_code // 100, told["kind"]) == (4, expected), (role, told)
            assert told["sentence"].endswith(".")


def body_for(endpoint: Endpoint, role: str) -> Any:
    """Return the body of a request: names differ between roles, and a guest deletes itself without a password."""
    if endpoint.route == "DELETE /api/account" and role == "guest":
        return {}
    if endpoint.body is None:
        return None
    number = str(ROLES.index(role))
    return {
        key: value.replace("#", number) if isinstance(value, str) else value for key, value in endpoint.body.items()
    }


async def new_link(town: Town) -> None:
    """Issue a new reset link, because each link works only once."""
    identity = identity_of(town.people["nobody"])
    town.parameters = {**town.parameters, "secret": (await identity.issue_reset("Ann", "a test")).token}


async def test_refusals_change_nothing(town: Town) -> None:
    """Every role tries everything that it is not allowed to do; afterwards, all data is unchanged."""

    async def everything() -> list[object]:
        found: list[object] = [await me(each) for each in town.people.values()]
        for role in ("account", "other account", "admin"):
            found += [await town.people[role].get("/account/tokens"), (await town.people[role].get("/me"))["muted"]]
        return [*found, await town.people["admin"].get("/admin/reports")]

    before = await everything()
    for endpoint in ENDPOINTS:
        method, _, path = endpoint.route.partition(" ")
        for role in ROLES:
            if isinstance(verdict(endpoint, role), str):
                target = path.format(**town.parameters)
                answer = await town.people[role].http.request(method, target, json=body_for(endpoint, role))
                assert answer.is_client_error
    assert await everything() == before
    # The reset link still works, so no refused request has replaced it.
    await town.people["nobody"].post(f"/reset/{town.parameters['secret']}", {"password": "something else"})


async def test_a_former_administrator_is_refused(town: Town) -> None:
    admin = town.people["admin"]
    await identity_of(admin).make_admin("Admin", False, "a test")
    assert (await admin.get("/admin/reports", status=403))["kind"] == "admin-needed"
