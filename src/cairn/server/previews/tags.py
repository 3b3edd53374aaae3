"""Tags in the start page from which messengers and networks make the preview of a link.

A preview shows what everybody with the link can see: the players, the result and the board of a game. An invitation
says only that it is one. Browsers do not need the tags and get the page as it was built.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cairn.notation.position import setup_of
from cairn.server.errors import Refusal, StorageError
from cairn.server.game.access import WATCHER
from cairn.server.game.names import TribeName
from cairn.server.game.seats import Seat
from cairn.server.live.authority import Authority
from cairn.server.messages.games import GameView
from cairn.vocabulary import FOREST, SEA

TEXTS: Final[Mapping[str, Mapping[str, str]]] = json.loads(
    Path(__file__).with_name("texts.json").read_text(encoding="utf-8")
)
"""The texts by language."""
GAME: Final = re.compile(r"/game/([A-Za-z0-9]{1,100})/?")
ICON: Final = "/icons/icon-512.png"
DASH: Final = "\N{EN DASH}"
PICTURE_SIZE: Final = (1200, 630)


def wants_preview(headers: Mapping[str, str]) -> bool:
    """Whether a request may come from a program that makes previews. Browsers send one of these headers."""
    return "sec-fetch-mode" not in headers and "upgrade-insecure-requests" not in headers


async def tags_of(authority: Authority, origin: str, path: str, languages: str) -> str:
    """The tags for the page at a path. ``languages`` is the ``Accept-Language`` header of the request."""
    texts = TEXTS[_language(languages)]
    title, text, picture = texts["title"], texts["lead"], None
    if found := GAME.fullmatch(path):
        try:
            game = await authority.view(found[1], WATCHER)
        except (Refusal, StorageError):
            pass  # the page says that there is no such game
        else:
            title, text = _players(game, texts), _state(game, texts)
            picture = f"/api/games/{game.id}/picture.png?revision={game.revision}"
    elif path.startswith("/join/"):
        title, text = texts["invitation"], texts["invitation.text"]
    return _tags(title, text, origin + path, origin + (picture or ICON), large=picture is not None)


def _language(accepted: str) -> str:
    """The first of our languages in an ``Accept-Language`` header."""
    for each in accepted.split(","):
        code = each.strip()[:2].lower()
        if code in TEXTS:
            return code
    return "en"


def _players(game: GameView, texts: Mapping[str, str]) -> str:
    names = (_name(game.seats.forest, "forest", texts), _name(game.seats.sea, "sea", texts))
    return f"{f' {DASH} '.join(names)} · {texts['title']}"


def _name(seat: Seat, tribe: TribeName, texts: Mapping[str, str]) -> str:
    if seat.kind == "computer":
        return texts["computer"].format(level=seat.level)
    return seat.name or texts[tribe]


def _state(game: GameView, texts: Mapping[str, str]) -> str:
    """The result and the score, or that the game is in progress."""
    scores = setup_of(game.now.position).scores
    outcome = game.now.outcome
    order = (SEA, FOREST) if outcome and outcome.winner == "sea" else (FOREST, SEA)
    first, second = (scores[tribe] for tribe in order)
    key = "running" if outcome is None else f"won.{outcome.winner}" if outcome.winner else "drawn"
    return texts[key].format(score=texts["score"].format(first=first, second=second))


def _tags(title: str, text: str, address: str, picture: str, *, large: bool) -> str:
    properties: dict[str, Any] = {
        "og:type": "website",
        "og:site_name": "Cairn",
        "og:title": title,
        "og:description": text,
        "og:url": address,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:alt": text if large else "Cairn",
    }
    if large:
        properties |= {"og:image:width": PICTURE_SIZE[0], "og:image:height": PICTURE_SIZE[1]}
    names = {"description": text, "twitter:card": "summary_large_image" if large else "summary"}
    found = [f'<meta property="{name}" content="{html.escape(str(value))}" />' for name, value in properties.items()]
    found += [f'<meta name="{name}" content="{html.escape(value)}" />' for name, value in names.items()]
    return "\n".join(found)
