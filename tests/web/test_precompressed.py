"""The build writes compressed copies of the pages, which the server sends as they are."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest


def test_compressed_copies_have_the_same_content(repository: Path) -> None:
    pages = repository / "src" / "cairn" / "server" / "pages"
    if not (pages / "index.html").is_file():
        pytest.skip("The pages have not been built. Run: make pages")
    suffixes = {".js", ".css", ".html", ".wasm"}
    files = [path for path in pages.rglob("*") if path.suffix in suffixes and path.stat().st_size >= 1000]
    assert {path.suffix for path in files} == suffixes
    for path in files:
        plain = path.read_bytes()
        zipped = path.with_name(f"{path.name}.gz").read_bytes()
        assert gzip.decompress(zipped) == plain
        brotli = path.with_name(f"{path.name}.br").read_bytes()
        assert 0 < len(brotli) <= len(zipped)
