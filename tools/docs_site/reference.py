"""The reference pages: the HTTP and socket API from the server's own description, and the Python API."""

from __future__ import annotations

import inspect
import itertools
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.routing import APIWebSocketRoute

import cairn
from cairn import engine
from cairn.server.messages.commands import SocketCommand
from cairn.server.messages.sockets import SOCKET_MESSAGES
from cairn.server.web.app import create_app
from cairn.server.web.routes import docs

MESSAGES_PAGE: Final = "messages"
PYTHON_MODULES: Final = (
    ("cairn", "Boards, games, records and the vocabulary of the game."),
    ("cairn.engine", "Engines and analysis. [The engine](../docs/engine.md) is a guide with examples."),
    ("cairn.engine.solver", "Proofs of wins. See [the solver](../docs/solver.md)."),
    ("cairn.svg", "Drawings."),
    ("cairn.research.encoding", "Numbers for tokens and positions. See [environments](../docs/environments.md)."),
    ("cairn.research.batch", "Many games at once."),
)


def write_pages(folder: Path) -> None:
    """Write the reference pages into the folder."""
    folder.mkdir(parents=True)
    app = create_app()
    for name, lines in (
        ("http", http_page(app)),
        (MESSAGES_PAGE, messages_page(app.openapi())),
        ("python", python_page()),
    ):
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def http_page(app: FastAPI) -> Iterator[str]:
    """All requests, grouped by subject, and the sockets."""
    api = app.openapi()
    yield "# HTTP and socket API\n"
    yield "This page is generated from the description of the API that every server publishes as `/api/openapi.json`."
    yield "[The web API](../docs/server.md#the-web-api) is the guide; [online play](../docs/online.md) and"
    yield "[bots](../docs/bots.md) explain what to send when.\n"
    yield api["info"]["description"] + "\n"
    yield from sockets(app)
    requests = sorted(docs.requests(api, f"{MESSAGES_PAGE}.html"), key=lambda entry: entry.tag)
    for tag, entries in itertools.groupby(requests, key=lambda entry: entry.tag):
        yield f"## {tag.capitalize()}\n"
        yield from _entries(entries)


def sockets(app: FastAPI) -> Iterator[str]:
    """The sockets, the commands that a game's socket accepts, and the messages that sockets send."""
    commands = [each.__name__ for each in typing.get_args(typing.get_args(SocketCommand)[0])]
    sent = [message.__name__ for message in SOCKET_MESSAGES if message.__name__ not in commands]
    yield "## Sockets\n\n| socket | what it does |\n|---|---|"
    for route in _websockets(app.routes):
        yield f"| `{route.path}` | {' '.join((inspect.getdoc(route.endpoint) or '').split())} |"
    yield f"\nCommands that a game's socket accepts: {', '.join(map(_link, commands))}.\n"
    yield f"Messages that sockets send: {', '.join(map(_link, sent))}.\n"


def _websockets(routes: Iterable[Any]) -> Iterator[APIWebSocketRoute]:
    for route in routes:
        if isinstance(route, APIWebSocketRoute):
            yield route
        elif nested := getattr(getattr(route, "original_router", None), "routes", None):
            yield from _websockets(nested)


def messages_page(api: dict[str, Any]) -> Iterator[str]:
    """All messages with their fields."""
    yield "# Messages of the API\n"
    yield "What [requests and sockets](http.md) contain, as JSON.\n"
    yield from _entries(docs.messages(api), "##")


def _entries(entries: Iterable[docs.Entry], level: str = "###") -> Iterator[str]:
    """Each entry with a heading. Its content has the id, because Sphinx writes ids in lower case."""
    for entry in entries:
        yield f'{level} `{entry.title}`\n\n<div id="{entry.id}" class="cairn-entry">\n{entry.content}\n</div>\n'


def _link(message: str) -> str:
    return f'<a href="{MESSAGES_PAGE}.html#{message}">{message}</a>'


def python_page() -> Iterator[str]:
    """The public classes and functions, with their docstrings."""
    yield "# Python API\n"
    yield "The names that programs may rely on. Everything else may change without notice.\n"
    for module, about in PYTHON_MODULES:
        yield f"## `{module}`\n\n{about}\n\n```{{eval-rst}}"
        yield from _members(module)
        yield "```\n"


def _members(module: str) -> Iterator[str]:
    exported = {"cairn": vars(cairn), "cairn.engine": vars(engine)}.get(module)
    if exported is None:
        yield f".. automodule:: {module}\n   :members:\n"
        return
    for name, value in sorted(exported.items()):
        if name.startswith("_") or inspect.ismodule(value) or not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        kind = "exception" if inspect.isclass(value) and issubclass(value, Exception) else "class"
        yield f".. auto{kind if inspect.isclass(value) else 'function'}:: {module}.{name}"
        yield "   :members:\n" if inspect.isclass(value) else ""
