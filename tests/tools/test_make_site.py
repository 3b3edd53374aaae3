"""The static site: the built pages with a start page that works in any folder."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

PAGE = '<html><head><link href="/assets/a.css"><script src="/start.js"></script></head><use href="#x"/></html>'


@pytest.fixture
def make_site(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "tools")
    return importlib.import_module("make_site")


def test_the_start_page_has_relative_urls_and_says_that_there_is_no_server(make_site: ModuleType) -> None:
    page = make_site.static_page(PAGE)
    assert 'href="./assets/a.css"' in page
    assert 'src="./start.js"' in page
    assert '<use href="#x"/>' in page
    assert page.count('<meta name="cairn-host" content="static" />') == 1


def test_the_site_replaces_the_folder_and_has_no_compressed_files(make_site: ModuleType, tmp_path: Path) -> None:
    pages, site = tmp_path / "pages", tmp_path / "site"
    for name in ("index.html", "index.html.br", "assets/a.js", "assets/a.js.gz", ".vite/manifest.json"):
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text(PAGE)
    site.mkdir()
    (site / "old.js").touch()
    make_site.make_site(pages, site)
    assert {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()} == {"index.html", "assets/a.js"}
    assert (pages / "index.html").read_text() == PAGE
