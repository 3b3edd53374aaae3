"""The baseline for comparisons: a FastAPI WebSocket that commits one row for each message and echoes the message.

SQLite is configured as in the game server: a write-ahead log, ``synchronous=FULL``, and a single writer connection.
"""

from __future__ import annotations

import argparse
import contextlib
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Final

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from cairn.server.run.listen import listen
from cairn.server.run.serve import LONGEST_FRAME

CREATE: Final = "CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"
INSERT: Final = "INSERT INTO messages (text) VALUES (?)"


def application(file: Path) -> FastAPI:
    """Return the application. Commits block the event loop, because a separate thread would only add overhead."""
    connection = sqlite3.connect(file, isolation_level=None)
    for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", CREATE):
        connection.execute(statement)
    app = FastAPI()

    @app.websocket("/echo")
    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                text = await socket.receive_text()
                connection.execute(INSERT, (text,))
                await socket.send_text(text)

    return app


def main() -> None:
    """Print the address as the first line, and serve until stopped."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--file", type=Path, required=True)
    options = parser.parse_args()
    with listen("127.0.0.1", 0) as listening:
        config = uvicorn.Config(
            application(options.file), log_level="warning", server_header=False, ws_max_size=LONGEST_FRAME
        )
        server = uvicorn.Server(config)
        port = listening.getsockname()[1]

        def tell() -> None:
            while not server.started:
                threading.Event().wait(0.01)
            sys.stdout.write(f"http://127.0.0.1:{port}\n")
            sys.stdout.flush()

        threading.Thread(target=tell, daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


if __name__ == "__main__":
    main()
