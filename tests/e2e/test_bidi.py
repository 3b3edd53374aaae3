"""The WebDriver BiDi client, with a real Firefox: errors of a page are collected, input behaves as a person's."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from harness import bidi
from tests.e2e.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.proof]


@pytest.fixture
def page(firefox_client: bidi.Client) -> Iterator[bidi.Page]:
    page = firefox_client.open(size=(800, 600))
    yield page
    page.close()


def show(page: bidi.Page, html: str) -> None:
    page.go(f"data:text/html,{quote('<!doctype html>' + html)}")


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("console.error('broken')", "console error: broken"),
        ("console.warn('careful')", "console warn: careful"),
        ("setTimeout(() => { throw new Error('thrown') })", "javascript error: Error: thrown"),
        ("Promise.reject(new Error('rejected'))", "javascript error: Error: rejected"),
    ],
)
def test_errors_of_scripts_are_collected(page: bidi.Page, script: str, complaint: str) -> None:
    show(page, f"<script>{script}</script>")
    page.call("() => new Promise((resolve) => setTimeout(resolve))")
    assert page.complaints == [complaint]


def test_failed_requests_are_collected(page: bidi.Page, server: Server) -> None:
    page.go(f"{server.address}/about")
    page.call("() => fetch('/api/games/unknown').then(() => null)")
    assert page.complaints == [f"GET {server.address}/api/games/unknown was answered with status 404"]


def test_an_exception_in_a_call_is_raised(page: bidi.Page) -> None:
    with pytest.raises(bidi.BidiError, match="no such thing"):
        page.call("() => { throw new Error('no such thing'); }")
    with pytest.raises(bidi.BidiError, match="unknown command"):
        page._client.command("cairn.unknown")


def test_values_survive_a_call(page: bidi.Page) -> None:
    value = {"text": "«ü»\n", "list": [1, 2.5, None, True], "nested": {"a": []}}
    assert page.call("(value) => value", value) == value
    assert page.call("() => undefined") is None


def test_clicks_and_keys_are_those_of_a_person(page: bidi.Page) -> None:
    show(page, "<button>One</button> <input> <p></p>")
    page.call("""() => {
        window.seen = [];
        for (const kind of ['click', 'keydown'])
            addEventListener(kind, (event) => seen.push([event.isTrusted, event.key ?? event.target.textContent]));
    }""")
    page.click("button", "One")
    page.press("Tab", "a", "Enter")
    assert page.call("() => seen") == [[True, "One"], [True, "Tab"], [True, "a"], [True, "Enter"]]
    assert page.call("() => document.querySelector('input').value") == "a"


@pytest.mark.parametrize(
    "fault", ["position: fixed; inset: 0", "display: none", "visibility: hidden"], ids=["covered", "absent", "hidden"]
)
def test_only_what_a_person_can_click_is_clicked(page: bidi.Page, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    where = "i" if "fixed" in fault else "button"
    show(page, f"<style>{where} {{ {fault} }}</style><button>One</button><i></i>")
    monkeypatch.setattr(bidi, "PATIENCE", 0.2)
    with pytest.raises(AssertionError, match="still not true"):
        page.click("button")


def test_windows_share_nothing(firefox_client: bidi.Client, server: Server) -> None:
    stored = []
    for _ in range(2):
        page = firefox_client.open(size=(800, 600), init_script="globalThis.early = 'early'")
        page.go(f"{server.address}/about")
        stored.append(page.call("() => [localStorage.getItem('mine'), globalThis.early, innerWidth]"))
        page.call("() => localStorage.setItem('mine', 'yes')")
        page.close()
    assert stored == [[None, "early", 800]] * 2
