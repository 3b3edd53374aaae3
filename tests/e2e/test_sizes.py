"""Every page in six window sizes, four languages and three themes: nothing overflows, overlaps or moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.places import Place, go, places
from tests.e2e.server import Server
from tests.e2e.sizes import check, short_matrix
from tests.e2e.test_languages import PLACES

NARROW = (320, 640)
ZOOMED = (720, 450)
"""A desktop window at 200 % zoom."""


@pytest.fixture(scope="module")
def all_places(server: Server) -> dict[str, Place]:
    return places(server)


@pytest.mark.matrix
@pytest.mark.parametrize("name", PLACES)
def test_a_page_looks_right_in_every_size(
    browser: Browser, server: Server, all_places: dict[str, Place], name: str
) -> None:
    wrong = list(check(browser, server.address, all_places[name], short_matrix(PLACES.index(name))))
    assert not wrong, "\n".join(wrong)


@pytest.mark.proof
@pytest.mark.parametrize("size", [NARROW, ZOOMED], ids=["320 px", "200 % zoom"])
@pytest.mark.parametrize("name", ["home", "new", "play", "games", "settings", "end"])
def test_a_narrow_or_zoomed_window_does_not_scroll_sideways(
    visits: Visits, all_places: dict[str, Place], name: str, size: tuple[int, int]
) -> None:
    visitor = visits(size=size, touch=True, settings={"language": "de"})
    go(visitor, all_places[name])
    assert faults(visitor.page) == []
