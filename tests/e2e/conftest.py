"""Fixtures of the tests in a real browser: Chromium, the built pages, a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.e2e import chromium
from tests.e2e.door import Door
from tests.e2e.server import PAGES, Server
from tests.e2e.visit import QUIET, Visitor, visit

Visits: TypeAlias = Callable[..., Visitor]

HERE: Final = Path(__file__).parent

MEASURED = "measured"
"""What a test has measured is told at the end, under this name."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was measured, and a closing line by which continuous integration knows that the browser has run."""
    told = {
        kind: [report for report in terminalreporter.stats.get(kind, []) if report.nodeid.startswith("tests/e2e/")]
        for kind in ("passed", "failed", "error", "skipped")
    }
    for report in told["passed"]:
        for name, value in report.user_properties:
            if name == MEASURED:
                terminalreporter.write_line(f"measured: {value}")
    if any(told.values()):
        failed = len(told["failed"]) + len(told["error"])
        line = f"e2e: {len(told['passed'])} passed, {failed} failed, {len(told['skipped'])} skipped"
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def chromium_is_here() -> None:
    """Skips, or fails where a browser is required, if there is none."""
    if chromium.find() is None:
        told = f"No test in a browser: {chromium.why_missing()}."
        if chromium.is_required():
            pytest.fail(told, pytrace=False)
        pytest.skip(told)


@pytest.fixture(scope="session")
def server(chromium_is_here: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of all tests of this process."""
    yield from _running(tmp_path_factory.mktemp("games"))


@pytest.fixture
def own_server(chromium_is_here: None, tmp_path: Path) -> Iterator[Server]:
    """A server for one test alone, which may kill it, or count its games."""
    yield from _running(tmp_path)


def _running(data: Path) -> Iterator[Server]:
    if not PAGES.is_file():
        pytest.fail("There are no pages to be tested: run make pages (or make play) first.", pytrace=False)
    server = Server(data)
    try:
        server.start()
        yield server
    finally:
        server.close()


def _as_long_as_possible(fixture_name: str, config: pytest.Config) -> Literal["session", "module"]:
    """While Playwright runs, no test of the same process can use asyncio, so other tests must not follow."""
    only_these = all(Path(each.partition("::")[0]).resolve().is_relative_to(HERE) for each in config.args)
    return "session" if only_these else "module"


@pytest.fixture(scope=_as_long_as_possible)
def browser(chromium_is_here: None) -> Iterator[Browser]:
    """Chromium."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture
def visits(browser: Browser, server: Server) -> Iterator[Visits]:
    """Opens windows. At the end nothing may have gone wrong in any of them."""
    opened: list[Visitor] = []

    def open_window(at: Server | Door | None = None, *, new_here: bool = False, **options: Any) -> Visitor:
        settings = None if new_here else {**QUIET, **options.pop("settings", {})}
        opened.append(visit(browser, (at or server).address, settings=settings, **options))
        return opened[-1]

    yield open_window
    complaints = [complaint for visitor in opened for complaint in visitor.unexpected()]
    for visitor in opened:
        visitor.context.close()
    assert not complaints, "the pages complained:\n" + "\n".join(complaints)


@pytest.fixture
def visitor(visits: Visits) -> Visitor:
    """A visitor at a desk, with quiet settings."""
    return visits()
