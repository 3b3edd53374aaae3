"""The demo of the board package: a page without a framework mounts the board from the built script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.files import serve_folder

PACKAGE: Final = Path(__file__).parents[2] / "web" / "board"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a plain web server for the package's folder."""
    if not (PACKAGE / "dist" / "board.js").is_file():
        pytest.fail("The board has not been built. Run: make board", pytrace=False)
    with serve_folder(PACKAGE) as served:
        yield served


@pytest.fixture
def demo(browser: Browser, address: str) -> Iterator[Page]:
    """The demo page; any error on it fails the test."""
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(f"{address}/demo/index.html")
    expect(page.get_by_role("grid")).to_be_visible()
    yield page
    page.close()
    assert not complaints, complaints


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def last_event(page: Page) -> str:
    return page.locator("#event").inner_text()


def test_the_demo_does_not_use_a_framework() -> None:
    source = "".join((PACKAGE / "demo" / name).read_text(encoding="utf-8") for name in ("index.html", "demo.js"))
    assert "svelte" not in source.lower()


def test_a_board_is_mounted_and_reports_picks(demo: Page) -> None:
    expect(demo.get_by_role("gridcell")).to_have_count(25)
    expect(demo.get_by_role("gridcell", name="a1, Forest shaman", exact=True)).to_be_visible()
    expect(demo.locator("[data-target]")).to_have_count(3)
    demo.locator('[data-pick="a1"]').click()
    assert last_event(demo) == "pick a1"
    expect(demo.locator('[data-pick="a1"]')).to_have_attribute("aria-selected", "true")
    demo.locator('[data-pick="b2"]').click()
    assert last_event(demo) == "pick b2"
    demo.locator('[data-pick="e5"]').click(force=True)  # the cell is aria-disabled, but reports the click
    assert last_event(demo) == "refuse e5"


def test_the_drawings_are_loaded(demo: Page) -> None:
    """The script includes the sheet of drawings. A missing drawing would have no size."""
    box = demo.evaluate("""() => {
        const { width, height } = document.querySelector('[data-piece="forest-1"] use').getBBox();
        return [width, height];
    }""")
    assert box[0] > 20
    assert box[1] > 20
    assert demo.locator("#cairn-sheet").count() == 1


def test_set_turns_the_board(demo: Page) -> None:
    first = demo.get_by_role("gridcell").first
    expect(first).to_have_attribute("data-pick", "a5")
    press(demo, "Turn the board")
    expect(first).to_have_attribute("data-pick", "e1")


def test_shapes_are_drawn_and_removed(demo: Page) -> None:
    drawn = demo.locator("[data-drawn]")
    expect(drawn).to_have_count(0)
    press(demo, "Draw shapes")
    kinds = [shape.get_attribute("data-drawn") for shape in drawn.all()]
    assert kinds == ["circle", "arrow", "arrow", "number", "number"]
    press(demo, "Start again")
    expect(drawn).to_have_count(0)


def test_a_step_is_played(demo: Page) -> None:
    press(demo, "Play a step")
    expect(demo.locator("#event")).to_have_text("played")
    expect(demo.get_by_role("gridcell", name="a2, Forest shaman", exact=True)).to_be_visible()
    expect(demo.locator('[data-pick="tile:move"]')).to_have_attribute("data-face", "d")
    assert [shape.get_attribute("data-drawn") for shape in demo.locator("[data-drawn]").all()] == ["arrow", "number"]


def test_arrow_keys_move_across_the_board(demo: Page) -> None:
    demo.locator('[data-pick="c3"]').focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown", "Enter"):
        demo.keyboard.press(key)
    assert last_event(demo) == "pick a1"


def test_boards_on_the_same_page_and_in_a_shadow_tree_are_independent(demo: Page) -> None:
    sheets = demo.evaluate("""async () => {
        const { mount } = await import("@cairn/board");
        const position = "5/5/5/5/F4 - DRMD (ADCSPSSA) wofm 0-0 F";
        const host = document.body.appendChild(document.createElement("div"));
        const inside = host.attachShadow({ mode: "open" }).appendChild(document.createElement("div"));
        inside.style.width = "200px";
        mount(inside, { position });
        const beside = document.body.appendChild(document.createElement("div"));
        beside.id = "second";
        mount(beside, { position });
        const drawing = host.shadowRoot.querySelector('[data-piece="forest-1"] use').getBBox();
        return [document.querySelectorAll("#cairn-sheet").length, drawing.width > 20];
    }""")
    assert sheets == [1, True]
    press(demo, "Turn the board")
    expect(demo.locator("#second [role=gridcell]").first).to_have_attribute("data-pick", "a5")


def test_destroy_removes_the_board(demo: Page) -> None:
    press(demo, "Remove")
    expect(demo.get_by_role("grid")).to_have_count(0)


def test_the_examples_in_the_readme_run(browser: Browser, address: str) -> None:
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    (html,) = re.findall(r"```html\n(.*?)```", readme, re.DOTALL)
    (shapes,) = re.findall(r"```ts\n(.*?)```", readme, re.DOTALL)
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    body = html.replace("</script>", f"{shapes}document.title = 'done';\n</script>")
    page.route("**/dist/readme.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{address}/dist/readme.html")
    expect(page).to_have_title("done")
    expect(page.get_by_role("gridcell", name="a2, Forest shaman", exact=True)).to_be_visible()
    assert len(page.locator("[data-drawn]").all()) == 9
    page.close()
    assert not complaints, complaints
