"""Derives the tables in src/cairn/server/unicode from the files of the Unicode Consortium.

    python tools/unicode_tables.py FOLDER

FOLDER contains ``UnicodeData.txt``, ``Scripts.txt``, ``ScriptExtensions.txt`` and ``PropertyValueAliases.txt`` from
the Unicode Character Database and ``confusables.txt`` from the data for UTS #39, all from the same Unicode version. The
tables contain only characters that can occur in a player name in normalization form D. After an update, add a migration
that recomputes the shapes of all names.
"""

from __future__ import annotations

import collections
import itertools
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

TABLES: Final = Path(__file__).parents[1] / "src" / "cairn" / "server" / "unicode"
KINDS: Final = ("L", "Mn", "Mc", "Nd")
"""The categories of letters, marks and digits."""
HEAD: Final = """\
# {subject}
# Derived from {files} in Unicode {version} by tools/unicode_tables.py.
# Copyright 2025 Unicode, Inc. NOTICE contains the licence.
"""


def main(folder: Path) -> None:
    """Write both tables."""
    version = _version(folder)
    characters = _characters(folder)
    confusable = _confusables(folder, characters)
    head = HEAD.format(
        subject="A prototype, then the characters that look like it.", files="confusables.txt", version=version
    )
    lines = (f"{prototype}: {' '.join(each)}" for prototype, each in sorted(confusable.items()))
    (TABLES / "confusables.txt").write_text(head + "".join(f"{line}\n" for line in lines), encoding="ascii")
    head = HEAD.format(
        subject="Scripts, then ranges of characters that all these scripts use. A range may contain unused characters.",
        files="Scripts.txt and ScriptExtensions.txt",
        version=version,
    )
    lines = (f"{scripts}: {' '.join(each)}" for scripts, each in sorted(_scripts(folder, characters).items()))
    (TABLES / "scripts.txt").write_text(head + "".join(f"{line}\n" for line in lines), encoding="ascii")


def _version(folder: Path) -> str:
    """The Unicode version of the files. Exits if the versions differ."""
    versions = set()
    for name in ("confusables.txt", "Scripts.txt", "ScriptExtensions.txt", "PropertyValueAliases.txt"):
        found = re.search(r"[0-9]+\.[0-9]+\.[0-9]+", (folder / name).read_text(encoding="utf-8-sig")[:1_000])
        versions.add(found[0] if found else f"unknown in {name}")
    if len(versions) != 1:
        sys.exit(f"The files have different Unicode versions: {', '.join(sorted(versions))}.")
    return versions.pop()


def _characters(folder: Path) -> set[int]:
    """Letters, marks and digits that have no decomposition, plus ``-`` and ``_``."""
    found = {ord("-"), ord("_")}
    first = 0
    for code, name, category, decomposition in (
        (row[0], row[1], row[2], row[5]) for row in _rows(folder, "UnicodeData.txt")
    ):
        if not category.startswith(KINDS) or decomposition:
            continue
        if name.endswith(", First>"):
            first = int(code, 16)
        elif name.endswith(", Last>"):
            found.update(range(first, int(code, 16) + 1))
        else:
            found.add(int(code, 16))
    return found


def _confusables(folder: Path, characters: set[int]) -> Mapping[str, list[str]]:
    """The characters that look like each prototype."""
    found: dict[str, list[str]] = collections.defaultdict(list)
    for code, prototype, _ in _rows(folder, "confusables.txt"):
        if int(code, 16) in characters:
            found[prototype].append(code)
    return {prototype: sorted(codes, key=lambda code: int(code, 16)) for prototype, codes in found.items()}


def _scripts(folder: Path, characters: set[int]) -> Mapping[str, list[str]]:
    """The ranges of characters that each set of scripts uses."""
    aliases = {row[2]: row[1] for row in _rows(folder, "PropertyValueAliases.txt") if row[0] == "sc"}
    scripts = {code: aliases[name] for codes, name in _rows(folder, "Scripts.txt") for code in _range(codes)}
    for codes, names in _rows(folder, "ScriptExtensions.txt"):
        scripts |= dict.fromkeys(_range(codes), " ".join(sorted(names.split())))
    found: dict[str, list[str]] = collections.defaultdict(list)
    known = sorted(characters & scripts.keys())
    for names, run in itertools.groupby(known, key=scripts.__getitem__):
        first, *rest = run
        last = rest[-1] if rest else first
        found[names].append(f"{first:04X}" if last == first else f"{first:04X}-{last:04X}")
    return found


def _range(codes: str) -> Iterable[int]:
    first, _, last = codes.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


def _rows(folder: Path, name: str) -> Iterator[list[str]]:
    """The rows of a file, without comments."""
    for line in (folder / name).read_text(encoding="utf-8-sig").splitlines():
        fields = line.partition("#")[0].strip()
        if fields:
            yield [field.strip() for field in fields.split(";")]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
