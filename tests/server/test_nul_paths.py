"""A path that contains NUL is not found, even on PostgreSQL, which cannot compare text that contains NUL."""

from __future__ import annotations

from pathlib import Path

import pytest
import websockets

from cairn.server.settings import Settings
from harness.server.visitors import Visitor, table
from tests.server.places import settings_at

pytestmark = pytest.mark.anyio

PATHS = ("/players/%00", "/challenges/%00", "/games/%00", "/games/%00/record", "/games/%00/chat", "/games/a%00b")
SOCKETS = ("/challenges/%00/socket", "/games/%00/socket", "/games/a%00b/socket")


async def test_nothing_is_found_at_a_path_with_a_nul(settings: Settings, place: Path | str) -> None:
    async with table(settings_at(settings, place)) as address, Visitor(address) as ann:
        for path in PATHS:
            assert (await ann.get(path, status=404))["kind"] == "not-found", path
        await ann.post("/games/%00/resign", {}, status=404)
        await ann.ask("DELETE", "/challenges/%00", status=404)


async def test_a_socket_with_a_nul_in_its_path_is_closed_as_unknown(settings: Settings, place: Path | str) -> None:
    async with table(settings_at(settings, place)) as address, Visitor(address) as ann:
        for path in SOCKETS:
            async with ann.listen(path) as socket:
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4404, path
