"""Checks an installed package without the repository: its version, a game between levels, and the server's page.

Run it with the Python of the environment to check. It needs the ``serve`` extra and nothing else.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import queue
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

SECONDS = 60
MOST_TOKENS = 2_000


class CheckError(Exception):
    """The installed package does not work."""


def command() -> str:
    """The path of the installed ``cairn`` command."""
    found = shutil.which("cairn", path=sysconfig.get_path("scripts"))
    if not found:
        raise CheckError("the cairn command is not installed")
    return found


def check_version() -> str:
    """The version that ``cairn --version`` prints, which must be that of the installed package."""
    ran = subprocess.run([command(), "--version"], capture_output=True, text=True, check=True, timeout=SECONDS)
    expected = f"cairn {importlib.metadata.version('cairn-game')}"
    if ran.stdout.strip() != expected:
        raise CheckError(f"cairn --version printed {ran.stdout!r}: expected {expected!r}")
    return expected


def check_game() -> str:
    """Play a game of level 1 against level 1, and one decision of the full engine with its network."""
    from cairn import FOREST, SEA, Game, Tribe
    from cairn.engine import Limit, NativeEngine

    game = Game.start("expert", seed=1)
    with NativeEngine(level=1, seed=1) as forest, NativeEngine(level=1, seed=2) as sea, NativeEngine() as full:
        if full.play(game, Limit(nodes=2_000)).token not in game.legal_moves:
            raise CheckError("the engine chose an illegal token")
        engines = {FOREST: forest, SEA: sea}
        for _ in range(MOST_TOKENS):
            if game.outcome:
                break
            decider = game.decider
            game.push(engines[decider].play(game).token if isinstance(decider, Tribe) else game.legal_moves[0])
    if not game.outcome:
        raise CheckError(f"the game has not ended after {MOST_TOKENS} tokens")
    winner = game.outcome.winner
    return f"level 1 against level 1: {winner.value + ' wins' if winner else 'a draw'} after {len(game.tokens)} tokens"


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Run ``cairn serve`` on a free port, and yield the address that it prints."""
    arguments = [command(), "--lang", "en", "serve", "--no-open", "--data", str(folder)]
    server = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield _address(server)
    finally:
        server.terminate()
        server.wait(timeout=SECONDS)


def _address(server: subprocess.Popen[str]) -> str:
    """Read lines until one contains an address. A thread reads, because a pipe has no timeout on every system."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in server.stdout or ():
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    read_so_far = ""
    while not (found := re.search(r"http://\S+", read_so_far)):
        line = lines.get(timeout=SECONDS)
        if not line:
            raise CheckError(f"cairn serve ended: {read_so_far}")
        read_so_far += line
    return found[0].rstrip("/.,")


def check_page() -> str:
    """Start a server and load its start page, and every script and style sheet in it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, serving(Path(folder)) as address:
        page = _load(address + "/").decode()
        files = sorted(set(re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css))"', page)))
        if not files:
            raise CheckError(f"the page refers to no scripts: {page[:200]!r}")
        size = sum(len(_load(address + name)) for name in files)
    return f"cairn serve: the page and {len(files)} files with {size:,} bytes"


def _load(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=SECONDS) as answer:
        content: bytes = answer.read()
        return content


def main() -> int:
    """Run all checks. The exit code is 1 if one of them fails."""
    try:
        for check in (check_version, check_game, check_page):
            print(check(), flush=True)
    except CheckError as error:
        print(f"check_installed: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
