"""How much script the pages weigh over the wire; fails when it is more than it may be.

Counted is the most that a visitor who stays with a language can fetch: every script of every page, and the language
with the most words.
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter
from pathlib import Path
from typing import Final

PAGES: Final = Path(__file__).parent.parent / "src" / "cairn" / "server" / "pages"
LIMIT: Final = 150_000
"""Bytes of all scripts, compressed."""
LANGUAGE: Final = "language-"
"""How the name of a language's script begins, before its code (web/vite.config.ts)."""


def main() -> int:
    """List the scripts and say whether they are small enough."""
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in sorted(PAGES.rglob("*.js"))}
    languages: Counter[str] = Counter()
    for name, size in sizes.items():
        if name.startswith(LANGUAGE):
            languages[name.removeprefix(LANGUAGE).split("-")[0]] += size
    if not languages:
        print(f"no pages with languages in {PAGES}: build them with make pages", file=sys.stderr)
        return 2
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"{size / 1000:8.1f} kB  {name}")
    shared = sum(sizes.values()) - sum(languages.values())
    total = shared + max(languages.values())
    told = ", ".join(f"{language} {size / 1000:.1f}" for language, size in sorted(languages.items()))
    print(f"script: {total / 1000:.1f} kB of {LIMIT / 1000:.0f} kB compressed; of the languages ({told}) one counts")
    if total > LIMIT:
        print(f"that is {(total - LIMIT) / 1000:.1f} kB too much", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
