"""Run a server on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

import uvicorn

from cairn.server import logs
from cairn.server.run.connections import Connections
from cairn.server.run.http_protocol import timed_protocol
from cairn.server.run.listen import address_of, listen, names_of
from cairn.server.run.websocket_protocol import CountedProtocol
from cairn.server.settings import Settings
from cairn.server.web.app import create_app
from cairn.server.web.middleware.forwarded import Proxies

LONGEST_FRAME: Final = 16_384
"""The largest message that a client may send, in bytes."""
SHUTDOWN_SECONDS: Final = 3
"""How long a shutdown waits for open requests."""
KEEP_ALIVE_SECONDS: Final = 75
"""How long a connection may be idle. Proxies close idle connections earlier (nginx after 60 s), so they never send a
request on a connection that the server is about to close."""
CLEANUP_SECONDS: Final = 5
"""How long a shutdown waits for the services to stop. They may be waiting for a hung database."""

_log: Final = logging.getLogger("cairn.server")


def serve(settings: Settings, host: str, port: int | None, ready: Callable[[str], object]) -> None:
    """Serve until interrupted. Calls ``ready`` with the address when the server accepts requests.

    Raises :class:`~cairn.server.errors.DataError` if the database cannot be opened, and
    :class:`~cairn.server.run.listen.ListenError` if the port cannot be used.
    """
    logs.configure(settings.log_format)
    _allow_many_connections()
    # On SIGTERM, uvicorn closes the sockets with "service restart" (1012) and then raises the signal again. Without our
    # own handler, the second signal would end the process before our cleanup.
    before = signal.signal(signal.SIGTERM, _interrupt)
    deadline = threading.Timer(CLEANUP_SECONDS, _exit_now)
    deadline.daemon = True
    try:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(settings, host, port, ready, deadline))
    finally:
        deadline.cancel()
        signal.signal(signal.SIGTERM, before)


def _allow_many_connections() -> None:
    """Raise the limit on open files to the maximum that the system allows. The default is often only 1,024."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _interrupt(*_: object) -> None:
    """Treat SIGTERM like Ctrl+C."""
    signal.raise_signal(signal.SIGINT)


def _exit_now() -> None:
    """End the process without waiting for a hung database."""
    _log.error("the services did not stop within %s seconds; all acknowledged changes are stored", CLEANUP_SECONDS)
    os._exit(1)


async def _serve(
    settings: Settings, host: str, port: int | None, ready: Callable[[str], object], deadline: threading.Timer
) -> None:
    app = create_app(dataclasses.replace(settings, hosts=settings.hosts | names_of(host)))
    config = uvicorn.Config(
        app,
        lifespan="off",  # entered below, so that its errors reach the caller
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # the application parses them more strictly
        server_header=False,
        http=timed_protocol(),
        ws=_websocket_protocol(settings),
        ws_max_size=LONGEST_FRAME,
        ws_per_message_deflate=False,  # messages are too short to benefit from compression
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
    server = uvicorn.Server(config)
    async with (
        app.router.lifespan_context(app),
        _garbage_collection(settings),
        app.state.loop_delays.measured(),
    ):
        # The folder is locked before the port is bound, so that if a server is already running, the error says so
        # instead of saying that the port is in use.
        with listen(host, port) as listening:
            listening.connections = Connections(
                settings.limits.connections_of_address, app.state.limiter, Proxies(settings.proxies)
            )
            address = address_of(listening)
            if app.state.lock:
                app.state.lock.publish_address(address)
            waiting = asyncio.create_task(_call_when_started(server, lambda: ready(address)))
            try:
                await server.serve(sockets=[listening])
            finally:
                deadline.start()
                waiting.cancel()


def _websocket_protocol(settings: Settings) -> type[CountedProtocol]:
    """Uvicorn's WebSocket protocol with counted frames, with or without direct writes."""
    if not settings.speedups:
        return CountedProtocol
    from cairn.server.run.direct_protocol import DirectProtocol

    return DirectProtocol


def _garbage_collection(settings: Settings) -> contextlib.AbstractAsyncContextManager[None]:
    if not settings.speedups:
        return contextlib.nullcontext()
    from cairn.server.speedups.gc_schedule import scheduled_gc

    return scheduled_gc()


async def _call_when_started(server: uvicorn.Server, ready: Callable[[], object]) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    ready()
