"""Screenshots of every main page in two sizes, two themes and four languages, and a page that shows all of them.

``make screenshots`` writes them to ``build/screenshots``; open ``index.html`` there. With ``--only play``, only the
play page is included.
"""

from __future__ import annotations

import argparse
import html
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from harness import chromium
from tests.e2e.places import Place, go, places
from tests.e2e.server import PAGES, Server
from tests.e2e.visit import DESKTOP, PHONE, QUIET, visit
from tests.e2e.words import LANGUAGES

FOLDER: Final = Path(__file__).parents[2] / "build" / "screenshots"
SIZES: Final = {"phone": PHONE, "desktop": DESKTOP}
THEMES: Final = ("light", "dark")
STYLE: Final = """
    body { margin: 2rem; font: 16px/1.4 system-ui, sans-serif; background: #eee; color: #222; }
    section { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; margin-block: 1rem 2.5rem; }
    figure { margin: 0; }
    img { display: block; height: 26rem; border: 1px solid #999; background: #fff; }
    figcaption { font-size: 0.85rem; text-align: center; }
"""


def main() -> int:
    """Take the screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", metavar="PAGE", help="such as home or play; may be repeated")
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    arguments = parser.parse_args()
    if chromium.find() is None or not PAGES.is_file():
        reason = (
            chromium.why_missing() if chromium.find() is None else "the pages have not been built: run make pages first"
        )
        print(f"cannot take screenshots: {reason}", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        server.start()
        try:
            taken = _take(server, arguments.only, arguments.language or LANGUAGES)
        finally:
            server.close()
    print(f"{taken} screenshots: {_write_index()}")
    return 0


def _take(server: Server, only: list[str] | None, languages: tuple[str, ...]) -> int:
    wanted = [place for place in places(server).values() if (place.name in only if only else place.main)]
    taken = 0
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        for language in languages:
            for theme in THEMES:
                for size in SIZES:
                    for place in wanted:
                        _shoot(browser, server, place, {"language": language, "theme": theme}, size)
                        taken += 1
                    print(f"{taken} screenshots ...", end="\r", flush=True)
        browser.close()
    return taken


def _shoot(browser: Browser, server: Server, place: Place, settings: dict[str, Any], size: str) -> None:
    """Take one screenshot of the window once the page is ready."""
    visitor = visit(browser, server.address, size=SIZES[size], touch=size == "phone", settings={**QUIET, **settings})
    go(visitor, place)
    visitor.page.evaluate("() => document.fonts.ready")
    visitor.page.wait_for_timeout(150)
    name = f"{place.name}-{size}-{settings['theme']}-{settings['language']}.png"
    visitor.page.screenshot(path=FOLDER / name, animations="disabled")
    visitor.context.close()


def _write_index() -> Path:
    """Write the page that shows all screenshots in the folder, including those of earlier runs."""
    index = FOLDER / "index.html"
    body = "\n".join(_sections(sorted(path.stem for path in FOLDER.glob("*.png"))))
    index.write_text(
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Screenshots</title>\n'
        f"<style>{STYLE}</style>\n<h1>Screenshots</h1>\n{body}\n</html>\n",
        encoding="utf-8",
    )
    return index


def _sections(names: list[str]) -> Iterator[str]:
    for page in dict.fromkeys(name.partition("-")[0] for name in names):
        figures = [
            f'<figure><a href="{name}.png"><img src="{name}.png" alt="" loading="lazy"></a>'
            f"<figcaption>{html.escape(name)}</figcaption></figure>"
            for name in names
            if name.partition("-")[0] == page
        ]
        yield f"<h2>{html.escape(page)}</h2>\n<section>{''.join(figures)}</section>"


if __name__ == "__main__":
    sys.exit(main())
