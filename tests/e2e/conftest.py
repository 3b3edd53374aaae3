"""Fixtures for the browser tests: Chromium, Firefox, the built pages, a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, NoReturn, TypeAlias

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from harness import bidi, chromium, firefox
from tests.e2e.away import Away
from tests.e2e.builds import Site, copy_pages
from tests.e2e.door import Door
from tests.e2e.server import PAGES, Server
from tests.e2e.visit import DESKTOP, QUIET, Visitor, fill_storage, visit
from tests.summaries import reports_of, write_counts

Visits: TypeAlias = Callable[..., Visitor]
FirefoxPages: TypeAlias = Callable[[], bidi.Page]

HERE: Final = Path(__file__).parent

expect.set_options(timeout=20_000)  # on a slow machine, the default of 5 s may not be enough

MEASURED = "measured"
"""The name of the test property whose values are printed at the end of a run."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the measurements, and a last line that tells CI that the browser tests have run."""
    reports = reports_of(
        terminalreporter,
        lambda report: report.nodeid.startswith("tests/e2e/") and not {"proof", "matrix"} & set(report.keywords),
    )
    for report in reports["passed"]:
        for name, value in report.user_properties:
            if name == MEASURED:
                terminalreporter.write_line(f"measured: {value}")
    write_counts(terminalreporter, "e2e", reports)


@pytest.fixture(scope="session")
def require_chromium() -> None:
    """Without Chromium, skip the test, or fail it if browsers are required."""
    if chromium.find() is None:
        _miss(chromium.why_missing())


@pytest.fixture(scope="session")
def require_firefox() -> None:
    """Without Firefox, skip the test, or fail it if browsers are required."""
    if firefox.find() is None:
        _miss(firefox.why_missing())


@pytest.fixture(scope="session")
def require_browser() -> None:
    """Without any browser, skip the test before it starts a server."""
    if chromium.find() is None and firefox.find() is None:
        _miss(chromium.why_missing())


def _miss(reason: str) -> NoReturn:
    message = f"Browser tests cannot run: {reason}."
    if chromium.is_required():
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


@pytest.fixture(scope="session")
def server(require_browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
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
    """Close the browser after each module if other tests may follow: Playwright keeps them from using asyncio."""
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
    pytest.fail("This would change the window that other tests share. Use own_visitor instead.", pytrace=False)


@pytest.fixture(scope=_browser_scope)
def window(browser: Browser, server: Server) -> Iterator[Visitor]:
    """The window that all tests with only one visitor share."""
    visitor = visit(browser, server.address, settings=QUIET)
    for each in (visitor.context, visitor.page):  # later tests would see the effects of these calls
        for name in ("add_init_script", "route", "expose_function", "emulate_media"):
            setattr(each, name, _refuse)
    yield visitor
    visitor.context.close()


@pytest.fixture
def visitor(window: Visitor) -> Iterator[Visitor]:
    """A visitor in the shared window, at desktop size, with the ``QUIET`` settings and empty storage."""
    yield window
    complaints = window.unexpected()
    window.reset()
    assert not complaints, "the pages reported errors:\n" + "\n".join(complaints)


@pytest.fixture
def own_visitor(visits: Visits) -> Visitor:
    """A visitor in a new window. The test may make changes to the window that cannot be undone."""
    return visits()


@pytest.fixture
def on_site(site: Site, visits: Visits) -> Away:
    """A visitor on a static site."""
    return Away(visits(site), "/#")


@pytest.fixture(scope="session")
def firefox_client(require_firefox: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[bidi.Client]:
    """Firefox."""
    with firefox.launch(tmp_path_factory.mktemp("firefox")) as client:
        yield client


@pytest.fixture
def firefox_pages(firefox_client: bidi.Client, server: Server) -> Iterator[FirefoxPages]:
    """A function that opens Firefox windows. The test fails at the end if a window had an error."""
    opened: list[bidi.Page] = []

    def open_window() -> bidi.Page:
        opened.append(firefox_client.open(size=DESKTOP, init_script=fill_storage(server.address, QUIET)))
        return opened[-1]

    yield open_window
    for page in opened:
        page.close()
    complaints = [complaint for page in opened for complaint in page.complaints]
    assert not complaints, "the pages reported errors:\n" + "\n".join(complaints)
