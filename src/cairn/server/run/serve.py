"""Runs a server on this machine: finds a port, listens, reports the address."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import signal
from collections.abc import Callable
from typing import Final, Literal

import uvicorn

from cairn.server import logs
from cairn.server.run.listen import address_of, listen, names_of
from cairn.server.settings import Settings
from cairn.server.web.app import create_app

LONGEST_FRAME: Final = 16_384
"""Bytes of a message that a socket takes."""
FAREWELL_SECONDS: Final = 3


def serve(settings: Settings, host: str, port: int | None, ready: Callable[[str], object]) -> None:
    """Serve until interrupted; ``ready`` is called with the address once the server answers.

    :class:`~cairn.server.data.DataError` if games cannot be kept in the data folder, :class:`ListenError` if nobody can
    be served there.
    """
    logs.configure(settings.log_format)
    # When asked to end, uvicorn finishes what it does and closes sockets with "come back" (1012); afterwards it raises
    # the signal again, which must not keep the rest from being finished, too.
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(settings, host, port, ready))
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(*_: object) -> None:
    """Be asked to end by a program as one is by a person."""
    signal.raise_signal(signal.SIGINT)


async def _serve(settings: Settings, host: str, port: int | None, ready: Callable[[str], object]) -> None:
    app = create_app(dataclasses.replace(settings, hosts=settings.hosts | names_of(host)))
    config = uvicorn.Config(
        app,
        lifespan="off",  # entered here, so that what goes wrong is told in a sentence
        log_config=None,
        log_level="warning",
        access_log=False,
        forwarded_allow_ips=settings.proxies,
        server_header=False,
        ws=_websocket_protocol(settings),
        ws_max_size=LONGEST_FRAME,
        ws_per_message_deflate=False,  # it costs more than it saves: messages are short
        timeout_graceful_shutdown=FAREWELL_SECONDS,
    )
    server = uvicorn.Server(config)
    async with app.router.lifespan_context(app), _garbage_collection(settings):
        # The folder first: whoever starts Cairn twice should hear of the first one, not of its port.
        with listen(host, port) as listening:
            address = address_of(listening)
            if app.state.lock:
                app.state.lock.publish_address(address)
            telling = asyncio.create_task(_tell_when_started(server, lambda: ready(address)))
            try:
                await server.serve(sockets=[listening])
            finally:
                telling.cancel()


def _websocket_protocol(settings: Settings) -> type[asyncio.Protocol] | Literal["websockets-sansio"]:
    """The WebSocket implementation of uvicorn, or ours with direct writes."""
    if not settings.speedups:
        return "websockets-sansio"
    from cairn.server.speedups.uvicorn_protocol import DirectWriteProtocol

    return DirectWriteProtocol


def _garbage_collection(settings: Settings) -> contextlib.AbstractAsyncContextManager[None]:
    if not settings.speedups:
        return contextlib.nullcontext()
    from cairn.server.speedups.gc_schedule import scheduled_gc

    return scheduled_gc()


async def _tell_when_started(server: uvicorn.Server, ready: Callable[[], object]) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    ready()
