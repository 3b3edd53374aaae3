"""Runs applications inside this process, and real server processes that can be killed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from socket import SO_SNDBUF, SOL_SOCKET
from types import TracebackType
from typing import Any, Final, Self

import httpx
import uvicorn
from fastapi import FastAPI

from cairn.server.run import serve as serving
from cairn.server.run.direct_protocol import DirectProtocol
from cairn.server.run.http_protocol import TimedProtocol, timed_protocol
from cairn.server.run.listen import address_of, listen
from cairn.server.settings import Settings
from cairn.server.web.app import create_app
from cairn.server.web.lifespan import World
from harness.server.client import Client
from harness.server.preloaded import fork_server


@contextlib.asynccontextmanager
async def running(settings: Settings, **world: Any) -> AsyncIterator[Client]:
    """Run an application here and yield a client for it. ``world`` can replace chance, the computer player or time."""
    app = create_app(settings, World(**world))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765", timeout=30) as http:
            yield Client(http, app)


@contextlib.asynccontextmanager
async def listening(
    app: FastAPI,
    sockets: type[asyncio.Protocol] = DirectProtocol,
    *,
    http: type[TimedProtocol] | None = None,
    send_buffer: int | None = None,
) -> AsyncIterator[str]:
    """Serve an application whose lifespan has already been entered, and yield its address.

    ``send_buffer`` is how many bytes the operating system buffers for a client that does not read.
    """
    config = uvicorn.Config(
        app,
        http=http or timed_protocol(),
        ws=sockets,
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=1,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as socket:
        if send_buffer is not None:  # accepted sockets inherit the buffer size
            socket.setsockopt(SOL_SOCKET, SO_SNDBUF, send_buffer)
        task = asyncio.create_task(server.serve(sockets=[socket]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield address_of(socket)
        finally:
            server.should_exit = True
            await task


class Process:
    """A real server process that can be killed and restarted."""

    def __init__(self, settings: Settings) -> None:
        self._settings: Final = settings
        self._process: Any = None
        self.address = ""

    def start(self) -> str:
        """Start the process, wait until the server is ready, and return its address."""
        receiver, sender = fork_server.Pipe(duplex=False)
        arguments = (self._settings, "127.0.0.1", 0, sender.send)
        self._process = fork_server.Process(target=serving.serve, args=arguments, daemon=True)
        self._process.start()
        sender.close()
        assert receiver.poll(60), "the server did not start"
        self.address = receiver.recv().rstrip("/")
        receiver.close()
        return self.address

    def kill(self) -> None:
        """Send ``SIGKILL`` and wait for the process to exit."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process if it is running."""
        if self._process is not None:
            self.kill()
