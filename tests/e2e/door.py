"""A TCP proxy in front of several servers: it forwards each connection to the first server that is running."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Final

from tests.e2e.server import Server


class Door:
    """A proxy on its own port. When a server dies, its connections end, and new connections go to the next server."""

    def __init__(self, *servers: Server) -> None:
        self._ports: Final = [server.port for server in servers]
        self._listener: Final = socket.create_server(("127.0.0.1", 0))
        self.address: Final = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Stop accepting connections."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # close alone would not wake the thread in accept
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(here,), daemon=True).start()

    def _connect(self, here: socket.socket) -> None:
        for port in self._ports:
            with contextlib.suppress(OSError):
                there = socket.create_connection(("127.0.0.1", port))
                threading.Thread(target=_forward, args=(here, there), daemon=True).start()
                _forward(there, here)
                return
        here.close()


def _forward(source: socket.socket, target: socket.socket) -> None:
    """Forward bytes until either side closes."""
    with contextlib.suppress(OSError):
        while content := source.recv(65_536):
            target.sendall(content)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
