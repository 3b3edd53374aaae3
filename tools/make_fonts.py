"""Makes the subsets of the two fonts in web/fonts, and web/fonts/fonts.css, which declares them.

Philosopher (headings) and Source Sans 3 (text) come from npm, where Fontsource publishes them as one file per script.
The subsets contain only the characters listed here, and only the features that the pages use. Latin and Cyrillic are
separate files, so that a visitor downloads Cyrillic letters only for Russian. The licence (OFL 1.1) reserves the names
of the originals, so the subsets have other names.

Run it with ``make fonts``; tools/check_size.py checks the sizes.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import io
import sys
import tarfile
import urllib.request
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

FOLDER: Final = Path(__file__).parent.parent / "web" / "fonts"
REGISTRY: Final = "https://registry.npmjs.org"

LATIN: Final = "".join(
    map(chr, chain(range(0x20, 0x7F), (each for each in range(0xC0, 0x100) if each not in (0xD0, 0xDE, 0xF0, 0xFE))))
)
"""ASCII, and the letters of Western Europe."""
SIGNS: Final = "\u00a0\u202f¡§«°·»¿ŒœŸ\u2013—\u2018\u2019\u201a“”„…→\u2212"
CYRILLIC: Final = "".join(map(chr, range(0x410, 0x450))) + "Ёё№"
SCRIPTS: Final = {"latin": LATIN + SIGNS, "cyrillic": CYRILLIC}

LEAST_KERNING: Final = 0.012
"""Smaller adjustments between two letters, in parts of the font size, are dropped: nobody sees them."""


@dataclasses.dataclass(frozen=True)
class Source:
    """A font on npm."""

    name: str
    """The family name of the subsets, and the start of their file names."""
    package: str
    version: str
    integrity: str
    """The hash of the archive, as in a package-lock.json."""
    file: str
    """The path of a font file in the archive, with a placeholder for the script."""
    weights: tuple[int, int]
    features: tuple[str, ...]


SOURCES: Final = (
    Source(
        "Cairn Display",
        "@fontsource/philosopher",
        "5.3.0",
        "sha512-jeycHVDesgFOcJkcsloZSqW/iVDAPd0/a9O5VRI3jmoIn1rNgedhJfosZpQttZHfsT+p28aLTmS61wAEjf9ljA==",
        "package/files/philosopher-{script}-700-normal.woff2",
        (700, 700),
        ("kern",),
    ),
    Source(
        "Cairn Text",
        "@fontsource-variable/source-sans-3",
        "5.3.0",
        "sha512-dpi0GZk7EQe2tYpg6Q0Fx0OmUgnuGu+0rHPgtXqtKhglYmJuP7jZ12Mu1uN+NfRaJRY1Emn8AQJEWzmoZ4wa9g==",
        "package/files/source-sans-3-{script}-wght-normal.woff2",
        (400, 700),
        ("kern", "tnum"),
    ),
)


def main() -> int:
    """Write the subsets, their licences and the style sheet."""
    FOLDER.mkdir(exist_ok=True)
    rules = []
    for source in SOURCES:
        archive = download(source)
        stem = source.name.partition(" ")[2].lower()
        (FOLDER / f"{stem}-licence.txt").write_bytes(archive["package/LICENSE"])
        for script, characters in SCRIPTS.items():
            font = shrink(TTFont(io.BytesIO(archive[source.file.format(script=script)])), source, characters)
            file = FOLDER / f"{stem}-{script}.woff2"
            font.save(file)
            rules.append(rule(source, file.name, sorted(font.getBestCmap())))
            print(f"{file.stat().st_size:6d}  {file.name}")
    (FOLDER / "fonts.css").write_text(HEADER + "\n".join(rules), encoding="utf-8")
    return 0


def download(source: Source) -> dict[str, bytes]:
    """Download the archive, compare its hash, and return its files by path."""
    short = source.package.partition("/")[2]
    address = f"{REGISTRY}/{source.package}/-/{short}-{source.version}.tgz"
    with urllib.request.urlopen(address) as answer:
        content = answer.read()
    found = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    if found != source.integrity:
        sys.exit(f"{address} has the hash {found}, expected {source.integrity}")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {each.name: file.read() for each in archive if (file := archive.extractfile(each)) is not None}


def shrink(font: TTFont, source: Source, characters: str) -> TTFont:
    """Keep only the characters, weights and features in use, and give the font its own name."""
    options = subset.Options()
    options.hinting = False
    options.layout_features = list(source.features)
    options.name_IDs = [1, 2]
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(font)
    if "fvar" in font:
        font = instancer.instantiateVariableFont(font, {"wght": source.weights})
    for record in font["name"].names:
        if record.nameID == 1:
            record.string = source.name
    if "GPOS" in font:
        drop_small_kerning(font)
    font.flavor = "woff2"
    return font


def drop_small_kerning(font: TTFont) -> None:
    """Remove the pairs of letters whose distance hardly changes. Kerning between classes of letters is kept."""
    least = LEAST_KERNING * font["head"].unitsPerEm
    for table in _pair_tables(font):
        for pairs in table.PairSet:
            pairs.PairValueRecord = [each for each in pairs.PairValueRecord if _strength(each) >= least]


def _pair_tables(font: TTFont) -> Iterator[Any]:
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            inner = getattr(table, "ExtSubTable", table)
            if hasattr(inner, "PairSet"):
                yield inner


def _strength(record: Any) -> float:
    value = record.Value1
    # In a variable font, the adjustment may also change with the weight.
    return float("inf") if getattr(value, "XAdvDevice", None) else abs(getattr(value, "XAdvance", 0))


HEADER: Final = "/* Written by tools/make_fonts.py. src/lib/fonts.ts loads the files before a page is shown. */\n"


def rule(source: Source, file: str, codes: list[int]) -> str:
    """The @font-face rule of one file."""
    low, high = source.weights
    weight = f"{low} {high}" if low != high else "400 700"  # a single weight serves all of them
    ranges = ", ".join(f"U+{low:X}" if low == high else f"U+{low:X}-{high:X}" for low, high in spans(codes))
    return f"""@font-face {{
    font-family: "{source.name}";
    src: url("./{file}") format("woff2");
    font-weight: {weight};
    font-display: block;
    unicode-range: {ranges};
}}
"""


def spans(codes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Combine consecutive codes."""
    start = end = None
    for code in codes:
        if start is None or end is None:
            start = end = code
        elif code == end + 1:
            end = code
        else:
            yield start, end
            start = end = code
    if start is not None and end is not None:
        yield start, end


if __name__ == "__main__":
    sys.exit(main())
