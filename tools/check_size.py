"""Checks the compressed size of the scripts that a visitor downloads, for each route.

A visitor who opens one page downloads the entry scripts, the scripts for that page, the bar of running games, and the
messages and texts of all these in one language. The build's manifest lists the scripts for each of these. Scripts and
workers that a page loads later count as part of the page. A game is played either on the device or online, so the play
page is measured twice, once for each kind of game. What comes after the first board (the list of moves, cards, tips,
hints, the show of a victory, the result, sealed draws) is called the guide. It has its own limit, but counts for the
whole visit. The core (WebAssembly) and the weights of its network are fetched only when they are needed, so they have
their own limits. So do the fonts, which are not scripts.
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
"""The maximum size of all scripts that a visit to one page loads, with the messages in one language, in bytes."""
ROUTE_LIMIT: Final = 60_000
"""The maximum size of one route, without the entry and the messages, in bytes."""
GUIDE_LIMIT: Final = 20_000
"""The maximum size of what the guide adds to a route, with the workers it starts, in bytes."""
CORE_LIMIT: Final = 120_000
"""The maximum size of the core, in bytes."""
ENGINE_LIMIT: Final = 400_000
"""The maximum size of the core and the weights of its network together, in bytes."""
FONTS_LIMIT: Final = 45_000
"""The maximum size of the fonts for one language, in bytes. They are compressed already."""
ALL_FONTS_LIMIT: Final = 90_000
"""The maximum size of the fonts for all languages together, in bytes."""
KINDS_OF_GAME: Final = {
    "on the device": ("src/lib/device/", "src/app/guide/helpChunk"),
    "online": ("src/app/online/",),
}
"""The folders of the scripts that a page loads only for one kind of game. One visit never needs both folders."""
DEVICE: Final = "src/lib/device/index.ts"
"""The code for games on the device. The entry loads it too, but a page that needs it counts it."""
SOURCES: Final = {"on the device": "src/lib/source/here.ts", "online": "src/lib/source/server.ts"}
"""The script that the entry loads together with the play page, for each kind of game."""
GUIDE: Final = (
    "src/app/guide/",
    "src/app/cards/",
    "src/app/play/EndCard.svelte",
    "src/app/play/panelChunk.ts",
    "src/app/online/fairness.ts",
    "src/app/online/sealedDraws.svelte.ts",
)
"""The scripts that a page loads after its first board, to guide a player, to show the result, and for sealed draws."""
BAR: Final = "src/app/running/RunningBar.svelte"
"""The bar of running games, which every page loads."""
ENTRY_SCRIPT: Final = re.compile(r'<script type="module"[^>]* src="[./]*(assets/[^"]+)"')
"""Matches the script with which every page begins."""
LANGUAGE: Final = re.compile(r"/(en|fr|de|ru)(?:\.ts)?$")
"""Matches the modules that contain texts in one language: `learn/text/en.ts` and `virtual:messages/…/en`."""
MESSAGES: Final = "virtual:messages/"
"""Begins the names of the modules with messages. The name of the module that needs them and the language follow."""
ENTRY_MODULE: Final = "src/main.ts"
"""The module whose messages every page needs."""


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
        return {title: self._files(names) - self.entry for title, names in self._routes(guided=False).items()}

    @property
    def guided(self) -> dict[str, set[str]]:
        """The scripts that each page adds to the entry, with the guide."""
        return {title: self._files(names) - self.entry for title, names in self._routes(guided=True).items()}

    @property
    def languages(self) -> set[str]:
        """The codes of the languages."""
        return {code[1] for name in self._chunks if (code := LANGUAGE.search(name))}

    def visits(self, language: str) -> dict[str, set[str]]:
        """Everything that a visit to each page loads in a language: its scripts, the entry and the bar, with texts."""
        # The bar loads the code for games on the device only if there are such games.
        bar = self._imported(BAR) if BAR in self._chunks else set()
        return {
            title: self.entry | self._files(names | bar | self._texts(self._entry | names | bar, language))
            for title, names in self._routes(guided=True).items()
        }

    @property
    def uncounted(self) -> set[str]:
        """The modules with messages that no visit would count, because the module that needs them is not a chunk."""
        owners = {LANGUAGE.sub("", name).removeprefix(MESSAGES) for name in self._chunks if name.startswith(MESSAGES)}
        return owners - self._chunks.keys() - {ENTRY_MODULE}

    @property
    def core(self) -> set[str]:
        """The WebAssembly modules."""
        return {chunk["file"] for chunk in self._chunks.values() if chunk["file"].endswith(".wasm")}

    @property
    def weights(self) -> set[str]:
        """The files with the weights of the network."""
        return {f"assets/{path.name}" for path in self._folder.glob("assets/*.bin")}

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

    def _routes(self, *, guided: bool) -> dict[str, set[str]]:
        left_out = self._from_entry - {DEVICE} | (
            set() if guided else {name for name in self._chunks if name.startswith(GUIDE)}
        )
        return {
            title: set().union(*(self._with_later(name, left_out | unneeded) for name in names))
            for page in self._pages
            for title, names, unneeded in self._visits(page)
        }

    def _texts(self, names: set[str], language: str) -> set[str]:
        """The chunks with the messages and other texts that some chunks load in a language."""
        later = {each for name in names for each in self._chunks[name].get("dynamicImports", [])}
        texts = {name for name in later if (code := LANGUAGE.search(name)) and code[1] == language}
        owners = names | {ENTRY_MODULE}
        needed = {name for name in texts if LANGUAGE.sub("", name).removeprefix(MESSAGES) in owners}
        return needed | {name for name in texts if not name.startswith(MESSAGES)}

    @property
    def _pages(self) -> set[str]:
        return self._from_entry - {BAR, DEVICE, *SOURCES.values()}

    @property
    def _from_entry(self) -> set[str]:
        return self._loaded_later(self._entry)

    @property
    def _entry(self) -> set[str]:
        page = (self._folder / "index.html").read_text("utf-8")
        entries = [name for name, chunk in self._chunks.items() if chunk["file"] in ENTRY_SCRIPT.findall(page)]
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

    def _visits(self, route: str) -> Iterator[tuple[str, set[str], set[str]]]:
        """The kinds of visits to a route, each with the chunks that it begins with and those that only others load."""
        title = Path(route).name.partition(".")[0]
        later = self._loaded_later(self._imported(route))
        parts = {
            kind: chunks
            for kind, folder in KINDS_OF_GAME.items()
            if (chunks := {name for name in later if name.startswith(folder)})
        }
        if len(parts) < 2:
            yield title, {route}, set()
            return
        for kind in parts:
            source = {SOURCES[kind]} & self._chunks.keys()
            unneeded = set().union(*(chunks for other, chunks in parts.items() if other != kind))
            yield f"{title} {kind}", {route} | source, unneeded

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
    routes = {name: build.size(files) for name, files in build.routes.items()}
    if not build.languages or not routes or not build.core:
        print(f"{folder / MANIFEST} must list at least one language, one route and the core", file=sys.stderr)
        return 2
    guides = {name: build.size(files) - routes[name] for name, files in build.guided.items()}
    in_languages = [build.visits(code) for code in build.languages]
    visits = {name: max(build.size(each[name]) for each in in_languages) for name in routes}
    fonts = {code: build.fonts(code) for code in build.languages}
    core = build.size(build.core)
    too_large = _report(build.size(build.entry), routes, guides, visits, core)
    too_large = max(too_large, _report_engine(core, build.size(build.weights)))
    for module in sorted(build.uncounted):
        print(f"{module} has messages of its own but is not a chunk: import it dynamically", file=sys.stderr)
        too_large = 1
    return max(too_large, _report_fonts(fonts, build.all_fonts))


def _report(entry: int, routes: dict[str, int], guides: dict[str, int], visits: dict[str, int], core: int) -> int:
    guide = max(guides.values())
    print(f"{_kilobytes(entry)}  entry")
    print(f"   route    visit  (limits {ROUTE_LIMIT / 1000:.0f} and {VISIT_LIMIT / 1000:.0f} kB, compressed)")
    problems = []
    for name, size in sorted(routes.items(), key=lambda item: -item[1]):
        visit = visits[name]
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
        f"largest visit {max(visits.values()) / 1000:.1f} of {VISIT_LIMIT / 1000:.0f} kB, "
        f"guide {guide / 1000:.1f} of {GUIDE_LIMIT / 1000:.0f} kB, "
        f"core {core / 1000:.1f} of {CORE_LIMIT / 1000:.0f} kB"
    )
    return 1 if problems else 0


def _report_engine(core: int, weights: int) -> int:
    engine = core + weights
    print(f"engine: core and weights {engine / 1000:.1f} of {ENGINE_LIMIT / 1000:.0f} kB")
    if weights == 0:
        print("there are no weights for the network", file=sys.stderr)
    if engine > ENGINE_LIMIT:
        print(f"the engine is {(engine - ENGINE_LIMIT) / 1000:.1f} kB too large", file=sys.stderr)
    return 1 if weights == 0 or engine > ENGINE_LIMIT else 0


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
