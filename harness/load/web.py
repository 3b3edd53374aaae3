"""A minimal HTTP client with one keep-alive connection. Generating load must cost less CPU time than serving it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlsplit

ANSWER_SECONDS: Final = 60


class Reply(NamedTuple):
    """An HTTP response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the parsed body."""
        return json.loads(self.body)


class Unexpected(Exception):
    """A response with an unexpected status."""


class Web:
    """One connection to a server, opened on demand and reopened after it breaks."""

    def __init__(self, address: str, local: str | None = None) -> None:
        """``local`` is the address to connect from."""
        parts = urlsplit(address)
        self._local: Final = (local, 0) if local else None
        self.host: Final = parts.hostname or "127.0.0.1"
        self.port: Final = parts.port or 80
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(
        self, method: str, path: str, body: object = None, *, status: int | None = None, **headers: str
    ) -> Reply:
        """Send a request with a JSON body. Raises :class:`Unexpected` if the response does not have ``status``."""
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", f"Content-Length: {len(content)}"]
        if content:
            lines.append("Content-Type: application/json")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        request, kept = "\r\n".join(lines).encode() + b"\r\n\r\n" + content, self._writer is not None
        reply = await self.send(request)
        if reply is None and kept:  # the server closes idle connections
            reply = await self.send(request)
        if reply is None:
            raise ConnectionResetError("the server closed the connection")
        if status is not None and reply.status != status:
            raise Unexpected(f"{method} {path}: {reply.status} {reply.body[:300]!r}")
        return reply

    async def send(self, request: bytes) -> Reply | None:
        """Send raw bytes and return the response, or ``None`` if the server closed the connection without one."""
        async with asyncio.timeout(ANSWER_SECONDS):
            try:
                if self._writer is None:
                    self._reader, self._writer = await asyncio.open_connection(
                        self.host, self.port, local_addr=self._local
                    )
                self._writer.write(request)
                await self._writer.drain()
                reply = await self._answer()
            except (ConnectionError, asyncio.IncompleteReadError):
                await self.close()
                return None
            except BaseException:
                await self.close()
                raise
        if reply.headers.get("connection", "").lower() == "close":
            await self.close()
        return reply

    async def _answer(self) -> Reply:
        assert self._reader is not None
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if name}
        body = b""
        if headers.get("transfer-encoding") == "chunked":
            while size := int((await self._reader.readline()).strip(), 16):
                body += await self._reader.readexactly(size)
                await self._reader.readexactly(2)
            await self._reader.readline()
        elif length := int(headers.get("content-length", "0")):
            body = await self._reader.readexactly(length)
        return Reply(int(head[0].split()[1]), headers, body)

    async def close(self) -> None:
        """Close the connection; the next request opens a new one."""
        writer, self._reader, self._writer = self._writer, None, None
        if writer:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
