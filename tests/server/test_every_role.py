"""Which requests, sockets and socket commands each role may use.

The tables list the roles that are allowed. Every other role must be refused, and a refused request must change nothing.
The tests fail if a route or a socket command is missing from the tables.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import typing
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import pytest
import sqlalchemy as sa
import websockets
from fastapi.routing import APIWebSocketRoute
from starlette.routing import BaseRoute

from cairn import puzzles
from cairn.server.messages.commands import SocketCommand
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.storage.tables import METADATA
from cairn.server.web.app import create_app
from harness.server.client import PERSONS, START, Client
from harness.server.people import COOKIE, account, bot, browser, guest, identity_of, me
from harness.server.processes import listening, running
from harness.server.visitors import SLOW, number
from tests.server import test_account_roles as of_accounts

pytestmark = pytest.mark.anyio

OWNER: Final = "seat holder by cookie"
BY_TOKEN: Final = "seat holder by token"
OTHER_SEAT: Final = "holder of the other seat"
ROLES: Final = (
    "nobody",
    "guest",
    "account",
    "other account",
    OWNER,
    BY_TOKEN,
    OTHER_SEAT,
    "spectator",
    "bot of the owner",
    "bot of another",
    "muted",
    "administrator",
)
EVERYBODY: Final = frozenset(ROLES)
GUESTS: Final = frozenset({"nobody", "guest", "spectator", BY_TOKEN})
"""Roles without an account. A client that has only a seat token is included, because the server knows no player."""
BOTS: Final = frozenset({"bot of the owner", "bot of another"})
SEATS: Final = {OWNER: "forest", BY_TOKEN: "forest", OTHER_SEAT: "sea"}
"""The seat that each role holds in the online game."""
LIKE: Final = {
    OWNER: "other account",
    BY_TOKEN: "nobody",
    OTHER_SEAT: "other account",
    "spectator": "guest",
    "bot of the owner": "bot",
    "bot of another": "bot",
    "muted": "other account",
    "administrator": "admin",
}
"""The role in test_account_roles that each role is equivalent to."""
NOT_THEIRS: Final = frozenset(
    {
        *("account-needed", "admin-needed", "bot-needed", "bot-refused", "forbidden", "muted", "name-taken"),
        *("not-for-you", "not-your-challenge", "not-your-seat", "sign-in-needed", "signed-in-already"),
        *("unknown-bearer", "unknown-challenge", "unknown-token"),
    }
)
"""Refusals that depend on who makes the request."""


@dataclasses.dataclass(frozen=True)
class Row:
    """A request, and who may make it."""

    route: str
    who: frozenset[str] = EVERYBODY
    body: Any = None
    of: str = "online"
    """The game or challenge that the request is about."""
    endless: bool = False
    """Whether the response to an allowed request never ends. These requests are tested elsewhere."""


MINE: Final = frozenset({OWNER})
WINS: Final = "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD,b4AD,d4DR SAMD CS wofm 2-1 F"
PUZZLE: Final = puzzles.released()[0].id
HOLDERS: Final = frozenset(SEATS)
NUMBER: Final = {"number": "00" * 16}
COMMANDS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "play": ("tokens", {"revision": 0, "tribe": "forest", "token": "a1-a2"}),
    "undo": ("undo", {"revision": 0}),
    "confirm": ("confirm", {"revision": 0}),
    "offer": ("offer", {"revision": 0, "what": "draw"}),
    "answer": ("answer", {"revision": 0, "answer": "accept"}),
    "reveal": ("reveal", {"revision": 0, "link": "00" * 32}),
    "claim": ("claim", {}),
    "chat": ("chat", {"phrase": "hello"}),
    "resign": ("resign", {}),
}
"""Commands that change a game, with their HTTP paths and bodies. The command that ends the game comes last."""
HARMLESS: Final = {"hello", "ping"}
"""Socket commands that change nothing: ``hello`` claims a seat with its token, ``ping`` checks the connection."""

ROWS: Final = [
    Row("GET /api/health"),
    Row("GET /api/ready"),
    Row("GET /api/docs"),
    Row("GET /api/metrics", frozenset()),  # refused to clients on other machines; see test_operations
    Row("POST /api/positions/line", body={"position": START}),
    Row("POST /api/positions/analysis", body={"position": WINS}),
    Row("POST /api/explorer/moment", body={"position": START}),
    Row("GET /api/explorer/summary"),
    Row("GET /api/lobby"),
    Row("GET /api/live"),
    Row("GET /api/running"),
    Row("GET /api/games/{game}/picture.png"),
    Row("GET /api/leaderboard"),
    Row("GET /api/players/{name}"),
    Row("GET /api/bot/events", BOTS, endless=True),
    Row("GET /api/puzzles/ratings"),
    Row("POST /api/puzzles/attempts", EVERYBODY - BOTS, {"attempts": [{"puzzle": "00000000", "solved": True}]}),
    Row("POST /api/puzzles/{puzzle}/report", body={"text": "Two decisions win."}),
    Row("GET /api/games"),
    Row("POST /api/games", body={"seats": PERSONS, "position": START}),
    Row("POST /api/records", body={"text": f'[Position "{START}"]\n\n*\n'}),
    Row("GET /api/games/{game}"),
    Row("GET /api/games/{game}/record"),
    Row("GET /api/games/{game}/chat"),
    Row("GET /api/games/{game}/rematch", HOLDERS),
    Row("POST /api/games/{game}/rematch", HOLDERS),
    Row("POST /api/games/{game}/report", body={"text": "Hello."}),
    Row("GET /api/games/{game}", of="local"),
    *(Row(f"POST /api/games/{{game}}/{path}", MINE, body, "local") for path, body in list(COMMANDS.values())[:3]),
    Row("DELETE /api/games/{game}", MINE, of="local"),
    Row("POST /api/games/{game}/restore", MINE, of="local"),
    Row("POST /api/challenges", body={}),
    Row("POST /api/challenges", EVERYBODY - GUESTS, {"rated": True, "clock": SLOW}),
    Row("GET /api/challenges/{challenge}", of="lobby"),
    Row("GET /api/challenges/{challenge}", MINE, of="by link"),
    Row("GET /api/challenges/{challenge}", of="link"),
    Row("PUT /api/challenges/{challenge}/number", MINE, NUMBER, "by link"),
    Row("PUT /api/challenges/{challenge}/number", MINE, NUMBER, "link"),
    # The owner is refused as well, but only because the challenge is their own.
    Row("POST /api/challenges/{challenge}/accept", MINE, NUMBER, "by link"),
    Row("POST /api/challenges/{challenge}/accept", EVERYBODY - GUESTS, NUMBER, "rated"),
    Row("DELETE /api/challenges/{challenge}", MINE, of="by link"),
    Row("DELETE /api/challenges/{challenge}", frozenset(), of="lobby of another"),
]
PLAYED: Final = {f"POST /api/games/{{game}}/{path}" for path, _ in COMMANDS.values()}
SOCKETS: Final = {
    "/api/games/{game}/socket": [("online", EVERYBODY)],
    "/api/challenges/{challenge}/socket": [("by link", MINE), ("link", EVERYBODY), ("lobby", EVERYBODY)],
    "/api/lobby/socket": [("", EVERYBODY)],
}


# --- The tables are complete


def sockets_of(routes: list[BaseRoute]) -> Iterator[str]:
    for route in routes:
        if isinstance(route, APIWebSocketRoute):
            yield route.path
        else:
            # Framework versions differ in how they store included routers.
            router = getattr(route, "router", None) or getattr(route, "original_router", None)
            yield from sockets_of(list(getattr(router, "routes", None) or getattr(route, "routes", None) or []))


def test_every_route_is_in_a_table() -> None:
    app = create_app()
    known = {row.route for row in ROWS} | PLAYED | {endpoint.route for endpoint in of_accounts.ENDPOINTS}
    found = set(of_accounts.api_routes(list(app.routes))) | of_accounts.described(app)
    assert found >= {"GET /api/me", "GET /api/docs", "GET /api/games/{game}"}
    assert found - known == set(), "these routes are missing from the tables"
    assert known - found == set(), "these routes no longer exist"
    assert set(sockets_of(list(app.routes))) == set(SOCKETS)


def test_every_command_is_in_a_table() -> None:
    union = typing.get_args(SocketCommand)[0]
    types = {typing.get_args(typing.get_type_hints(each)["type"])[0] for each in typing.get_args(union)}
    assert types == set(COMMANDS) | HARMLESS


# --- Clients, games and challenges


@dataclasses.dataclass
class Town:
    """A client for each role, and the games and challenges that the clients act on."""

    people: dict[str, Client]
    names: dict[str, str]
    address: str
    seat: str

    def target(self, route: str, of: str = "online") -> str:
        place = {"game": self.names[of], "challenge": self.names[of]}
        return route.partition(" ")[2].format(**place, name="Owner", token="0" * 16, report="1", puzzle=PUZZLE)

    async def ask(self, role: str, route: str, body: Any, of: str = "online") -> tuple[int, str]:
        """Send a request; return the status and the kind of problem, if any."""
        method, http = route.partition(" ")[0], self.people[role].http
        answer = await http.request(method, self.target(route, of), json=body)
        if role in ("nobody", BY_TOKEN):
            http.cookies.clear()  # a request may have created a guest, but this role must stay without a player
        told = answer.json() if answer.is_error else {}
        return answer.status_code, told.get("kind", "")

    async def command(self, role: str, name: str, tribe: str | None) -> tuple[int, str]:
        """Send a command for a tribe. If ``tribe`` is None, the server uses the role's own tribe."""
        path, body = COMMANDS[name]
        return await self.ask(role, f"POST /api/games/{{game}}/{path}", addressed(body, name, tribe))

    def headers(self, role: str) -> dict[str, str]:
        """Return the headers for a socket handshake."""
        http = self.people[role].http
        found = {"Authorization": http.headers["Authorization"]} if "Authorization" in http.headers else {}
        cookie = http.cookies.get(COOKIE)
        return {**found, "Cookie": f"{COOKIE}={cookie}"} if cookie else found

    @contextlib.asynccontextmanager
    async def socket(self, role: str, path: str) -> AsyncIterator[websockets.ClientConnection]:
        target = f"ws{self.address.removeprefix('http').rstrip('/')}{path}"
        async with websockets.connect(target, additional_headers=self.headers(role)) as connection:
            yield connection

    async def everything(self) -> dict[str, list[Any]]:
        """Return all stored data, except last-seen times and guests: even a refused request can create a guest."""
        app = self.people["nobody"].app
        assert app is not None
        changing = ("sessions", "heartbeats", "presences")

        def kept(connection: sa.Connection) -> dict[str, list[Any]]:
            found = {}
            for table in [each for each in METADATA.sorted_tables if each.name not in changing]:
                rows = connection.execute(sa.select(table).order_by(*table.primary_key))
                found[table.name] = [tuple(row) for row in rows if row._mapping.get("kind") != "guest"]
            return found

        everything: dict[str, list[Any]] = await app.state.services.database.read(kept)
        return everything


@pytest.fixture
async def town(settings: Settings) -> AsyncIterator[Town]:
    async with running(dataclasses.replace(settings, public=True, limits=NO_LIMITS)) as client:
        app = client.app
        assert app is not None
        elsewhere = "192.0.2.1"
        owner, other = await account(client, "Owner"), await account(client, "Other")
        stranger, muted = await account(client, "Stranger"), await account(client, "Muted")
        await identity_of(client).mute("Muted", True, "a test")
        people = {
            "nobody": browser(app, address=elsewhere),
            "guest": await guest(client),
            "account": stranger,
            "other account": await account(client, "Another"),
            OWNER: owner,
            BY_TOKEN: browser(app, address=elsewhere),
            OTHER_SEAT: other,
            "spectator": await guest(client),
            "bot of the owner": await bot(owner, "Robot"),
            "bot of another": await bot(stranger, "Android"),
            "muted": muted,
            "administrator": await account(client, "Admin", admin=True),
        }
        names = {"": "", "local": (await owner.begin(PERSONS, position=START))["id"]}

        async def challenge(by: Client, of: str, *, ready: bool = True, **fields: Any) -> Any:
            made = await by.post("/challenges", fields, status=201)
            names[of] = made["challenge"]["id"]
            if ready:
                await by.ask("PUT", f"/challenges/{names[of]}/number", {"number": number()})
            return made

        made = await challenge(owner, "online", tribe="forest", first="forest")
        await other.post(f"/challenges/{made['invite']}/accept", {"number": number()}, status=201)
        people[BY_TOKEN].http.headers["X-Seat-Token"] = made["seat"]
        await challenge(owner, "lobby", open=True)
        await challenge(owner, "rated", open=True, rated=True, clock=SLOW)
        unrelated = await account(client, "Unrelated")
        await challenge(unrelated, "lobby of another", open=True)
        names["link"] = (await challenge(owner, "by link", ready=False))["invite"]
        async with listening(app) as address:
            for each in people.values():
                each.http._transport.client = (elsewhere, 1234)  # type: ignore[attr-defined]
            yield Town(people, names, address, made["seat"])
            for each in (*people.values(), unrelated):
                await each.http.aclose()


# --- Permissions


@pytest.mark.slow
async def test_every_role_can_do_only_what_the_tables_allow(town: Town) -> None:
    """Every role first tries what it may not do, and nothing changes. Then every role tries what it may do."""
    before = await town.everything()
    for row, role in itertools.product(ROWS, ROLES):
        if role not in row.who:
            status, kind = await town.ask(role, row.route, row.body, row.of)
            assert (status // 100, kind in NOT_THEIRS) == (4, True), (role, row, status, kind)
    for role, name, tribe in itertools.product(ROLES, COMMANDS, ("forest", "sea", None)):
        if not may_act(role, name, tribe):
            told = await town.command(role, name, tribe)
            assert told == (403, "not-your-seat"), (role, name, tribe)
    for endpoint, (role, like) in itertools.product(of_accounts.ENDPOINTS, LIKE.items()):
        expected = of_accounts.verdict(endpoint, like)
        if expected in NOT_THEIRS - {"name-taken", "unknown-token"}:  # these two depend on who owns the bot
            status, kind = await town.ask(role, endpoint.route, of_accounts.body_for(endpoint, like))
            assert (status // 100, kind) == (4, expected), (role, endpoint)
    assert await town.everything() == before

    for row, role in itertools.product(ROWS, ROLES):
        if role in row.who and not row.endless:
            status, kind = await town.ask(role, row.route, row.body, row.of)
            assert status < 500
            assert kind not in NOT_THEIRS, (role, row, status, kind)
    for name, (role, tribe) in itertools.product(COMMANDS, SEATS.items()):
        status, kind = await town.command(role, name, tribe)
        assert kind not in NOT_THEIRS, (role, name, status, kind)


def may_act(role: str, name: str, tribe: str | None) -> bool:
    """Return whether a role may send a command for a tribe. For chat, any seat is enough."""
    own = SEATS.get(role)
    return own is not None and (name == "chat" or tribe == own or (tribe is None and (name, own) != ("play", "sea")))


def addressed(body: dict[str, Any], name: str, tribe: str | None) -> dict[str, Any]:
    """Add the tribe, if any, to the body of a command. Chat messages have no tribe."""
    return {**body, "tribe": tribe} if tribe and name != "chat" else body


async def test_sockets_open_only_for_the_allowed_roles(town: Town) -> None:
    for path, places in SOCKETS.items():
        for (of, who), role in itertools.product(places, ROLES):
            target = path.format(game=town.names[of], challenge=town.names[of])
            async with town.socket(role, target) as socket:
                try:
                    told = json.loads(await socket.recv())
                except websockets.ConnectionClosed:
                    assert socket.close_code == 4404
                    assert role not in who, (role, path, of)
                else:
                    assert role in who, (role, path, of)
                    assert told["type"] in ("game", "challenge", "lobby")
                    if told["type"] == "game":
                        expected = [] if role == BY_TOKEN else [SEATS[role]] if role in SEATS else []
                        assert told["game"]["you"] == expected, role


async def test_no_role_can_send_a_socket_command_for_another_seat(town: Town) -> None:
    before = await town.everything()
    for role in ROLES:
        async with town.socket(role, town.target("GET /api/games/{game}/socket")) as socket:

            async def answer(name: str, command: dict[str, Any], to: websockets.ClientConnection) -> Any:
                await to.send(json.dumps({"type": name, "id": "x", **command}))
                while (told := json.loads(await to.recv()))["type"] not in ("done", "refused"):
                    assert told.get("done") is None, "the command changed the game"
                return told

            assert (await answer("ping", {}, socket))["type"] == "done"
            if role == BY_TOKEN:
                assert (await answer("hello", {"seat": town.seat}, socket))["type"] == "done"
            else:
                told = await answer("hello", {"seat": "0" * 43}, socket)
                assert (told["type"], told["problem"]["kind"]) == ("refused", "wrong-seat-token")
            for (name, (_, body)), tribe in itertools.product(COMMANDS.items(), ("forest", "sea", None)):
                if not may_act(role, name, tribe):
                    told = await answer(name, addressed(body, name, tribe), socket)
                    assert told["type"] == "refused", (role, name, tribe)
                    assert told["problem"]["kind"] == "not-your-seat", (role, name, tribe)
    assert await town.everything() == before


async def test_every_role_is_what_its_name_says(town: Town) -> None:
    """If a role were set up incorrectly, the tables would prove nothing."""
    found = {role: await me(client) for role, client in town.people.items()}
    kinds = {role: player["kind"] if player else None for role, player in found.items()}
    assert {role for role, kind in kinds.items() if kind in (None, "guest")} == GUESTS
    assert {role for role, kind in kinds.items() if kind == "bot"} == BOTS
    assert len({player["id"] for player in found.values() if player}) == len(ROLES) - 2
    assert (await town.people["administrator"].get("/me"))["admin"]
    assert (await town.people["muted"].get("/me"))["muted"]
    for role, client in town.people.items():
        view = await client.get(f"/games/{town.names['online']}")
        assert view["you"] == ([SEATS[role]] if role in SEATS else []), role
