"""Builds the documentation site into ``build/docs``. Any warning of Sphinx fails the build.

The documents of the repository are copied into ``build/docs-source``, next to generated pages: the rules in four
languages, the web API and the Python API. Sphinx runs the notebook while it builds.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from docs_site import pages, reference, rules

ROOT: Final = Path(__file__).parent.parent
SETTINGS: Final = ROOT / "tools" / "docs_site"
BOARD: Final = ROOT / "web" / "board" / "dist" / "board.js"
ICON: Final = ROOT / "web" / "public" / "icons" / "icon.svg"
SOURCE: Final = ROOT / "build" / "docs-source"


def write_source(folder: Path) -> None:
    """Replace the folder with the source of the site."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pages.copy_pages(folder)
    rules.write_pages(folder / "rules")
    reference.write_pages(folder / "reference")
    shutil.copy(SETTINGS / "conf.py", folder)
    static = folder / "static"
    shutil.copytree(SETTINGS / "static", static)
    shutil.copytree(ROOT / "web" / "fonts", static / "fonts")
    shutil.copy(BOARD, static)
    shutil.copy(ICON, static)
    (static / "lines.json").write_text(rules.lines(), encoding="utf-8")


def build_site(source: Path, site: Path) -> int:
    """Build the site with Sphinx, and return its exit code. A warning is an error, but does not hide later ones."""
    shutil.rmtree(site, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    options = ["--builder", "html", "--doctree-dir", str(source.parent / "docs-cache")]
    return subprocess.run([*command, *options, str(source), str(site)], check=False).returncode


def main() -> int:
    """Build the site. The exit code is 2 if the board has not been built, and 1 if Sphinx found a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "docs", help="will be replaced")
    folder: Path = parser.parse_args().folder
    for needed in (BOARD, ICON):
        if not needed.is_file():
            print(f"{needed.relative_to(ROOT)} has not been built: run make docs", file=sys.stderr)
            return 2
    write_source(SOURCE)
    if build_site(SOURCE, folder):
        return 1
    print(f"docs: {sum(1 for _ in folder.rglob('*.html'))} pages in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
