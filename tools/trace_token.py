"""Prints the server functions on the path of a token, as recorded by ``harness/server/token_path.py``.

The functions are listed in the order in which they first run, each with its number of lines and its callers.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from cairn.server.settings import Settings
from harness.server.token_path import path_of_a_token


def main() -> None:
    """Play a few tokens and print the functions."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder) / "data", pages=Path(folder) / "pages")
        path = asyncio.run(path_of_a_token(settings))
    for number, function in enumerate(path, start=1):
        callers = ", ".join(sorted(caller.rpartition(".")[2] for caller in function.callers))
        print(f"{number:4} {function.lines:3} lines  {function.name}" + (f"  from {callers}" if callers else ""))
    print(f"{len(path)} functions, the longest with {max(function.lines for function in path)} lines")


if __name__ == "__main__":
    main()
