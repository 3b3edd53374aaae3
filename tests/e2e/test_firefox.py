"""The main path in Firefox: the home page, another language, a new game, a move."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import firefox
from tests.e2e.firefox import Firefox
from tests.e2e.server import Server
from tests.e2e.words import say

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Firefox]:
    """A Firefox window."""
    program = firefox.find()
    if program is None:
        pytest.skip(f"Firefox was not found ({', '.join(firefox.NAMES)}): install it, or set CAIRN_FIREFOX.")
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox.started(program, profile) as window:
        yield window


def test_a_visitor_changes_the_language_starts_a_game_and_moves(window: Firefox, server: Server) -> None:
    window.go(f"{server.address}/")
    window.wait("document.querySelector('main h1')")
    for code in ("fr", "en"):
        window.click(f'.languages button:has([lang="{code}"])')
        window.wait(f"document.documentElement.lang === '{code}'")
        window.wait(f"document.body.textContent.includes({json.dumps(say('common.home.lead', code))})")

    window.go(f"{server.address}/new?two")
    window.click("main button.main")
    window.wait("location.pathname.startsWith('/game/')")
    window.wait("document.querySelectorAll('[role=gridcell]').length === 25")

    game = server.begin(START)
    window.go(f"{server.address}/game/{game}")
    window.click('[data-pick="a1"]')
    window.click('[data-pick="a2"]')
    window.wait("""document.querySelector('[data-pick="a2"]').getAttribute('aria-label').includes('Forest')""")
    window.wait(f"fetch('/api/games/{game}').then((answer) => answer.json()).then(({{ steps }}) => steps.length === 1)")
    assert server.tokens(game) == ["a1-a2"]
    assert window.errors == []
