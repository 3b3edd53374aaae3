"""Runs a real server for a load test, reachable only from this machine. Prints its address and serves until stopped.

It differs from ``cairn serve`` only in its rate limits, which a thousand players at one address would exceed.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import Final

from cairn.server.players.limits import NO_LIMITS, Rate
from cairn.server.run.serve import serve
from cairn.server.settings import Settings

MEASURED: Final = dataclasses.replace(NO_LIMITS, work_of_address=Rate(1e12, 1))
"""No rate limits, except one that is never reached and only makes the server measure the work for each client."""


def main() -> None:
    """Serve the folder or database given by the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--database")
    parser.add_argument("--no-speedups", action="store_true")
    options = parser.parse_args()

    pages = options.data.with_suffix(".pages")  # a stand-in for the web app
    pages.mkdir(parents=True, exist_ok=True)
    (pages / "index.html").write_text("<!doctype html><title>Cairn</title>", encoding="utf-8")
    settings = Settings(data=options.data, pages=pages, limits=MEASURED, speedups=not options.no_speedups)
    if options.database:
        settings = dataclasses.replace(settings, database=options.database, public=True)

    def ready(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    serve(settings, "127.0.0.1", 0, ready)


if __name__ == "__main__":
    main()
