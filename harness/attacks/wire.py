"""An attacker's connections from chosen loopback addresses.

Uses raw sockets, because a WebSocket library would not let an attack break the protocol.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

TEXT, PING = 0x81, 0x89
_KEY: Final = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13"
_RESET: Final = struct.pack("ii", 1, 0)


class Target(NamedTuple):
    """A server and, for some attacks, a game and one of its seat tokens."""

    host: str
    port: int
    game: str = ""
    seat: str = ""

    @classmethod
    def of(cls, address: str, game: str = "", seat: str = "") -> Target:
        """Return a target for the server at ``address``."""
        parts = urlsplit(address)
        return cls(parts.hostname or "127.0.0.1", parts.port or 80, game, seat)

    @property
    def host_header(self) -> str:
        """The ``Host`` header, which every request needs."""
        return f"Host: {self.host}:{self.port}\r\n"

    @property
    def game_socket(self) -> str:
        """The path of the game's socket."""
        return f"/api/games/{self.game}/socket"


def addresses(count: int, network: int) -> Iterator[str]:
    """Yield a loopback address for each client, but never 127.0.0.1, which the server trusts as a proxy."""
    for number in range(count):
        yield f"127.{network}.{number // 250}.{1 + number % 250}"


def frame(kind: int, content: bytes = b"") -> bytes:
    """Return a short masked frame."""
    assert len(content) < 126
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(content))
    return struct.pack("BB", kind, 0x80 | len(content)) + mask + masked


class RawSocket(NamedTuple):
    """An open WebSocket."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, target: Target, path: str, local: str, seat: str = "") -> RawSocket | None:
        """Connect and perform the handshake; return ``None`` if the server refuses it."""
        try:
            reader, writer = await asyncio.open_connection(target.host, target.port, local_addr=(local, 0))
        except OSError:
            return None
        token = f"X-Seat-Token: {seat}\r\n" if seat else ""
        upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\n{_KEY}\r\n{token}"
        try:
            writer.write(f"GET {path} HTTP/1.1\r\n{target.host_header}{upgrade}\r\n".encode())
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            writer.close()
            return None
        if b" 101 " not in head:
            writer.close()
            return None
        return cls(reader, writer)

    async def read(self, seen: Callable[[bytes], object]) -> None:
        """Read until the connection ends, and pass everything that arrives to ``seen``."""
        try:
            while data := await self.reader.read(65_536):
                seen(data)
        except OSError:
            pass
        finally:
            self.writer.close()

    def cut(self) -> None:
        """Reset the connection."""
        sock: socket.socket = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.writer.transport.abort()
