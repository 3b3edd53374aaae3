"""Checks the compressed size of all scripts of the pages against a limit.

The size is the most that a visitor with one language can download: all scripts of all pages and the largest language.
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter
from pathlib import Path
from typing import Final

PAGES: Final = Path(__file__).parent.parent / "src" / "cairn" / "server" / "pages"
LIMIT: Final = 150_000
"""The total compressed size in bytes."""
LANGUAGE: Final = "language-"
"""The prefix of a language script's file name, before the language code (web/vite.config.ts)."""


def main() -> int:
    """List the scripts; exit code 1 if they are too large, 2 if there are none."""
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in sorted(PAGES.rglob("*.js"))}
    languages: Counter[str] = Counter()
    for name, size in sizes.items():
        if name.startswith(LANGUAGE):
            languages[name.removeprefix(LANGUAGE).split("-")[0]] += size
    if not languages:
        print(f"no language scripts in {PAGES}: run make pages first", file=sys.stderr)
        return 2
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"{size / 1000:8.1f} kB  {name}")
    shared = sum(sizes.values()) - sum(languages.values())
    total = shared + max(languages.values())
    told = ", ".join(f"{language} {size / 1000:.1f}" for language, size in sorted(languages.items()))
    print(f"script: {total / 1000:.1f} kB of {LIMIT / 1000:.0f} kB compressed, with the largest language ({told})")
    if total > LIMIT:
        print(f"the scripts are {(total - LIMIT) / 1000:.1f} kB too large", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
