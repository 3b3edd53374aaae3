"""Runs a server on this machine: finds a port, listens, reports the address."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import errno
import signal
import socket
from collections.abc import Callable
from typing import Final, Literal

import uvicorn

from cairn.server import logs
from cairn.server.settings import Settings
from cairn.server.web.app import create_app

DEFAULT_PORT: Final = 8765
MOST_PORTS: Final = 50
"""So many ports are tried when the first one is taken."""
LONGEST_FRAME: Final = 16_384
"""Bytes of a message that a socket takes."""
FAREWELL_SECONDS: Final = 3


class ListenError(Exception):
    """The server cannot listen there. The text is a sentence for people."""


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens on that port; without one, on the default port or the first free one after it."""
    wanted = DEFAULT_PORT if port is None else port
    last = wanted if port is not None else wanted + MOST_PORTS
    for number in range(wanted, last + 1):
        try:
            return _bound(host, number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ListenError(f"Cairn cannot listen on {host}, port {number}: {error.strerror or error}.") from None
    if port is None:
        raise ListenError(f"The ports from {wanted} to {last} are all taken by other programs.")
    free = _next_free(host, wanted)
    offer = f" Port {free} is free: --port {free}" if free else ""
    raise ListenError(f"Port {port} is taken by another program.{offer}")


def address_of(listening: socket.socket) -> str:
    """Where a browser on this machine finds the server."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104  # everywhere, so also here
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def names_of(host: str) -> frozenset[str]:
    """The names by which a server that listens there may be reached, beside those that are always right."""
    if host in ("0.0.0.0", "::"):  # noqa: S104  # other machines are welcome
        own = socket.gethostname().lower()
        return frozenset({own, own.partition(".")[0], f"{own.partition('.')[0]}.local"})
    return frozenset({host.lower()})


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
                app.state.lock.tell(address)
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


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With its protocol named, asyncio sends what there is at once; otherwise every answer may wait 40 ms for the kernel
    # to hear that the one before has arrived.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(512)
        bound.setblocking(False)
    except BaseException:
        bound.close()
        raise
    return bound


def _next_free(host: str, port: int) -> int | None:
    """The first free port after that one."""
    for number in range(port + 1, min(port + MOST_PORTS, 65_535) + 1):
        with contextlib.suppress(OSError):
            _bound(host, number).close()
            return number
    return None
