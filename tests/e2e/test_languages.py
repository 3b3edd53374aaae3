"""Every page in four languages: no text is cut off, overlapping, missing or left in English."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from cairn.vocabulary import MEGALITHS
from tests.e2e import looks
from tests.e2e.places import NAMES, Place, go, places
from tests.e2e.server import Server
from tests.e2e.visit import DESKTOP, PHONE, Visitor
from tests.e2e.words import FOLDER, LANGUAGES, messages

SMALL, LARGE = (360, 640), (2560, 1440)
"""The smallest and the largest window that the pages support."""

PLACES = (
    "home", "new", "play", "games", "setup", "analysis", "learn", "megaliths", "tutorial", "puzzles", "puzzle",
    "settings", "end", "power", "replay", "two", "shared", "megalith", "not-found", "no-game", "lobby", "account",
    "leaders", "statistics", "performance",
)  # fmt: skip

COGNATES = {
    "fr": re.compile(r"Code [A-Z]{2}|(, )?\d points?|Transformation|village"),
    "de": re.compile("Transformation|Lobby · Cairn"),
    "ru": None,
}
"""For each language, texts that are the same as in English although ``identical.json`` does not list them."""

AREAS = "account|alerts|cards|common|explorer|games|guide|learn|online|play|puzzles|review|setup|story|study"
RAW_KEY = re.compile(rf"\b({AREAS})\.[a-z][\w.-]*[\w-]")
PLACEHOLDER = re.compile(r"\{\s*\w+|\bundefined\b|\bNaN\b|\[object |\bnull\b")
SAME_EVERYWHERE = re.compile(
    r"""[^A-Za-z]*                            # numbers and signs
    | [a-e][1-5]?(\s→\s[a-e][1-5]|\s\+1)?     # columns, spaces, moves, points
    | (\w\w:)?([+xT]?[a-e][1-5]|[?=][A-Z]{2}|[a-e][1-5][-~/=](\w\w|out)|flip-\w+|stop|pass|use)  # tokens
    | [A-Z]{2} | (EN|FR|DE|RU)                # tiles, languages
    | [A-Z]\d{1,2}                            # rules
    | \d+\smin\s\+\s\d+\ss                    # clocks
    | Cairn | U | C | K | F | Enter | Esc | Home\sEnd  # the name of the game; keys
    | \S+/\S+/\S+/\S+/\S+\s.*                 # positions
    | player-\d+ | Grace-Hopper               # players from other tests on the same server
    """,
    re.VERBOSE,
)


@pytest.fixture(scope="module")
def all_places(server: Server) -> dict[str, Place]:
    return places(server)


def test_every_place_is_tested(all_places: dict[str, Place]) -> None:
    assert set(all_places) == set(PLACES)


@pytest.mark.proof
@pytest.mark.parametrize("name", PLACES)
def test_a_page_has_no_faults_in_any_language(visitor: Visitor, all_places: dict[str, Place], name: str) -> None:
    place = all_places[name]
    wrong: list[str] = []
    english: dict[str, str] = {}
    go(visitor, place)
    for language in LANGUAGES:
        visitor.page.locator(f'header button:has([lang="{language}"])').click()  # one tap changes the language
        visitor.page.locator(f'html[lang="{language}"]').wait_for(state="attached")
        sizes = (SMALL, LARGE, PHONE, DESKTOP) if language == "de" else (PHONE, DESKTOP)
        for width, height in sizes:
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.page.wait_for_timeout(50)
            wrong += [f"{language} {width} x {height}: {fault}" for fault in looks.faults(visitor.page)]
            texts = looks.texts(visitor.page)
            wrong += [f"{language}: {fault}" for fault in _missing(texts)]
            if language == "en":
                english |= texts
            else:
                wrong += [f"{language}: {fault}" for fault in _left_in_english(texts, english, language)]
    assert not wrong, f"{place.path}:\n" + "\n".join(dict.fromkeys(wrong))


def _missing(texts: dict[str, str]) -> Iterator[str]:
    for text, where in texts.items():
        if RAW_KEY.search(text) or PLACEHOLDER.search(text):
            yield f"a raw key or placeholder: {text!r} in {where}"


def _left_in_english(texts: dict[str, str], english: dict[str, str], language: str) -> Iterator[str]:
    allowed = _identical(language)
    for text, where in texts.items():
        if text not in english or SAME_EVERYWHERE.fullmatch(text):
            continue
        cognate = COGNATES[language]
        if not (cognate and cognate.fullmatch(text)) and re.sub(r"^\d+ · ", "", text) not in allowed:
            yield f"left in English: {text!r} in {where}"


def _identical(language: str) -> set[str]:
    """Texts that are meant to be the same in that language and in English."""
    listed = json.loads((FOLDER / "identical.json").read_text(encoding="utf-8"))
    same = {messages("en")[key] for key, languages in listed.items() if language in languages}
    names = {tile.name for tile in MEGALITHS.values() if tile.names[language] == tile.name}
    return same | names | {*NAMES, "English", "Français", "Deutsch", "Русский"}
