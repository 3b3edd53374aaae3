"""The documentation site: its live boards play in every language, and its links lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urldefrag

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.files import serve_folder
from tests.e2e.visit import DESKTOP, PHONE
from tests.e2e.words import LANGUAGES, say

pytestmark = [pytest.mark.slow, pytest.mark.proof]

SITE: Final = Path(__file__).parents[2] / "build" / "docs"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a plain web server for the site."""
    if not (SITE / "index.html").is_file():
        pytest.fail("The documentation site has not been built. Run: make docs", pytrace=False)
    with serve_folder(SITE) as served:
        yield served


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in an English browser; any error on it fails the test."""
    opened = browser.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    opened.on("requestfailed", lambda request: complaints.append(request.url))
    yield opened
    opened.close()
    assert not complaints, complaints


def play_a_board(page: Page, line: str, language: str) -> None:
    """Play a step on the board with this line, and go back."""
    board = page.locator(f'.cairn-board[data-line="{line}"]')
    board.scroll_into_view_if_needed()
    count = board.locator(".cairn-controls span")
    expect(count).to_have_text(re.compile(r"^0 / \d+$"))
    steps = int(count.inner_text().split(" / ")[1])
    assert steps > 0
    before = board.locator(".cairn-picture").inner_html()
    board.get_by_role("button", name=say("learn.board.next", language), exact=True).click()
    expect(count).to_have_text(f"1 / {steps}")
    assert board.locator(".cairn-picture").inner_html() != before
    board.get_by_role("button", name=say("learn.board.previous", language), exact=True).click()
    expect(count).to_have_text(f"0 / {steps}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_have_live_boards(page: Page, address: str, language: str) -> None:
    page.goto(f"{address}/rules/{language}.html")
    assert page.locator("html").get_attribute("lang") == language
    expect(page.get_by_role("heading", level=1)).to_contain_text(say("common.title.learn", language))
    expect(page.locator(".cairn-live").first).to_be_visible()
    play_a_board(page, "add-white", language)


def test_the_first_page_has_a_live_board(page: Page, address: str) -> None:
    page.goto(f"{address}/docs/getting-started.html")
    play_a_board(page, "home", "en")


def test_every_board_on_a_page_is_drawn(page: Page, address: str) -> None:
    page.goto(f"{address}/rules/en.html")
    places = page.locator(".cairn-board")
    assert places.count() > 40
    for place in places.all():
        place.scroll_into_view_if_needed()
        expect(place.locator("svg").first).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", ["index", "docs/getting-started", "rules/ru", "reference/http", "examples/boards"])
def test_no_page_is_wider_than_the_window(page: Page, address: str, name: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{address}/{name}.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_board_fits_into_its_place(page: Page, address: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{address}/docs/getting-started.html")
    expect(page.locator(".cairn-controls")).to_be_visible()
    assert (
        page.evaluate("""() => {
        const place = document.querySelector(".cairn-picture");
        const edge = place.getBoundingClientRect().right + 1;
        return [...place.querySelectorAll("button, svg")].filter((each) => each.getBoundingClientRect().right > edge);
    }""")
        == []
    )


class Links(HTMLParser):
    """Collects the links and the ids in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("id"):
            self.ids.add(str(values["id"]))
        for name in ("href", "src"):
            if tag in ("a", "img", "script", "link") and (link := values.get(name)):
                self.links.append(link)


def test_every_link_leads_to_a_page_and_a_place_on_it(address: str) -> None:
    del address  # fails if the site has not been built
    pages = {path: Links() for path in SITE.rglob("*.html")}
    for path, parser in pages.items():
        parser.feed(path.read_text(encoding="utf-8"))
    wrong = []
    for path, parser in pages.items():
        for link in parser.links:
            name, anchor = urldefrag(link)
            if re.match(r"[a-z]+:", name):
                continue
            target = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
            known = pages[target].ids | {""} if target in pages else None
            if not target.is_file() or (known is not None and unquote(anchor) not in known):
                wrong.append(f"{path.relative_to(SITE)}: {link}")
    assert len(pages) > 60
    assert wrong == []
