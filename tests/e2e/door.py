"""A door in front of several servers, as a proxy is: it leads to the first of them that lives."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Final

from tests.e2e.server import Server


class Door:
    """A port of its own. Connections that stand end with the server behind them; new ones go to the next."""

    def __init__(self, *servers: Server) -> None:
        self._ports: Final = [server.port for server in servers]
        self._listener: Final = socket.create_server(("127.0.0.1", 0))
        self.address: Final = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._open, daemon=True).start()

    def close(self) -> None:
        """Let nobody in any more."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # close alone would not wake whoever waits for visitors
        self._listener.close()

    def _open(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                threading.Thread(target=self._lead, args=(here,), daemon=True).start()

    def _lead(self, here: socket.socket) -> None:
        for port in self._ports:
            with contextlib.suppress(OSError):
                there = socket.create_connection(("127.0.0.1", port))
                threading.Thread(target=_carry, args=(here, there), daemon=True).start()
                _carry(there, here)
                return
        here.close()


def _carry(source: socket.socket, target: socket.socket) -> None:
    """Everything that comes, until one of the two ends."""
    with contextlib.suppress(OSError):
        while content := source.recv(65_536):
            target.sendall(content)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
