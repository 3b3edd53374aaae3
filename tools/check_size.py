"""Checks the compressed size of the scripts that a visitor downloads, for each route.

A visitor who opens one page downloads the entry scripts, the scripts for that page and the translations for one
language. The build's manifest lists the scripts for each of these. Scripts and workers that a page loads later count as
part of the page. A game is played either on the device or online, so the play page is measured twice, once for each
kind of game. The guide (cards, tips, hints, the show of a victory, the result) is loaded after the first board and has
its own limit, but counts for the whole visit. The core (WebAssembly) is fetched only when it is needed, so it too has
its own limit. So do the fonts, which are not scripts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

PAGES: Final = Path(__file__).parent.parent / "src" / "cairn" / "server" / "pages"
MANIFEST: Final = Path(".vite") / "manifest.json"
VISIT_LIMIT: Final = 150_000
"""The maximum size of the entry, one route and one language together, in bytes."""
ROUTE_LIMIT: Final = 60_000
"""The maximum size of one route, without the entry, in bytes."""
GUIDE_LIMIT: Final = 15_000
"""The maximum size of what the guide adds to a route, with the workers it starts, in bytes."""
CORE_LIMIT: Final = 120_000
"""The maximum size of the core, in bytes."""
FONTS_LIMIT: Final = 45_000
"""The maximum size of the fonts for one language, in bytes. They are compressed already."""
ALL_FONTS_LIMIT: Final = 90_000
"""The maximum size of the fonts for all languages together, in bytes."""
KINDS_OF_GAME: Final = {
    "on the device": ("src/lib/device/", "src/app/guide/helpChunk"),
    "online": ("src/app/online/",),
}
"""The folders of the scripts that a page loads only for one kind of game. One visit never needs both folders."""
GUIDE: Final = ("src/app/guide/", "src/app/cards/", "src/app/play/EndCard.svelte", "src/app/online/fairness.ts")
"""The scripts that a page loads after its first board, to guide a player, to show the result and to verify it."""
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
        """The scripts that each page adds to the entry, by the name of its module, without the guide."""
        return self._routes({name for name in self._chunks if name.startswith(GUIDE)})

    @property
    def guided(self) -> dict[str, set[str]]:
        """The scripts that each page adds to the entry, with the guide."""
        return self._routes(set())

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

    def fonts(self, language: str) -> int:
        """The total size of the fonts for one language, in bytes: those for all languages, and its own."""
        other = re.compile(rf"language-(?!{language}-)")
        return sum(path.stat().st_size for path in self._font_files if not other.match(path.name))

    @property
    def all_fonts(self) -> int:
        """The total size of the fonts, in bytes."""
        return sum(path.stat().st_size for path in self._font_files)

    @property
    def _font_files(self) -> list[Path]:
        return [*self._folder.glob("assets/*.woff2")]

    def size(self, files: Iterable[str]) -> int:
        """The total compressed size of the scripts, in bytes."""
        return sum(len(gzip.compress((self._folder / file).read_bytes(), 6)) for file in files)

    def _routes(self, left_out: set[str]) -> dict[str, set[str]]:
        names = self._loaded_later(self._entry)
        return {
            title: self._files(self._with_later(name, names | unneeded | left_out)) - self.entry
            for name in names
            for title, unneeded in self._visits(name)
        }

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

    def _visits(self, route: str) -> Iterator[tuple[str, set[str]]]:
        """The kinds of visits to a route, each with the chunks that only the other kinds load."""
        title = Path(route).name.partition(".")[0]
        later = self._loaded_later(self._imported(route))
        parts = {
            kind: chunks
            for kind, folder in KINDS_OF_GAME.items()
            if (chunks := {name for name in later if name.startswith(folder)})
        }
        if len(parts) < 2:
            yield title, set()
            return
        for kind in parts:
            yield f"{title} {kind}", set().union(*(chunks for other, chunks in parts.items() if other != kind))

    def _with_later(self, name: str, left_out: set[str]) -> set[str]:
        """The chunks of a route, including those that it loads later, but without the chunks in ``left_out``."""
        found = self._imported(name)
        while later := self._loaded_later(found) - found - left_out:
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
    guides = {name: build.size(files) - routes[name] for name, files in build.guided.items()}
    fonts = {code: build.fonts(code) for code in languages}
    too_large = _report(build.size(build.entry), routes, guides, languages, build.size(build.core))
    return max(too_large, _report_fonts(fonts, build.all_fonts))


def _report(entry: int, routes: dict[str, int], guides: dict[str, int], languages: dict[str, int], core: int) -> int:
    language = max(languages.values())
    guide = max(guides.values())
    print(f"{_kilobytes(entry)}  entry")
    for code, size in sorted(languages.items()):
        print(f"{_kilobytes(size)}  language {code}")
    print(f"   route    visit  (limits {ROUTE_LIMIT / 1000:.0f} and {VISIT_LIMIT / 1000:.0f} kB, compressed)")
    problems = []
    for name, size in sorted(routes.items(), key=lambda item: -item[1]):
        visit = entry + size + guides[name] + language
        print(f"{_kilobytes(size)} {_kilobytes(visit)}  {name}")
        if size > ROUTE_LIMIT:
            problems.append(f"{name} is {(size - ROUTE_LIMIT) / 1000:.1f} kB too large for a route")
        if visit > VISIT_LIMIT:
            problems.append(f"a visit to {name} is {(visit - VISIT_LIMIT) / 1000:.1f} kB too large")
    if guide > GUIDE_LIMIT:
        problems.append(f"the guide is {(guide - GUIDE_LIMIT) / 1000:.1f} kB too large")
    if core > CORE_LIMIT:
        problems.append(f"the core is {(core - CORE_LIMIT) / 1000:.1f} kB too large")
    for problem in problems:
        print(problem, file=sys.stderr)
    largest = max(routes.values())
    print(
        f"script: largest route {largest / 1000:.1f} of {ROUTE_LIMIT / 1000:.0f} kB, "
        f"largest visit {(entry + max(routes[name] + guides[name] for name in routes) + language) / 1000:.1f} "
        f"of {VISIT_LIMIT / 1000:.0f} kB, guide {guide / 1000:.1f} of {GUIDE_LIMIT / 1000:.0f} kB, "
        f"core {core / 1000:.1f} of {CORE_LIMIT / 1000:.0f} kB"
    )
    return 1 if problems else 0


def _report_fonts(fonts: dict[str, int], together: int) -> int:
    problems = [
        f"the fonts for {code} are {(size - FONTS_LIMIT) / 1000:.1f} kB too large"
        for code, size in sorted(fonts.items())
        if size > FONTS_LIMIT
    ]
    if together > ALL_FONTS_LIMIT:
        problems.append(f"all fonts together are {(together - ALL_FONTS_LIMIT) / 1000:.1f} kB too large")
    if together == 0:
        problems.append("there are no fonts")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(
        f"fonts: largest language {max(fonts.values()) / 1000:.1f} of {FONTS_LIMIT / 1000:.0f} kB, "
        f"together {together / 1000:.1f} of {ALL_FONTS_LIMIT / 1000:.0f} kB"
    )
    return 1 if problems else 0


def _kilobytes(size: int) -> str:
    return f"{size / 1000:8.1f}"


if __name__ == "__main__":
    sys.exit(main())
