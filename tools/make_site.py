"""Writes the web app as a static site that any web server can serve from any folder.

The files are those that ``cairn serve`` sends, except for the start page: its URLs are relative, and a meta element
marks the site as static. On such a site, the web app puts its paths into the URL fragment, as in ``index.html#/learn``.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = ROOT / "src" / "cairn" / "server" / "pages"
SITE: Final = ROOT / "build" / "site"
START_PAGE: Final = "index.html"
STATIC: Final = '<head>\n        <meta name="cairn-host" content="static" />'


def static_page(html: str) -> str:
    """The start page for a static site."""
    return re.sub(r'(href|src)="/', r'\1="./', html).replace("<head>", STATIC, 1)


def make_site(pages: Path, site: Path) -> None:
    """Replace the site with one made from the built pages, without the compressed copies of the files.

    Web servers compress files themselves.
    """
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(pages, site, ignore=shutil.ignore_patterns("*.br", "*.gz", ".vite"))
    page = site / START_PAGE
    page.write_text(static_page(page.read_text("utf-8")), "utf-8")


def main() -> int:
    """Write the site. The exit code is 2 if the pages have not been built."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=SITE, help="folder for the site; will be replaced")
    folder: Path = parser.parse_args().folder
    if not (PAGES / START_PAGE).is_file():
        print("the pages have not been built: run make pages first", file=sys.stderr)
        return 2
    make_site(PAGES, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
