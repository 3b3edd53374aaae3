"""Checks every page in six window sizes, four languages and three themes, in Chromium.

``make prove-looks`` runs it. It reports text that overflows, controls that overlap and pages that move while they load,
and writes pictures to ``build/looks``. With ``--only play``, it checks only that page. The browser tests check every
page in all sizes, but each size in only one language and theme.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from harness import chromium
from tests.e2e.places import places
from tests.e2e.server import Server
from tests.e2e.sizes import check, full_matrix

FOLDER: Final = Path(__file__).parents[2] / "build" / "looks"


def main() -> int:
    """Check the pages. The exit code is 1 if there are faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", metavar="PAGE", help="such as home or play; may be repeated")
    only: list[str] | None = parser.parse_args().only
    FOLDER.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    found: list[str] = []
    count = 0
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        server = Server(Path(data))
        server.start()
        try:
            for place in places(server).values():
                if only and place.name not in only:
                    continue
                faults = list(check(browser, server.address, place, full_matrix(), FOLDER))
                count += len(full_matrix())
                found += faults
                print("\n".join([f"{place.name}: {len(faults)} faults", *faults]), flush=True)
        finally:
            server.close()
            browser.close()
    print(f"looks: {count} pictures in {FOLDER}, {len(found)} faults, {time.monotonic() - began:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
