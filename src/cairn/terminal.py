"""Draw the board in a terminal, in 80 columns. The drawing is legible even without colour or in pure ASCII."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from cairn.messages import has, megalith_name, t
from cairn.vocabulary import (
    FOREST,
    POINTS_TO_WIN,
    SEA,
    STONE_CIRCLES,
    TRIBES,
    Add,
    AddFace,
    Banish,
    Build,
    Copy,
    Draw,
    Faces,
    Flip,
    Megalith,
    Pass,
    Phase,
    Push,
    Put,
    Setup,
    Space,
    Stop,
    Swap,
    Token,
    Transform,
    Travel,
    Tribe,
    Use,
    Variant,
    totem,
)
from cairn.vocabulary.tiles import other_side

WIDTH: Final = 80
_CELL: Final = 6
_FIELD: Final = 41
"""The width of the field, including row numbers and a gap. The panel gets the rest of the line."""

_TRIBE_STYLES: Final[Mapping[Tribe, str]] = {FOREST: "bold orange3", SEA: "bold deep_sky_blue1"}
_SET_STYLES: Final[Mapping[Variant, str]] = {
    Variant.BEGINNER: "black on grey82",
    Variant.STANDARD: "white on grey37",
    Variant.EXPERT: "bold gold1 on grey19",
}


@dataclasses.dataclass(frozen=True, slots=True)
class _Glyphs:
    """The characters for a drawing."""

    shaman: Mapping[Tribe, str]
    white: str
    black: str
    circle: str
    reached: tuple[str, str]
    left: tuple[str, str]
    emptied: str
    point: str
    no_point: str
    active: str
    rule: str
    bar: str
    corners: tuple[tuple[str, str, str], tuple[str, str, str], tuple[str, str, str]]
    """The left, middle and right character of the lines above, between and below the rows."""

    def totem(self, colour: AddFace) -> str:
        return self.white if colour is AddFace.WHITE else self.black


_UNICODE: Final = _Glyphs(
    shaman={FOREST: "♣F", SEA: "≈S"}, white="○w", black="●b", circle="◌", reached=("»", "«"), left=("·", "·"),
    emptied="x", point="■", no_point="□", active="►", rule="─", bar="│",
    corners=(("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘")),
)  # fmt: skip
_ASCII: Final = _Glyphs(
    shaman={FOREST: "^F", SEA: "~S"}, white="(w)", black="(b)", circle="( )", reached=("[", "]"), left=(".", "."),
    emptied="x", point="#", no_point="-", active=">", rule="-", bar="|", corners=(("+", "+", "+"),) * 3,
)  # fmt: skip


def board(
    setup: Setup, *, orientation: Tribe = FOREST, last: Sequence[Token] = (), unicode: bool = True
) -> RenderableType:
    """Draw the whole board, with ``orientation`` at the bottom. ``last`` lists the tokens to mark as just played."""
    glyphs = _UNICODE if unicode else _ASCII
    trace = _Trace.of(setup, last)
    field = _field_lines(setup, orientation, trace, glyphs)
    panel = _panel_lines(setup, last)
    lines = [_village_line(setup, orientation.enemy, glyphs)]
    for left, right in itertools.zip_longest(field, panel, fillvalue=Text()):
        line = Text().append_text(left)  # with left.copy(), the style would spread over the panel
        line.pad_right(_FIELD - line.cell_len)
        line.append_text(right)
        line.rstrip()
        lines.append(line)
    lines += [_village_line(setup, orientation, glyphs), _legend(setup, trace, glyphs)]
    drawing = Text("\n", no_wrap=True).join(lines)
    drawing.no_wrap = True
    return drawing


@dataclasses.dataclass(slots=True)
class _Trace:
    """The spaces that the last tokens touched."""

    left: set[Space] = dataclasses.field(default_factory=set)
    reached: set[Space] = dataclasses.field(default_factory=set)
    emptied: set[Space] = dataclasses.field(default_factory=set)

    @classmethod
    def of(cls, setup: Setup, last: Iterable[Token]) -> _Trace:
        trace = cls()
        for token in last:
            match token.choice if isinstance(token, Copy) else token:
                case Add(space) | Put(space, _):
                    trace.reached.add(space)
                case Travel(origin, target):
                    trace.left.add(origin)
                    trace.reached |= {target} if target else set()
                case Push(origin, target):
                    trace.left.add(origin)
                    trace.reached.add(target)
                case Swap(first, second):
                    trace.reached |= {first, second}
                case Banish(space) | Transform(space):
                    trace.emptied.add(space)
                case Build(tile):
                    trace.reached |= {space for space, standing in setup.megaliths.items() if standing is tile}
        return trace


def _field_lines(setup: Setup, orientation: Tribe, trace: _Trace, glyphs: _Glyphs) -> list[Text]:
    """The column letters, then two lines for each row: shamans above, megaliths and marks below."""
    columns = range(1, 6) if orientation is FOREST else range(5, 0, -1)
    rows = range(5, 0, -1) if orientation is FOREST else range(1, 6)
    above, between, below = (
        Text(f"   {left}{middle.join([glyphs.rule * _CELL] * 5)}{right}", style="dim")
        for left, middle, right in glyphs.corners
    )
    letters = Text("    " + " ".join("abcde"[column - 1].center(_CELL) for column in columns))
    lines = [letters, above]
    for row in rows:
        spaces = [Space(column, row) for column in columns]
        lines.append(_row(f" {row} ", (_shaman(setup, space, trace, glyphs) for space in spaces), glyphs))
        lines.append(_row("   ", (_ground(setup, space, glyphs) for space in spaces), glyphs))
        lines.append(between)
    lines[-1] = below
    return lines


def _row(start: str, cells: Iterable[Text], glyphs: _Glyphs) -> Text:
    line = Text(start)
    line.append(glyphs.bar, style="dim")
    for cell in cells:
        cell.align("center", _CELL)
        line.append_text(cell)
        line.append(glyphs.bar, style="dim")
    return line


def _shaman(setup: Setup, space: Space, trace: _Trace, glyphs: _Glyphs) -> Text:
    """The upper half of a space: its shaman, and marks for the last turn."""
    tribe = setup.shamans.get(space)
    standing = Text(glyphs.shaman[tribe], style=_TRIBE_STYLES[tribe]) if tribe else Text("  ")
    if space in trace.reached:
        before, after = glyphs.reached
    elif space in trace.left:
        before, after = glyphs.left
    else:
        before = after = " "
    return Text.assemble(before, standing, after, glyphs.emptied if space in trace.emptied else "")


def _ground(setup: Setup, space: Space, glyphs: _Glyphs) -> Text:
    """The lower half of a space: its megalith, totem or stone circle."""
    mark = next((glyphs.totem(colour) for tribe in TRIBES for colour in AddFace if totem(tribe, colour) == space), "")
    tile = setup.megaliths.get(space)
    if tile:
        return Text.assemble(_code(tile), (mark, "dim"))
    return Text(mark or (glyphs.circle if space in STONE_CIRCLES else ""), style="dim")


def _code(tile: Megalith) -> Text:
    return Text(tile.code, style=_SET_STYLES[tile.smallest_variant])


def _village_line(setup: Setup, tribe: Tribe, glyphs: _Glyphs) -> Text:
    score = setup.scores[tribe]
    line = Text(f" {glyphs.active if setup.active is tribe else ' '} ")
    line.append(f"{t('story.tribe', tribe=tribe.value):6}", style=_TRIBE_STYLES[tribe])
    points = glyphs.point * score + glyphs.no_point * (POINTS_TO_WIN - score)
    line.append(f"  {t('cli.board.score')} {score} {points}  {t('cli.board.village')} ")
    waiting = " ".join([glyphs.shaman[tribe]] * setup.village(tribe))
    line.append(waiting or t("cli.board.empty"), style=_TRIBE_STYLES[tribe] if waiting else "dim")
    line.append(f"  {t('cli.board.to-play')}" if setup.active is tribe else "")
    return line


def _panel_lines(setup: Setup, last: Sequence[Token]) -> list[Text]:
    """The column beside the field: tiles, upcoming megaliths, deck, last turn."""
    lines = [Text(t("cli.board.tiles"), style="bold"), *(Text(f"  {words}") for words in _faces_in_words(setup.faces))]
    lines += [Text(), Text(t("cli.board.upcoming"), style="bold")]
    empty = Text(f"  {t('cli.board.no-tile')}", style="dim")
    lines += [Text.assemble("  ", _code(tile), f" {megalith_name(tile)}") if tile else empty for tile in setup.upcoming]
    lines += [Text(), Text(t("cli.board.deck", n=len(setup.deck)), style="bold")]
    if setup.deck.unknown:
        lines += _code_lines(t("cli.board.deck.unknown"), sorted(setup.deck.unknown))
    if setup.deck.known:
        lines += _code_lines(t(f"cli.board.deck.{'then' if setup.deck.unknown else 'known'}"), setup.deck.known)
    if last:
        wrapped = textwrap.wrap(" ".join(map(str, last)), WIDTH - _FIELD - 2)
        lines += [Text(), Text(t("cli.board.last"), style="bold"), *(Text(f"  {part}") for part in wrapped)]
    return lines


def _faces_in_words(faces: Faces) -> Iterable[str]:
    """``add: white (back: black)`` and so on."""
    shown = (
        ("add", faces.add, other_side(faces.add)),
        ("move", faces.move, other_side(faces.move)),
        ("jump", faces.jump, other_side(faces.jump)),
        ("transformation", faces.transformation, other_side(faces.transformation)),
    )
    for tile, *sides in shown:
        face, back = (t("cli.board.side", face=f"{tile}{side.name[0]}") for side in sides)
        yield t("cli.board.face", tile=t("cli.board.tile", tile=tile), face=face, back=back)


def _code_lines(heading: str, tiles: Sequence[Megalith]) -> Iterable[Text]:
    """A heading and codes, eight per line."""
    lines = []
    width = max(11, len(heading) + 1)
    for index in range(0, len(tiles), 8):
        start = heading if index == 0 else ""
        lines.append(Text.assemble(f"  {start:{width}}", Text(" ").join(map(_code, tiles[index : index + 8]))))
    return lines


def _legend(setup: Setup, trace: _Trace, glyphs: _Glyphs) -> Text:
    """A legend for the visible marks."""
    shown = (
        (True, f"{glyphs.white} {glyphs.black} {t('cli.board.totems')}"),
        (any(space not in setup.megaliths for space in STONE_CIRCLES), f"{glyphs.circle} {t('cli.board.circle')}"),
        (trace.reached, f"{'  '.join(glyphs.reached)} {t('cli.board.reached')}"),
        (trace.left - trace.reached, f"{'  '.join(glyphs.left)} {t('cli.board.left')}"),
        (trace.emptied, f"{glyphs.emptied} {t('cli.board.banished')}"),
    )
    return Text("   " + "  ".join(words for visible, words in shown if visible), style="dim")


def tokens(tokens: Sequence[Token]) -> RenderableType:
    """List tokens in groups: one line for each shaman, megalith or tile."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    groups: dict[str, list[Token]] = {}
    for token in tokens:
        groups.setdefault(_heading(token), []).append(token)
    for heading, members in groups.items():
        table.add_row(Text(heading, style="dim"), Text("  ".join(map(str, members)), style="bold"))
    return table


_NAMES: Final[Mapping[type[Token], str]] = {
    Add: "add",
    Travel: "travel",
    Build: "build",
    Draw: "draw",
    Banish: "banish",
    Push: "push",
    Swap: "swap",
    Flip: "flip",
    Put: "put",
    Copy: "copy",
    Use: "use",
    Stop: "stop",
    Transform: "transform",
    Pass: "pass",
}
"""The kinds of tokens in the keys of messages."""


def _values(token: Token) -> dict[str, object]:
    """The arguments of a message about a token."""
    values: dict[str, object] = {}
    for name in token.__match_args__:  # type: ignore[attr-defined]  # every kind of token is a dataclass
        value = getattr(token, name)
        match value:
            case Megalith():
                values["megalith"] = megalith_name(value)
            case enum.Enum():
                values[name] = value.value
            case _:
                values[name] = value
    return values


def _heading(token: Token) -> str:
    """The heading of a group. Tokens of some kinds are listed one by one."""
    key = f"cli.group.{_NAMES[type(token)]}"
    return t(key, **_values(token)) if has(key) else describe(token)


def describe(token: Token, phase: Phase | None = None) -> str:
    """Describe a token in a sentence without a full stop. The phase makes the description more precise.

    >>> from cairn.vocabulary import space_of
    >>> describe(Travel(space_of("a1"), space_of("c3")), Phase.ACTION)
    'Jump from a1 over b2 to c3'
    """
    match token:
        case Travel() if phase is Phase.ACTION:
            return _describe_action(token)
        case Travel(origin, None):
            return t("cli.token.out", origin=origin)
        case Travel() if phase is Phase.POWER:
            return t("cli.token.carry", **_values(token))
        case Copy(tile, choice):
            return t("cli.token.copy", megalith=megalith_name(tile), text=_inside(describe(choice, Phase.POWER)))
        case _:
            return t(f"cli.token.{_NAMES[type(token)]}", **_values(token))


def _inside(sentence: str) -> str:
    """A sentence after a colon, which begins with a small letter."""
    return f"{sentence[0].lower()}{sentence[1:]}"


def _describe_action(token: Travel) -> str:
    """Describe a step or a jump. They differ only in length (A2, A3)."""
    origin, target = token.origin, token.target
    if target is None:
        return t("cli.token.leave", origin=origin)
    if target in origin.neighbours():
        return t("cli.token.move", origin=origin, target=target)
    over = Space((origin.column + target.column) // 2, (origin.row + target.row) // 2)
    return t("cli.token.jump", origin=origin, over=over, target=target)
