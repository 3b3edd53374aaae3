"""The English sentences for faults in a text. The core finds the faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from cairn.vocabulary import MEGALITHS, Fault, Reason

CoreFault = tuple[str, str, Mapping[str, bytes]]
"""A fault from the core: kind, field and details."""
Details = Mapping[str, str]

FIELDS: Final = ("shamans", "megaliths", "upcoming", "deck", "faces", "scores", "active")
LONGEST_POSITION: Final = 300
RESULTS: Final = ("F", "S", "=", "*")
HIGHEST_MARK: Final = 255


def encode(text: str) -> bytes:
    """Encode text for the core, which reports surrogates as faults."""
    return text.encode("utf-8", "surrogatepass")


def decode(text: bytes) -> str:
    """Decode text from the core."""
    return text.decode("utf-8", "surrogatepass")


def faults_of(found: Sequence[CoreFault]) -> list[Fault]:
    """Turn faults that the core found into sentences."""
    return [fault_of(*each) for each in found]


def fault_of(kind: str, field: str, details: Mapping[str, bytes]) -> Fault:
    """Turn a fault that the core found into a sentence."""
    values = {name: decode(value) for name, value in details.items()}
    within = values.get("field")  # the field of the position, if the position is in a record's header
    sentence = _SENTENCES[kind](within or field, values)
    return Fault(kind, _place(field, values), f"{within}: {sentence}" if within else sentence, values)


def legal_tokens(values: Details) -> str:
    """The legal tokens that the core lists when it reports an illegal token."""
    more = int(values["more"])
    return ", ".join(values["legal"].split()) + (f" and {more} more" if more else "")


def _place(field: str, values: Details) -> str:
    match field:
        case "turn" if "token" in values:
            return f"turn {values['turn']}, token {values['token']} {values['text']!r}"
        case "turn" | "line" | "byte" | "note":
            return f"{field} {values[field]}"
        case "header":
            return repr(values["what"])
    return field


def _field_count(_: str, values: Details) -> str:
    if length := values.get("length"):
        return f"a position has at most {LONGEST_POSITION} characters; this text has {length}"
    empty = "; put one space between two fields" if values["empty"] != "0" else ""
    found = "none" if values["found"] == "0" else values["found"]
    return f"a position has seven fields ({', '.join(FIELDS)}); this text has {found}{empty}"


def _order(_: str, values: Details) -> str:
    if space := values.get("space"):
        return f"{space} is out of order: a1 b1 ... e1 a2 ... e5"
    return "tiles of unknown order must be in alphabetical order"


def _tile_twice(_: str, values: Details) -> str:
    tile = MEGALITHS[values["megalith"]]
    return f"{tile} ({tile.name}) appears {values['count']} times; each tile exists once"


def _bad_header(field: str, values: Details) -> str:
    if field == "header":
        return "a header name consists of letters, digits and _"
    return f'{values["what"]!r} is not a header: expected [Key "value"], one per line'


def _control_character(field: str, values: Details) -> str:
    place = "a comment" if field in ("line", "turn") else "a header"
    return f"{values['what']!r} is not allowed in {place}"


def _no_token(field: str, values: Details) -> str:
    if field == "note":
        return f"there is no such token: the game has {values['tokens']} tokens, counted from 0"
    return f"there is no token before this {values['what']}"


def _not_a_token(field: str, values: Details) -> str:
    if field == "token":
        return f"{values['what']!r} is not a token"
    return f"not a token (line {values['at']})"


def _bad_mark(field: str, values: Details) -> str:
    if field == "line":
        return f"{values['what']!r} is not a mark: expected $0 to ${HIGHEST_MARK}"
    return f"{values['what']} is not a mark: expected 0 to {HIGHEST_MARK}"


def _bad_tribe(_: str, values: Details) -> str:
    found = f", not {values['what']!r}" if "what" in values else ""
    return f"expected F or S after the number{found}"


def _game_over(_: str, values: Details) -> str:
    if winner := values.get("winner"):
        won = "it is a draw" if winner == "draw" else f"{winner} has won"
        return f"cannot be played: the game is over, {won} ({Reason(values['reason']).rule})"
    return f"the game ended before this turn ({values['reason']})"


def _wrong_result(_: str, values: Details) -> str:
    if "ended" in values:
        return f"the game ends with {values['ended']} ({values['by']}), but the text ends with {values['result']}"
    possible = " or ".join(values["possible"])
    return f"a game that ends by {values['reason']} ends with {possible}, not {values['result']}"


def _wrong_reason(_: str, values: Details) -> str:
    if "ended" in values:
        return f"the game ends with {values['ended']} ({values['by']}), not by {values['reason']}"
    return f"the reason is {values['reason']}, but the game did not end that way on the board"


def _plain(sentence: str) -> Callable[[str, Details], str]:
    """Return a function that fills in the details named in braces. ``{name!r}`` puts a string in quotation marks."""
    return lambda _, values: sentence.format(**values)


_SENTENCES: Final[Mapping[str, Callable[[str, Details], str]]] = {
    # A position.
    "active": _plain("{what!r} is not a tribe; the active player is F or S"),
    "bad-entry": _plain("{what!r} is not a space followed by a tile, such as b3CG"),
    "bad-letter": _plain("{what!r} in row {row}; a row is written with F, S and 1-5"),
    "bad-score": _plain("{tribe} has {score}; a score is 0, 1 or 2"),
    "empty-slot": _plain("a slot can only be empty if the deck is empty"),
    "faces": _plain("{what!r} is not four faces: w or b, o or d, f or e, m or e"),
    "field-count": _field_count,
    "odd-length": _plain("{what!r} is not a list of two-letter codes"),
    "order": _order,
    "parentheses": _plain("expected at most one pair of parentheses, at the beginning"),
    "row-count": _plain("expected five rows, found {found}"),
    "row-length": _plain("row {row} has {found} spaces; expected five"),
    "scores": _plain("{what!r} is not two scores, Forest's and Sea's, such as 0-2"),
    "single-unknown": _plain("parentheses hold two tiles or more; write a single tile without them"),
    "slots": _plain("{what!r} is not two slots of two letters; an empty slot is --"),
    "space-twice": _plain("{space} appears twice; a space holds one megalith"),
    "tile-twice": _tile_twice,
    "too-many-shamans": _plain("{count} {tribe} shamans; a tribe has five"),
    "two-digits": _plain("two digits side by side in row {row}; write their sum"),
    "unknown-code": _plain("{what!r} is not the code of a megalith"),
    # A token.
    "game-over": _game_over,
    "illegal-token": lambda _, values: (
        f"not legal: in phase {values['phase']} {values['decider']} may play {legal_tokens(values)}"
    ),
    "not-a-power": _plain("{what!r} is not a choice that a copied power offers"),
    "not-a-token": _not_a_token,
    # A record.
    "after-the-result": _plain("{what!r} comes after the result"),
    "bad-escape": _plain('{what!r} is not an escape; only \\" and \\\\ are'),
    "bad-header": _bad_header,
    "bad-mark": _bad_mark,
    "bad-reason": lambda _, values: f"{values['what']!r} is not one of {' '.join(each.value for each in Reason)}",
    "bad-result": lambda _, values: f"{values['what']!r} is not one of {' '.join(RESULTS)}",
    "bad-tribe": _bad_tribe,
    "comment-end": _plain("{what!r} is not allowed in a comment"),
    "control-character": _control_character,
    "empty-turn": _plain("this turn has no token (line {at})"),
    "header-twice": _plain("this header appears twice, again in line {again}"),
    "no-number": _plain("{what!r} comes before the number and tribe of the first turn"),
    "no-position": _plain("this header is required: it is the start of the game"),
    "no-reason": _plain("the game is not decided on the board, so {result} needs a reason"),
    "no-result": _plain("expected a result after the last turn: F, S, = or *"),
    "no-token": _no_token,
    "not-utf-8": _plain("the file is not UTF-8 text"),
    "open-comment": _plain("this comment has no closing }}"),
    "reason-without-result": _plain("the reason is {reason}, but the result is *"),
    "results-differ": _plain("the header says {header}, but the text ends with {result}"),
    "told-by-the-game": _plain("this header is derived from the game; remove it"),
    "turn-goes-on": _plain("turn {before} is not over yet: it is in phase {phase}"),
    "turn-number": _plain("expected turn {expected} (line {at})"),
    "turn-over": _plain("turn {turn} is over; expected the number and tribe of the next turn"),
    "turn-tribe": _plain("it is {expected}'s turn, not {found}'s"),
    "wrong-reason": _wrong_reason,
    "wrong-result": _wrong_result,
}
