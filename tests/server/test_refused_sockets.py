"""To refuse a socket, the server accepts and then closes it. Otherwise, the page could not see the code and reason."""

from __future__ import annotations

import dataclasses

import pytest
import websockets

from cairn.server.players.limits import Limits, Rate
from cairn.server.settings import Settings
from harness.server.visitors import table

pytestmark = pytest.mark.anyio

FOREIGN = {"Origin": "http://evil.example"}


@pytest.mark.parametrize(
    ("path", "headers", "limits", "code", "reason"),
    [
        ("/api/lobby/socket", FOREIGN, Limits(), 4403, "Requests from other sites are refused."),
        ("/api/games/%00/socket", {}, Limits(), 4404, "There is nothing at this address."),
        ("/nothing", {}, Limits(), 4404, "There is nothing at this address."),
        ("/api/games/nobody/socket", {}, Limits(), 4404, "There is no such game."),
        ("/api/lobby/socket", {}, Limits(work_of_address=Rate(1, 3_600)), 1013, "Too many requests."),
        ("/api/lobby/socket", {}, Limits(sockets_of_address=0), 4429, "Too many sockets are open from your address."),
        ("/api/lobby/socket", {"Authorization": "Bearer x"}, Limits(), 4401, "This token does not exist"),
    ],
    ids=["origin", "nul", "no route", "no game", "rate limit", "too many sockets", "bearer"],
)
async def test_a_refused_socket_is_closed_with_a_code_and_a_reason(
    settings: Settings, path: str, headers: dict[str, str], limits: Limits, code: int, reason: str
) -> None:
    async with table(dataclasses.replace(settings, limits=limits)) as address:
        target = f"ws{address.removeprefix('http').rstrip('/')}{path}"
        async with websockets.connect(target, additional_headers=headers) as socket:
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code
    assert closed.value.rcvd.reason.startswith(reason)
