"""The pages to check for layout, accessibility and translations, and the games that they show."""

from __future__ import annotations

import dataclasses
from typing import Final
from urllib.parse import quote

from cairn.puzzles import Goal, released
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.visit import Visitor

START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
MIDDLE: Final = "S2SS/2S2/5/1F2F/F3F e2PS,a3WC,c3FC,d4SA,b5MM DRSW (ADCSHETS) wdem 1-1 F"
"""A position from the middle of a game, with many pieces on the table."""
POWER: Final = "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F"
"""A position in which Forest can play a1-c3 and must then move an enemy."""
WINS: Final = "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD,b4AD,d4DR SAMD CS wofm 2-1 F"
OPENING: Final = ("c1-c2", "c5-b4", "c2-b2", "a5-c3", "b2-a3", "b4-a4", "a3-a5", "e5-d4")
PUZZLE: Final = next(puzzle for puzzle in released() if (puzzle.goal, puzzle.turns) == (Goal.WIN, 3))
NAMES: Final = ("Ada", "Bertil")
PEOPLE: Final = {
    "forest": {"kind": "person", "name": NAMES[0]},
    "sea": {"kind": "person", "name": NAMES[1]},
}


@dataclasses.dataclass(frozen=True)
class Place:
    """A page, or a state of a page."""

    name: str
    path: str
    ready: str
    """A selector for an element that exists once the page is ready."""
    main: bool = True
    """Whether ``make screenshots`` includes the page."""


def places(server: Server) -> dict[str, Place]:
    """Create the games, and return every place by name."""
    people = server.begin(MIDDLE, [], PEOPLE)
    won = server.begin(WINS, ["c5-out", "=MD"])
    power = server.begin(POWER, ["a1-c3"])
    played = server.begin(START, OPENING, AGAINST_COMPUTER)
    found = [
        Place("home", "/", ".home [role=img], .home svg"),
        Place("new", "/new", "form"),
        Place("play", f"/game/{people}", ".play [role=gridcell]"),
        Place("games", "/games", "article"),
        Place("statistics", "/games/statistics", "main h2"),
        Place("setup", f"/setup?position={quote(MIDDLE)}", ".verdict.legal"),
        Place("analysis", f"/analysis?position={quote(MIDDLE)}", ".layout ol li"),
        Place("learn", "/learn", "main h2"),
        Place("megaliths", "/learn/megaliths", "article"),
        Place("performance", "/learn/megaliths/performance", "tbody tr"),
        Place("tutorial", "/tutorial", ".play [role=gridcell]"),
        Place("puzzles", "/puzzles", "main h2"),
        Place("puzzle", f"/puzzles/{PUZZLE.id}", ".play [role=gridcell]"),
        Place("settings", "/settings", "[role=switch]"),
        Place("end", f"/game/{won}", "section.end"),
        Place("power", f"/game/{power}", ".play [data-target]"),
        Place("replay", f"/game/{played}?step=3", ".play [role=gridcell]"),
        Place("lobby", "/lobby", "main form"),
        Place("account", "/account", "main form"),
        Place("leaders", "/leaders", "main h1"),
        Place("two", "/new?two", "form", main=False),
        Place("shared", f"/position?p={quote(START)}", ".verdict.legal"),
        Place("megalith", "/learn/megaliths#DR", "article [role=img]", main=False),
        Place("not-found", "/nowhere", "main h1", main=False),
        Place("no-game", "/game/nowhere", "main .ways", main=False),
    ]
    return {place.name: place for place in found}


def go(visitor: Visitor, place: Place) -> None:
    """Open the place and wait until it is ready."""
    if place.name == "no-game":
        visitor.allow(r"404|4404|WebSocket")
    visitor.page.goto(f"{visitor.address}{place.path}")
    visitor.page.locator(place.ready).first.wait_for()
