"""Watching a game over a real socket."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
import websockets

from cairn.server.messages.games import Update
from cairn.server.run.direct_protocol import DirectProtocol
from cairn.server.run.websocket_protocol import CountedProtocol
from cairn.server.settings import Settings
from cairn.server.speedups.uvicorn_protocol import MOST_WAITING
from cairn.server.transport.hub import LONGEST_QUEUE, Hub
from harness.server.client import AGAINST_COMPUTER, LEAVES, START, Client, updated
from harness.server.processes import listening, running

pytestmark = pytest.mark.anyio


async def heard(socket: websockets.ClientConnection) -> Any:
    return json.loads(await socket.recv())


def address(server: str, game: str) -> str:
    return f"ws{server.removeprefix('http')}api/games/{game}/socket"


@pytest.mark.parametrize("sockets", [DirectProtocol, CountedProtocol])
async def test_every_watcher_receives_all_updates_in_order(client: Client, sockets: type[asyncio.Protocol]) -> None:
    """The order is the same with and without direct writes."""
    assert client.app is not None
    async with listening(client.app, sockets) as server:
        game = await client.begin(position=LEAVES)
        async with websockets.connect(address(server, game["id"])) as first:
            assert await heard(first) == {"type": "game", "game": game}
            update = await client.play(game, "a5-out")
            assert await heard(first) == {"type": "update", "update": update, "done": None}
            game = updated(game, update)
            async with websockets.connect(address(server, game["id"])) as second:
                assert (await heard(second))["game"]["revision"] == 1
                for change in (client.play(game, "=DR"),):
                    update = await change
                    for watcher in (first, second):
                        assert await heard(watcher) == {"type": "update", "update": update, "done": None}


async def test_a_burst_of_commands_is_answered_in_order(client: Client) -> None:
    """More commands arrive than the queue can hold."""
    assert client.app is not None
    async with listening(client.app) as server:
        game = await client.begin(position=START)
        async with websockets.connect(address(server, game["id"])) as socket:
            assert (await heard(socket))["type"] == "game"
            ids = [str(number) for number in range(10 * MOST_WAITING)]
            for given in ids:
                await socket.send(json.dumps({"type": "ping", "id": given}))
            assert [(await heard(socket))["id"] for _ in ids] == ids


@pytest.mark.slow
async def test_a_watcher_who_reads_nothing_for_a_while_misses_nothing(client: Client) -> None:
    """Messages that cannot be sent immediately are queued, and arrive in order."""
    assert client.app is not None
    async with listening(client.app, send_buffer=4_096) as server:
        game = await client.begin(position=START)
        target = address(server, game["id"])
        async with (
            websockets.connect(target, max_queue=1, compression=None) as slow,
            websockets.connect(target) as other,
        ):
            line = slow.transport.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            await heard(other)
            revisions: list[int] = []
            while len(revisions) < LONGEST_QUEUE // 2:
                what = {"type": "undo"} if game["steps"] else {"type": "play", "tribe": "forest", "token": "a1-a2"}
                command = {**what, "id": str(len(revisions)), "revision": game["revision"]}
                await other.send(json.dumps(command))
                game = updated(game, (await heard(other))["update"])
                revisions.append(game["revision"])
            assert client.app.state.services.hub.queued > 0
            assert (await heard(slow))["game"]["revision"] == 0
            assert [(await heard(slow))["update"]["revision"] for _ in revisions] == revisions


async def test_each_token_from_the_computer_is_sent_separately(client: Client) -> None:
    assert client.app is not None
    async with listening(client.app) as server:
        game = await client.begin(AGAINST_COMPUTER, position=START)
        async with websockets.connect(address(server, game["id"])) as socket:
            assert (await heard(socket))["type"] == "game"
            await client.play(game, "a1-a2")
            game = updated(game, (await heard(socket))["update"])
            while not game["now"]["choices"]:
                update = (await heard(socket))["update"]
                assert len([step for step in update["steps"] if step["by"] == "sea"]) == 1
                game = updated(game, update)
            assert game["steps"][1]["by"] == "sea"
            view = await client.view(game)
            assert view["steps"] == game["steps"]
            assert view["now"] == game["now"]


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        *((game, "There is no such game.") for game in ("nobody", "%20", "x" * 200)),
        ("%00", "There is nothing at this address."),
    ],
)
async def test_a_socket_for_an_unknown_game_is_closed(client: Client, game: str, sentence: str) -> None:
    assert client.app is not None
    async with listening(client.app) as server, websockets.connect(address(server, game)) as socket:
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4404, sentence)


async def test_deleting_a_game_closes_its_sockets(client: Client) -> None:
    assert client.app is not None
    async with listening(client.app) as server:
        game = await client.begin(position=START)
        async with websockets.connect(address(server, game["id"])) as socket:
            await heard(socket)
            await client.ask("DELETE", f"/games/{game['id']}", status=204)
            with pytest.raises(websockets.ConnectionClosed):
                await socket.recv()


async def test_a_finished_game_stays_in_memory_while_it_is_watched(client: Client) -> None:
    assert client.app is not None
    authority = client.app.state.services.authority
    await client.begin(position=START)
    text = f'[Result "S"]\n[Reason "resignation"]\n[Position "{START}"]\n\n1 F a1-a2\nS\n'
    over = await client.post("/records", {"text": text}, status=201)
    assert authority.games_in_memory == 1
    async with listening(client.app) as server:
        async with websockets.connect(address(server, over["id"])) as socket:
            assert (await heard(socket))["game"] == over
            await client.view(over)
            assert authority.games_in_memory == 2
        async with asyncio.timeout(10):
            while authority.games_in_memory > 1:
                await asyncio.sleep(0.01)


async def test_invalid_messages_from_watchers_are_ignored(client: Client) -> None:
    assert client.app is not None
    async with listening(client.app) as server:
        game = await client.begin(position=START)
        async with websockets.connect(address(server, game["id"])) as socket:
            await heard(socket)
            for message in ("hello", b"\xff\x00", "{", json.dumps({"type": "play", "token": "a1-a2"})):
                await socket.send(message)
            update = await client.play(game, "a1-a2")
            assert (await heard(socket))["update"] == update


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}])
async def test_other_sites_cannot_watch(client: Client, headers: dict[str, str]) -> None:
    assert client.app is not None
    async with listening(client.app) as server:
        game = await client.begin(position=START)
        if "Host" in headers:
            target = address(server, game["id"]).replace("127.0.0.1", "evil.example")
            connecting = websockets.connect(target, host="127.0.0.1")
        else:
            connecting = websockets.connect(address(server, game["id"]), additional_headers=headers)
        async with connecting as socket:
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403


async def test_our_own_pages_can_watch(client: Client) -> None:
    assert client.app is not None
    async with listening(client.app) as server:
        game = await client.begin(position=START)
        async with websockets.connect(address(server, game["id"]), origin=server.rstrip("/")) as socket:  # type: ignore[arg-type]
            assert (await heard(socket))["type"] == "game"


async def test_a_watcher_that_does_not_keep_up_is_disconnected(settings: Settings) -> None:
    hub = Hub()
    async with running(settings) as client:
        game = await client.begin(position=START)
        update = Update.model_validate(await client.play(game, "a1-a2"))
    slow, other = hub.subscribe("game"), hub.subscribe("game")
    heard = 0
    for _ in range(LONGEST_QUEUE + 5):
        hub.broadcast_update("game", update)
        await anext(aiter(other))
    async for _ in slow:
        heard += 1
    assert heard == LONGEST_QUEUE
    other.close()
    assert not hub._watchers
