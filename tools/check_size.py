"""Checks the compressed size of the scripts that a visitor downloads, for each route.

A visitor who opens one page downloads the entry scripts, the scripts for that page and the translations for one
language. The build's manifest lists the scripts for each. Scripts and workers that a page loads later count as part of
the page. The core (WebAssembly) is fetched only for local games, so it has its own limit.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

PAGES: Final = Path(__file__).parent.parent / "src" / "cairn" / "server" / "pages"
MANIFEST: Final = Path(".vite") / "manifest.json"
VISIT_LIMIT: Final = 150_000
"""The maximum size of the entry, one route and one language together, in bytes."""
ROUTE_LIMIT: Final = 60_000
"""The maximum size of one route, without the entry, in bytes."""
CORE_LIMIT: Final = 120_000
"""The maximum size of the core, in bytes."""
LANGUAGE: Final = re.compile(r"/(en|fr|de|ru)\.ts$")
"""Matches the modules that contain the translations for one language."""


class Build:
    """A build output folder and its Vite manifest."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._chunks: Final[dict[str, dict[str, Any]]] = json.loads((folder / MANIFEST).read_text("utf-8"))

    @property
    def entry(self) -> set[str]:
        """The scripts that every page needs: the main script, its imports, and the scripts outside the bundle."""
        return self._files(self._entry) | {path.name for path in self._folder.glob("*.js")}

    @property
    def routes(self) -> dict[str, set[str]]:
        """The scripts that each page adds to the entry, by the name of its module."""
        names = self._loaded_later(self._entry)
        return {
            Path(name).name.partition(".")[0]: self._files(self._with_later(name, names)) - self.entry for name in names
        }

    @property
    def languages(self) -> dict[str, set[str]]:
        """The scripts with the translations for each language."""
        found: dict[str, set[str]] = {}
        for name in self._chunks:
            if code := LANGUAGE.search(name):
                found.setdefault(code[1], set()).update(self._files(self._imported(name)) - self.entry)
        return found

    @property
    def core(self) -> set[str]:
        """The WebAssembly modules."""
        return {chunk["file"] for chunk in self._chunks.values() if chunk["file"].endswith(".wasm")}

    def size(self, files: Iterable[str]) -> int:
        """The total compressed size of the scripts, in bytes."""
        return sum(len(gzip.compress((self._folder / file).read_bytes(), 6)) for file in files)

    @property
    def _entry(self) -> set[str]:
        entries = [name for name, chunk in self._chunks.items() if chunk.get("isEntry") and name.endswith(".html")]
        return set().union(*map(self._imported, entries))

    def _imported(self, name: str) -> set[str]:
        """A chunk and all chunks that it imports statically, directly or indirectly."""
        found, waiting = set(), [name]
        while waiting:
            if (each := waiting.pop()) not in found:
                found.add(each)
                waiting += self._chunks[each].get("imports", [])
        return found

    def _loaded_later(self, names: set[str]) -> set[str]:
        later = {each for name in names for each in self._chunks[name].get("dynamicImports", [])}
        return {name for name in later if not LANGUAGE.search(name)}

    def _with_later(self, name: str, routes: set[str]) -> set[str]:
        """The chunks of a route, including those that it loads later, but not other routes."""
        found = self._imported(name)
        while later := self._loaded_later(found) - found - routes:
            found |= set().union(*map(self._imported, later))
        return found

    def _files(self, names: set[str]) -> set[str]:
        chunks = [self._chunks[name] for name in names]
        files = {file for chunk in chunks for file in (chunk["file"], *chunk.get("assets", []))}
        return {file for file in files if file.endswith(".js")}


def main() -> int:
    """List the sizes. The exit code is 1 if something is too large and 2 if there is no build."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=PAGES, help="the built pages")
    folder: Path = parser.parse_args().folder
    if not (folder / MANIFEST).is_file():
        print(f"no {MANIFEST} in {folder}: run make pages first", file=sys.stderr)
        return 2
    build = Build(folder)
    languages = {code: build.size(files) for code, files in build.languages.items()}
    routes = {name: build.size(files) for name, files in build.routes.items()}
    if not languages or not routes or not build.core:
        print(f"{folder / MANIFEST} must list at least one language, one route and the core", file=sys.stderr)
        return 2
    return _report(build.size(build.entry), routes, languages, build.size(build.core))


def _report(entry: int, routes: dict[str, int], languages: dict[str, int], core: int) -> int:
    language = max(languages.values())
    print(f"{_kilobytes(entry)}  entry")
    for code, size in sorted(languages.items()):
        print(f"{_kilobytes(size)}  language {code}")
    print(f"   route    visit  (limits {ROUTE_LIMIT / 1000:.0f} and {VISIT_LIMIT / 1000:.0f} kB, compressed)")
    problems = []
    for name, size in sorted(routes.items(), key=lambda item: -item[1]):
        visit = entry + size + language
        print(f"{_kilobytes(size)} {_kilobytes(visit)}  {name}")
        if size > ROUTE_LIMIT:
            problems.append(f"{name} is {(size - ROUTE_LIMIT) / 1000:.1f} kB too large for a route")
        if visit > VISIT_LIMIT:
            problems.append(f"a visit to {name} is {(visit - VISIT_LIMIT) / 1000:.1f} kB too large")
    if core > CORE_LIMIT:
        problems.append(f"the core is {(core - CORE_LIMIT) / 1000:.1f} kB too large")
    for problem in problems:
        print(problem, file=sys.stderr)
    largest = max(routes.values())
    print(
        f"script: largest route {largest / 1000:.1f} of {ROUTE_LIMIT / 1000:.0f} kB, "
        f"largest visit {(entry + largest + language) / 1000:.1f} of {VISIT_LIMIT / 1000:.0f} kB, "
        f"core {core / 1000:.1f} of {CORE_LIMIT / 1000:.0f} kB"
    )
    return 1 if problems else 0


def _kilobytes(size: int) -> str:
    return f"{size / 1000:8.1f}"


if __name__ == "__main__":
    sys.exit(main())
