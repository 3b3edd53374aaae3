"""The intended dependency order of the server's modules, their actual imports, and a diagram of the server."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

SOURCE: Final = Path(__file__).parents[1] / "src"
SERVER: Final = "cairn.server"

ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    SERVER: (
        *("errors", "text", "attribute_docs", "unicode", "secret_tokens", "backoff", "logs", "tasks", "meter"),
        "traces",
        *("game", "storage", "health", "messages", "transport", "speedups"),
        *("live", "players", "lobby", "previews", "settings", "web", "run"),
    ),
    f"{SERVER}.traces": ("trace", "files", "recent", "loop_delays", "tracer"),
    f"{SERVER}.unicode": ("confusables", "scripts"),
    f"{SERVER}.game": (
        *("names", "seats", "clocks", "events", "chance", "choices", "commands", "header", "log", "access", "undo"),
        *("seated_game", "state", "creation", "decide"),
    ),
    f"{SERVER}.storage": (
        *("data_folder", "tables", "chain", "migrations", "engines", "search_text", "ratings"),
        *("players", "games", "challenges", "chat", "presence", "puzzles", "rankings", "verification", "backup"),
    ),
    f"{SERVER}.storage.engines": (
        *("append", "backend", "sqlite_append", "sqlite_files", "sqlite_wal", "sqlite", "postgres"),
        *("group_commit", "database", "counting"),
    ),
    f"{SERVER}.storage.games": ("rows", "verified", "listing", "repository", "explored"),
    f"{SERVER}.storage.players": ("rows", "locks", "deletion", "repository"),
    f"{SERVER}.storage.migrations": ("versions", "newest"),
    f"{SERVER}.health": ("readiness", "damaged_games", "log_check"),
    f"{SERVER}.messages": (
        *("base", "problems", "health", "announcements", "games", "views", "records", "players", "traffic"),
        *("accounts", "lobby", "bots", "chat", "commands", "sockets"),
    ),
    f"{SERVER}.transport": ("hub", "process_hub", "postgres_notify", "opening"),
    f"{SERVER}.speedups": ("direct_write", "uvicorn_protocol", "gc_schedule"),
    f"{SERVER}.live": (
        *("periodic", "engine_pool", "presence", "attendance", "game_cache", "clock_watch", "computer_turns"),
        *("server_time", "downtimes", "game_writer", "game_loader", "authority", "heartbeat", "explorer"),
    ),
    f"{SERVER}.players": (
        "limits",
        "limit_exchange",
        "workload",
        "names",
        "passwords",
        "quotas",
        "identity",
        "profiles",
        "puzzles",
        "analysis",
        "traffic_report",
    ),
    f"{SERVER}.lobby": ("numbers", "challenges", "feed", "chat", "bots"),
    f"{SERVER}.previews": ("pictures", "tags"),
    f"{SERVER}.web": (
        *("close_codes", "metrics", "error_handlers", "tracing", "services", "socket_registry", "middleware"),
        *("lifespan", "dependencies", "streams", "game_socket", "lessons", "static", "routes", "app", "openapi"),
    ),
    f"{SERVER}.web.middleware": ("forwarded", "guard", "session_cookie", "rate_limit", "socket_gate"),
    f"{SERVER}.web.routes": (
        *("account", "admin", "bots", "challenges", "docs", "explorer", "games", "health", "lobby", "players"),
        *("positions", "puzzles", "records"),
    ),
    f"{SERVER}.run": ("connections", "listen", "http_protocol", "websocket_protocol", "direct_protocol", "serve"),
}
"""The modules and subpackages of each server package, in dependency order: each may import only those before it."""


@functools.cache
def modules() -> dict[str, Path]:
    """The modules of the ``cairn`` package, by name."""
    found = {}
    for path in sorted((SOURCE / "cairn").rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


@functools.cache
def imports_of(path: Path) -> tuple[str, ...]:
    """All modules that a file imports, even inside functions. If it imports a name, the name's module is listed."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    known = modules()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def child_of(package: str, module: str) -> str | None:
    """The child of ``package`` that is or contains ``module``; ``None`` if ``module`` is outside it."""
    return module[len(package) + 1 :].partition(".")[0] if module.startswith(f"{package}.") else None


def edges(package: str) -> dict[str, dict[str, list[str]]]:
    """For each child of a package, the other children that it imports, with a description of each import."""
    found: dict[str, dict[str, list[str]]] = {}
    for module, path in modules().items():
        child = child_of(package, module)
        if child is None:
            continue
        found.setdefault(child, {})
        for imported in imports_of(path):
            other = child_of(package, imported)
            if other is not None and other != child:
                found[child].setdefault(other, []).append(f"{module} imports {imported}")
    return found


# --- The diagram

ROW: Final = 44
BOX: Final = (20, 640)
"""The left and right edges of the boxes."""
ARC: Final = 15


def picture() -> str:
    """An SVG diagram of the server's parts in dependency order, with an arrow for each direct import.

    An arrow is omitted if a chain of other arrows connects the same two parts.
    """
    parts = ORDER[SERVER]
    direct = _reduced({part: set(others) for part, others in edges(SERVER).items()})
    height, width = ROW * len(parts) + 40, BOX[1] + 60 + ARC * len(parts)
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="sans-serif" font-size="13">'
        ),
        "<title>The parts of the server. Each part imports only parts above it.</title>",
        (
            '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto">'
            '<path d="M0 0 8 4 0 8z" fill="#5b6b5d"/></marker></defs>'
        ),
        f'<rect width="{width}" height="{height}" fill="#fbfaf5"/>',
    ]
    for row, part in enumerate(parts):
        top = 20 + ROW * row
        lines += [
            (
                f'<rect x="{BOX[0]}" y="{top}" width="{BOX[1] - BOX[0]}" height="{ROW - 10}" rx="6" fill="#eef1e6" '
                'stroke="#8a9a7b"/>'
            ),
            (
                f'<text x="{BOX[0] + 12}" y="{top + 22}"><tspan font-weight="bold">{part}</tspan> '
                f'<tspan fill="#444">{escape(_summary(part))}</tspan></text>'
            ),
        ]
    for part, others in direct.items():
        for other in sorted(others):
            lines.append(_arrow(parts.index(part), parts.index(other)))
    return "\n".join([*lines, "</svg>", ""])


def _arrow(source: int, target: int) -> str:
    start, end = 20 + ROW * source + 12, 20 + ROW * target + 22
    reach = BOX[1] + 20 + ARC * (source - target)
    path = f"M{BOX[1]} {start} C{reach} {start} {reach} {end} {BOX[1] + 3} {end}"
    return f'<path d="{path}" fill="none" stroke="#5b6b5d" marker-end="url(#tip)"/>'


def _summary(part: str) -> str:
    """The first sentence of a part's docstring."""
    docstring = ast.get_docstring(ast.parse(modules()[f"{SERVER}.{part}"].read_text(encoding="utf-8"))) or ""
    first = docstring.partition("\n")[0]
    return first.partition(". ")[0].rstrip(".")


def _reduced(direct: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The transitive reduction of an acyclic graph."""

    def reachable(part: str) -> set[str]:
        return direct[part].union(*(reachable(other) for other in direct[part]))

    return {
        part: {other for other in others if not any(other in reachable(between) for between in others)}
        for part, others in direct.items()
    }
