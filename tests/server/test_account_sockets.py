"""Open sockets: a socket closes when its session ends, and the number of sockets is limited."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from sqlalchemy.exc import IntegrityError
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from cairn.server.errors import StorageError
from cairn.server.live.periodic import PeriodicTask
from cairn.server.players.limits import NO_LIMITS, Limiter, Limits, Rate, TooMany
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from cairn.server.storage.engines.database import Database
from cairn.server.storage.players.repository import PlayerRepository
from cairn.server.storage.players.rows import Player, Session
from cairn.server.storage.presence import PresenceRepository
from cairn.server.web import socket_registry
from cairn.server.web.middleware.rate_limit import RateLimit
from cairn.server.web.middleware.socket_gate import SocketGate
from cairn.server.web.socket_registry import SocketRegistry, receive_text
from harness.server.postgresql import PostgresServer
from harness.server.processes import listening
from harness.server.visitors import PASSWORD, Socket, Visitor, application, begun, refused, table, two

pytestmark = pytest.mark.anyio


async def end_of(socket: Socket) -> tuple[int, str]:
    """Wait until a socket is closed; return the close code and reason."""
    with contextlib.suppress(websockets.ConnectionClosed):
        async with asyncio.timeout(20):
            while True:
                await socket.connection.recv()
    assert socket.connection.close_code is not None
    return socket.connection.close_code, socket.connection.close_reason or ""


async def another_browser(visitor: Visitor) -> Visitor:
    """Return another browser that is signed in to the same account."""
    other = Visitor(visitor.address)
    await other.post("/session", {"name": "Ann", "password": PASSWORD})
    return other


# --- The end of a session


@pytest.fixture
def no_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the periodic session check, so that a socket closes only if the end of its session closes it directly."""
    monkeypatch.setattr(socket_registry, "CHECK_SECONDS", 3_600)


@pytest.mark.parametrize("how", ["sign-out", "deletion", "another password", "link", "another sign-in"])
async def test_a_socket_closes_when_its_session_ends(settings: Settings, how: str, no_polling: None) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        await ann.sign_up("Ann")
        game = await begun(ann, ben)
        elsewhere = await another_browser(ann)
        cookies = httpx.Cookies(ann.http.cookies)
        async with (
            ann.socket(game["id"]) as forest,
            ben.socket(game["id"]) as sea,
            elsewhere.socket(game["id"]) as kept,
        ):
            match how:
                case "sign-out":
                    await ann.ask("DELETE", "/session", status=204)
                case "deletion":
                    await elsewhere.ask("DELETE", "/account", {"password": PASSWORD}, status=204)
                case "another password":
                    await elsewhere.post("/account/password", {"old": PASSWORD, "new": "another one"}, status=204)
                case "link":
                    link = await app.state.services.identity.issue_reset("Ann", "a test")
                    async with Visitor(address) as nobody:
                        await nobody.post(f"/reset/{link.token}", {"password": "another one"})
                case "another sign-in":
                    await ann.post("/session", {"name": "Ann", "password": PASSWORD})
            assert await end_of(forest) == (4401, "You were signed out.")
            if how == "deletion":  # the other clients must reconnect to see that the player was deleted
                assert (await end_of(sea))[0] == 1013
                assert (await ben.view(game))["players"]["forest"]["kind"] == "deleted"
            else:
                assert (await sea.send("ping"))["type"] == "done"
            if how in ("deletion", "link"):
                assert await end_of(kept) == (4401, "You were signed out.")
            else:
                assert (await kept.play())["type"] == "done"
        # The browser reconnects automatically, but as a spectator.
        async with Visitor(address) as again:
            again.http.cookies = cookies
            async with again.socket(game["id"]) as watcher:
                assert watcher.game["you"] == []
                assert refused(await watcher.send("resign")) == "not-your-seat"
        await elsewhere.http.aclose()


async def test_a_deleted_player_cannot_act_with_a_seat_token(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as nobody:
        game = await begun(ann, ben)
        seat = ann.seat
        async with nobody.socket(game["id"]) as socket:
            assert (await socket.send("hello", seat=seat))["type"] == "done"
            assert socket.game["you"] == ["forest"]
        await ann.ask("DELETE", "/account", {}, status=204)
        async with nobody.socket(game["id"]) as socket:
            await socket.send("hello", seat=seat)
            assert socket.game["you"] == []
            assert refused(await socket.send("resign")) == "not-your-seat"


async def test_a_bot_socket_closes_when_its_token_is_revoked(settings: Settings, no_polling: None) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as robot:
        await ann.sign_up("Ann")
        made = await ann.post("/account/tokens", {"bot": "Robot"}, status=201)
        other = await ann.post("/account/tokens", {"bot": "Robot"}, status=201)
        robot.http.headers["Authorization"] = f"Bearer {made['token']}"
        game = await begun(robot, ben)
        target = f"ws{address.removeprefix('http').rstrip('/')}/api/games/{game['id']}/socket"
        async with contextlib.AsyncExitStack() as stack:
            one, two_ = [
                await stack.enter_async_context(
                    websockets.connect(target, additional_headers={"Authorization": f"Bearer {each['token']}"})
                )
                for each in (made, other)
            ]
            first, second = await Socket(one).begin(), await Socket(two_).begin()
            await ann.ask("DELETE", f"/account/tokens/{made['about']['id']}", status=204)
            assert (await end_of(first))[0] == 4401
            assert (await second.play())["type"] == "done"


async def test_a_socket_closes_when_another_process_ends_its_session(
    settings: Settings, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_registry, "CHECK_SECONDS", 0.2)
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS)
    async with table(shared) as one, table(shared) as other, two(one) as (ann, ben), Visitor(other) as there:
        await ann.sign_up("Ann")
        game = await begun(ann, ben)
        there.http.cookies = httpx.Cookies(ann.http.cookies)
        async with there.socket(game["id"]) as forest:
            assert forest.game["you"] == ["forest"]
            assert (await forest.play())["type"] == "done"
            await ann.ask("DELETE", "/session", status=204)
            assert await end_of(forest) == (4401, "You were signed out.")
        async with there.socket(game["id"]) as watcher:
            assert watcher.game["you"] == []
            async with ben.socket(game["id"]):  # a process sees only its own watchers, so it sends no number
                while not (news := await watcher.hear("presence"))["sea"]:
                    pass
                assert news["watchers"] is None
            await ann.post("/session", {"name": "Ann", "password": PASSWORD})
            await ann.ask("DELETE", "/account", {"password": PASSWORD}, status=204)
            assert await end_of(watcher) == (1013, "")
        # The other process has dropped the cached name and seat token, too.
        view = await there.view(game)
        assert (view["players"]["forest"]["kind"], view["seats"]["forest"]["name"]) == ("deleted", None)
        there.http.headers["X-Seat-Token"] = ann.seat
        assert (await there.post(f"/games/{game['id']}/resign", {}, status=403))["kind"] == "not-your-seat"


@pytest.mark.parametrize("how", ["sign-up", "deletion"])
async def test_a_session_ends_even_if_its_sockets_cannot_be_checked(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    async def fail(*_: object) -> None:
        raise StorageError("too busy")

    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as nobody:
        game = await begun(ann, ben)
        monkeypatch.setattr(PlayerRepository, "existing_sessions", fail)
        nobody.http.headers["X-Seat-Token"] = ann.seat
        async with ann.socket(game["id"]):
            if how == "sign-up":
                await ann.sign_up("Ann")
                assert (await ann.get("/me"))["player"]["name"] == "Ann"
            else:
                assert (await nobody.view(game))["you"] == ["forest"]
                await ann.ask("DELETE", "/account", {}, status=204)
                assert (await nobody.view(game))["you"] == []


async def test_periodic_work_continues_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A periodic task runs again after any kind of error."""
    database = await Database.open(tmp_path / DATABASE)
    asked: asyncio.Queue[str] = asyncio.Queue()

    async def fail(*_: object) -> Any:
        asked.put_nowait("again")
        raise IntegrityError("a statement", {}, Exception("somebody came back"))

    monkeypatch.setattr(PlayerRepository, "existing_sessions", fail)
    monkeypatch.setattr(socket_registry, "CHECK_SECONDS", 0.01)
    opened_by_ann = SocketRegistry(NO_LIMITS)
    socket = opened_by_ann.add("192.0.2.1", fail)
    assert socket is not None
    now = datetime.datetime.now(datetime.UTC)
    opened_by_ann.assign(socket, Player("ann", "guest", None, now), Session("hash", "ann", "browser", now, now))
    opened_by_ann.start(PlayerRepository(database))
    for each in (
        opened_by_ann,
        PeriodicTask(fail, 0.01, "it failed"),
        PeriodicTask(fail, 0.01, "it failed", first=0.02),
    ):
        if not isinstance(each, SocketRegistry):
            each.start()
        async with asyncio.timeout(20):
            for _ in range(3):
                await asked.get()
        await each.close()
        while not asked.empty():
            asked.get_nowait()
    await database.close()


async def test_the_heartbeat_continues_after_a_failure(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    beaten: asyncio.Queue[str] = asyncio.Queue()

    async def fail(*_: object) -> None:
        beaten.put_nowait("again")
        raise IntegrityError("a statement", {}, Exception("no such game"))

    monkeypatch.setattr(PresenceRepository, "beat", fail)
    async with application(dataclasses.replace(settings, public=True)), asyncio.timeout(20):
        for _ in range(3):
            await beaten.get()


async def test_messages_after_the_end_of_a_session_are_discarded() -> None:
    """Messages are discarded in both directions, even if the client leaves its side open and keeps sending."""
    heard, said = list[str](), list[Message]()
    gone = asyncio.Event()

    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        there.append(scope[socket_registry.KEY][1])
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        while (text := await receive_text(socket)) is not None:
            heard.append(text)
            await socket.send_text("yes")
        await socket.send_text("too late")

    there: list[Any] = []
    gate = SocketGate(route, all_of := SocketRegistry(NO_LIMITS))
    coming: asyncio.Queue[Message] = asyncio.Queue()

    async def keep(message: Message) -> None:
        said.append(message)
        if message["type"] == "websocket.close":
            gone.set()

    scope: Scope = {"type": "websocket", "client": ("192.0.2.1", 1), "headers": []}
    task = asyncio.create_task(gate(scope, coming.get, keep))
    await coming.put({"type": "websocket.connect"})
    await coming.put({"type": "websocket.receive", "text": "one"})
    while not heard:
        await asyncio.sleep(0)
    all_of._end(there[0])
    await gone.wait()
    await coming.put({"type": "websocket.receive", "text": "two"})
    await task
    assert heard == ["one"]
    assert [message.get("text") for message in said if message["type"] == "websocket.send"] == ["yes"]
    assert not all_of._by_address


async def test_a_muted_player_cannot_chat_over_an_open_socket(settings: Settings) -> None:
    """A muted player cannot get around this with the seat token of a player who is not muted."""
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            assert (await forest.send("chat", phrase="hello"))["type"] == "done"
            await app.state.services.identity.mute(game["players"]["forest"]["id"], True, by="a test")
            assert refused(await forest.send("chat", phrase="hello")) == "muted"
            assert (await forest.play())["type"] == "done"
            async with Visitor(address) as nobody, nobody.socket(game["id"]) as other:
                await other.send("hello", seat=ann.seat)
                assert refused(await other.send("chat", phrase="hello")) == "muted"
        async with Visitor(address) as eve:
            await eve.challenge()
            await app.state.services.identity.mute((await eve.get("/me"))["player"]["id"], True, by="a test")
            async with eve.socket(game["id"]) as other:
                await other.send("hello", seat=ben.seat)
                assert refused(await other.send("chat", phrase="hello")) == "muted"
        lines = (await ben.get(f"/games/{game['id']}/chat"))["lines"]
        assert len(lines) == 1


# --- Limits


async def test_the_number_of_sockets_per_address_is_limited(settings: Settings) -> None:
    limited = dataclasses.replace(settings, limits=Limits(sockets_of_address=3))
    async with table(limited) as address, Visitor(address) as ann:
        for _ in range(2):  # the second round shows that closed sockets do not count
            async with contextlib.AsyncExitStack() as stack:
                for _ in range(3):
                    assert await (await stack.enter_async_context(ann.listen("/lobby/socket"))).recv()
                async with ann.listen("/lobby/socket") as one_more:
                    code, sentence = await end_of(Socket(one_more))
                assert code == 4429
                assert sentence == "Too many sockets are open from your address. Please close some pages."
            await asyncio.sleep(0.1)


async def test_the_number_of_sockets_per_player_is_limited(settings: Settings) -> None:
    limited = dataclasses.replace(settings, limits=Limits(sockets_of_player=2))
    async with table(limited) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]), ann.socket(game["id"]), ben.socket(game["id"]):
            async with ann.listen(f"/games/{game['id']}/socket") as one_more:
                assert await end_of(Socket(one_more)) == (
                    4429,
                    "You have too many sockets open. Please close some pages.",
                )
            async with Visitor(address) as nobody, nobody.socket(game["id"]) as watcher:
                assert (await watcher.send("ping"))["type"] == "done"


async def test_opening_sockets_does_not_evict_other_rate_limit_buckets() -> None:
    """All sockets from an address share one bucket."""
    limiter = Limiter(Limits(sign_up=Rate(1, 3_600)), most_buckets=2)
    limiter.spend("sign_up", "192.0.2.1")

    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        while await receive_text(socket) is not None:
            pass

    async def keep(_: Message) -> None:
        pass

    gate = RateLimit(SocketGate(route, SocketRegistry(NO_LIMITS)), limiter)
    for port in range(5):
        coming: asyncio.Queue[Message] = asyncio.Queue()
        for message in ("websocket.connect", "websocket.receive", "websocket.disconnect"):
            coming.put_nowait({"type": message})
        scope: Scope = {"type": "websocket", "client": ("192.0.2.1", port), "headers": []}
        await gate(scope, coming.get, keep)
    with pytest.raises(TooMany):
        limiter.spend("sign_up", "192.0.2.1")
