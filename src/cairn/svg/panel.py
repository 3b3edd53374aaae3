"""The column next to the land: action tiles, transformation tile, upcoming megaliths and deck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cairn.svg import words
from cairn.svg.elements import at, box, group, label, title
from cairn.svg.layout import GAP, LAND_WIDTH, PANEL_WIDTH, TABLE_HEIGHT, TILE_HEIGHT
from cairn.svg.megaliths import face_down, stone
from cairn.svg.palette import CREAM, SHADOW, TRAY
from cairn.svg.tiles import tile as drawn_tile
from cairn.vocabulary import ActionTile, Copy, Deck, Draw, Flip, Megalith, Setup, Token, Transform

_LEFT: Final = LAND_WIDTH + GAP
_STEP: Final = TILE_HEIGHT + 8
_TRAY_TOP: Final = 4 * _STEP + 4
_TRAY_HEIGHT: Final = TABLE_HEIGHT - _TRAY_TOP
_SLOT: Final = 74


def panel(setup: Setup, last: Sequence[Token]) -> str:
    """The whole column. Tiles that the last tokens turned over have a frame."""
    choices = [token.choice if isinstance(token, Copy) else token for token in last]
    flipped = {token.tile for token in choices if isinstance(token, Flip)}
    drawn = {token.tile for token in choices if isinstance(token, Draw)}
    transformed = any(isinstance(token, Transform) for token in choices)
    faces = setup.faces
    tiles = (
        drawn_tile(faces.add, used=ActionTile.ADD in flipped),
        drawn_tile(faces.move, used=ActionTile.MOVE in flipped),
        drawn_tile(faces.jump, used=ActionTile.JUMP in flipped),
        drawn_tile(faces.transformation, used=transformed),
    )
    return group(
        *(group(tile, transform=f"translate({_LEFT} {index * _STEP})") for index, tile in enumerate(tiles)),
        group(_tray(setup, drawn), transform=f"translate({_LEFT} {_TRAY_TOP})"),
    )


def _tray(setup: Setup, drawn: set[Megalith]) -> str:
    """The upcoming megaliths side by side, with the deck below them."""
    return group(
        box(3, 6, PANEL_WIDTH - 4, _TRAY_HEIGHT - 6, 15, SHADOW, opacity=0.28),
        box(2, 2, PANEL_WIDTH - 4, _TRAY_HEIGHT - 4, 15, TRAY["face"], stroke=TRAY["edge"], stroke_width=2.5),
        *(_slot(9 + index * (_SLOT + 6), 12, tile, tile in drawn) for index, tile in enumerate(setup.upcoming)),
        _deck(setup.deck),
    )


def _slot(x: float, y: float, tile: Megalith | None, new: bool) -> str:
    hollow = box(x, y, _SLOT, _SLOT, 10, TRAY["hollow"], stroke=TRAY["edge"], stroke_width=1.5)
    if tile is None:
        return group(title("Empty slot"), hollow)
    frame = box(x - 1, y - 1, _SLOT + 2, _SLOT + 2, 11, "none", stroke=CREAM, stroke_width=4) if new else ""
    return group(
        title(f"Upcoming: {tile.name} ({tile.powers['en']})"),
        hollow,
        at(x + 3, y + 2, _SLOT - 6, stone(tile)),
        frame,
        class_=f"upcoming {tile.code}",
    )


def _deck(deck: Deck) -> str:
    """A pile of up to four tiles, labelled with the deck's size. The title lists the tiles that may still be drawn."""
    y, size = 127.0, 82.0
    x = (PANEL_WIDTH - size) / 2
    layers = min(len(deck), 4)
    pile = [at(x, y - 5 * index, size, face_down()) for index in range(layers)]
    hollow = box(x + 2, y, size - 4, size - 2, 10, TRAY["hollow"], stroke=TRAY["edge"], stroke_width=1.5)
    middle = y - 5 * max(layers - 1, 0) + size / 2
    return group(
        title(f"Deck: {words.deck(deck)}"),
        hollow if not layers else "",
        *pile,
        label(x + size / 2, middle, str(len(deck)), 30, CREAM, font_weight="bold"),
        class_="deck",
    )
