"""Find a port to listen on, and the address and host names of the server."""

from __future__ import annotations

import contextlib
import errno
import socket
from typing import Final

from cairn.messages import reason_of, t
from cairn.server.run.connections import LimitedListener

DEFAULT_PORT: Final = 8765
MOST_PORTS: Final = 50
"""How many ports to try if the first one is taken."""


class ListenError(Exception):
    """The server cannot listen at this address. The message is for people."""


def listen(host: str, port: int | None) -> LimitedListener:
    """A socket that listens on ``port`` or, if that is ``None``, on the first free port, starting at the default."""
    wanted = DEFAULT_PORT if port is None else port
    last = wanted if port is not None else wanted + MOST_PORTS
    for number in range(wanted, last + 1):
        try:
            return _bound(host, number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ListenError(t("cli.listen.failed", host=host, port=number, why=reason_of(error))) from None
    if port is None:
        raise ListenError(t("cli.listen.none", first=wanted, last=last))
    free = _next_free(host, wanted)
    raise ListenError(t("cli.listen.taken", port=port, free=free or "none"))


def address_of(listening: socket.socket) -> str:
    """The server's address for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104  # all interfaces, including the loopback
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def names_of(host: str) -> frozenset[str]:
    """The host names of a server that listens on ``host``, besides those that are always allowed."""
    if host in ("0.0.0.0", "::"):  # noqa: S104  # only compared
        own = socket.gethostname().lower()
        return frozenset({own, own.partition(".")[0], f"{own.partition('.')[0]}.local"})
    return frozenset({host.lower()})


def _bound(host: str, port: int) -> LimitedListener:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is IPPROTO_TCP. Without it, responses may wait 40 ms for an ACK.
    bound = LimitedListener(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
    """The first free port after ``port``."""
    for number in range(port + 1, min(port + MOST_PORTS, 65_535) + 1):
        with contextlib.suppress(OSError):
            _bound(host, number).close()
            return number
    return None
