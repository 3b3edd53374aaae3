"""Fixtures for the browser tests: Chromium, the built pages, a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from harness import chromium
from tests.e2e.builds import Site, copy_pages
from tests.e2e.door import Door
from tests.e2e.server import PAGES, Server
from tests.e2e.visit import QUIET, Visitor, visit
from tests.summaries import reports_of, write_counts

Visits: TypeAlias = Callable[..., Visitor]

HERE: Final = Path(__file__).parent

expect.set_options(timeout=20_000)  # a slow machine may take longer than the usual 5 s; nothing here tests timing

MEASURED = "measured"
"""The name of the test property whose values are printed at the end of a run."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the measurements, and a last line that tells CI that the browser tests have run."""
    reports = reports_of(
        terminalreporter, lambda report: report.nodeid.startswith("tests/e2e/") and "proof" not in report.keywords
    )
    for report in reports["passed"]:
        for name, value in report.user_properties:
            if name == MEASURED:
                terminalreporter.write_line(f"measured: {value}")
    write_counts(terminalreporter, "e2e", reports)


@pytest.fixture(scope="session")
def require_chromium() -> None:
    """Without Chromium, skip the test, or fail it if Chromium is required."""
    if chromium.find() is None:
        reason = f"Browser tests cannot run: {chromium.why_missing()}."
        if chromium.is_required():
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def server(require_chromium: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server shared by all tests in this process."""
    yield from _running(tmp_path_factory.mktemp("games"))


@pytest.fixture
def own_server(require_chromium: None, tmp_path: Path) -> Iterator[Server]:
    """A server for a single test. The test may kill the server or count its games."""
    yield from _running(tmp_path)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A copy of the built pages, which a test may replace with a newer build."""
    _require_pages()
    return copy_pages(tmp_path / "pages")


@pytest.fixture
def deployed(require_chromium: None, tmp_path: Path, pages: Path) -> Iterator[Server]:
    """A server for a single test, with the test's own copy of the pages."""
    yield from _running(tmp_path / "data", pages)


@pytest.fixture
def site(require_chromium: None, tmp_path: Path) -> Iterator[Site]:
    """A static site in a folder of a plain file server."""
    _require_pages()
    site = Site(tmp_path)
    try:
        site.start()
        yield site
    finally:
        site.stop()


def _require_pages() -> None:
    if not PAGES.is_file():
        pytest.fail("The pages have not been built. Run make pages (or make play) first.", pytrace=False)


def _running(data: Path, pages: Path | None = None) -> Iterator[Server]:
    _require_pages()
    server = Server(data, pages=pages)
    try:
        server.start()
        yield server
    finally:
        server.close()


def _browser_scope(fixture_name: str, config: pytest.Config) -> Literal["session", "module"]:
    """Limit the browser to one module if other tests follow: they cannot use asyncio while Playwright runs."""
    only_these = all(Path(each.partition("::")[0]).resolve().is_relative_to(HERE) for each in config.args)
    return "session" if only_these else "module"


@pytest.fixture(scope=_browser_scope)
def browser(require_chromium: None) -> Iterator[Browser]:
    """Chromium."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture
def visits(browser: Browser, server: Server) -> Iterator[Visits]:
    """A function that opens windows. The test fails at the end if a window had an unexpected error."""
    opened: list[Visitor] = []

    def open_window(at: Server | Door | Site | None = None, *, new_here: bool = False, **options: Any) -> Visitor:
        settings = None if new_here else {**QUIET, **options.pop("settings", {})}
        opened.append(visit(browser, (at or server).address, settings=settings, **options))
        return opened[-1]

    yield open_window
    complaints = [complaint for visitor in opened for complaint in visitor.unexpected()]
    for visitor in opened:
        visitor.context.close()
    assert not complaints, "the pages reported errors:\n" + "\n".join(complaints)


def _refuse(*_: object, **__: object) -> None:
    pytest.fail("This would change the window for the tests that follow: use own_visitor.", pytrace=False)


@pytest.fixture(scope=_browser_scope)
def window(browser: Browser, server: Server) -> Iterator[Visitor]:
    """The window that all tests with only one visitor share."""
    visitor = visit(browser, server.address, settings=QUIET)
    for each in (visitor.context, visitor.page):  # tests cannot undo these, or might forget to
        for name in ("add_init_script", "route", "expose_function", "emulate_media"):
            setattr(each, name, _refuse)
    yield visitor
    visitor.context.close()


@pytest.fixture
def visitor(window: Visitor) -> Iterator[Visitor]:
    """A visitor on a desktop, with quiet settings and nothing stored."""
    yield window
    complaints = window.unexpected()
    window.reset()
    assert not complaints, "the pages reported errors:\n" + "\n".join(complaints)


@pytest.fixture
def own_visitor(visits: Visits) -> Visitor:
    """A visitor in a new window with an empty cache, which the test may change in ways that cannot be undone."""
    return visits()
