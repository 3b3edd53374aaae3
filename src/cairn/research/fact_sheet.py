"""The fact sheet of the encoding, as Markdown. ``tools/write_fact_sheet.py`` writes it into docs/environments.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cairn.research import encoding
from cairn.research.batch import ILLEGAL_REWARD
from cairn.research.encoding import Group

BEGIN: Final = "<!-- fact sheet: begin -->\n"
END: Final = "<!-- fact sheet: end -->\n"

TOKEN_MEANINGS: Final[Mapping[str, str]] = {
    "add": "`column`: add a shaman in the own first row",
    "travel": "`25 * origin + target`: move or jump a shaman; `origin = target`: leave the field",
    "banish": "`place`: banish the shaman there",
    "push": "`8 * origin + direction`: move a megalith; directions clockwise from straight ahead",
    "swap": "`high * (high - 1) / 2 + low`, for places `low < high`: swap what stands there",
    "flip": "0 add, 1 move, 2 jump: flip an action tile",
    "put": "`25 * slot + place`: put an upcoming tile there",
    "copy": "`{choices} * slot + number`, with a number from the groups above: that choice through the Shifting Stone",
    "use": "`slot`: copy a power without a choice",
    "stop": "do not apply the power again",
    "build": "`slot`: construct with this upcoming tile",
    "transform": "`place`: transform the enemy there",
    "pass": "do not transform",
    "draw": "`tile`: the tile that was drawn; only chance chooses these",
}

OBSERVATION_MEANINGS: Final[Mapping[str, str]] = {
    "own shamans": "`place`",
    "enemy shamans": "`place`",
    "megaliths": "`25 * tile + place`",
    "upcoming": "`tile`: in either slot",
    "own score": "`score`; nothing for 3",
    "enemy score": "`score`; nothing for 3",
    "own village": "`number of shamans`",
    "enemy village": "`number of shamans`",
    "focus": "`place`: where to build, or the activated megalith",
    "moved": "`place`: shamans that were moved or added this turn (X2)",
    "slots": "`17 * slot + tile`",
    "unknown deck": "`tile`: in the deck, in unknown order",
    "known deck": "`tile`: its rank in the known part of the deck, counted from 1; 0 if it is not there",
    "faces": "1 for black, diagonal, enemy, end",
    "phase": "action, build, draw, power, transform, over",
    "decider": "the viewer decides; the enemy decides",
    "active": "it is the viewer's turn",
    "next": "inside a turn: the next turn is the viewer's (T5)",
    "power": "`tile`: the activated megalith",
    "may stop": "the power may be declined (P6)",
    "transformed": "the transformation of this turn is done",
    "own activated": "`tile`: in this chain, by the viewer (P6)",
    "enemy activated": "`tile`: in this chain, by the enemy",
    "own activated twice": "`tile`",
    "enemy activated twice": "`tile`",
    "repeats": "how many earlier turns began with the same position as this one, at most 2 (G3)",
}


def fact_sheet() -> str:
    """The whole fact sheet."""
    facts = (
        ("version", f"{encoding.VERSION}"),
        ("numbers of tokens", f"{encoding.TOKENS:,}, of which tribes choose the first {encoding.ACTIONS:,}"),
        ("size of an observation", f"{encoding.OBSERVATION_SIZE} bytes"),
        ("rewards", "1 for a win, -1 for a loss, 0 for a draw and before the end"),
        ("reward for an illegal action", f"{ILLEGAL_REWARD}, if the environment is not strict"),
        ("tiles, from 0", " ".join(encoding.TILES)),
    )
    lines = ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in facts), ""]
    lines += ["Numbers of tokens:", "", *_table(encoding.TOKEN_GROUPS, TOKEN_MEANINGS), ""]
    lines += ["Indices of an observation:", "", *_table(encoding.OBSERVATION_GROUPS, OBSERVATION_MEANINGS)]
    return "\n".join(lines) + "\n"


def with_fact_sheet(page: str) -> str:
    """A page with the current fact sheet between its two markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{fact_sheet()}\n{END}{after}"


def _table(groups: Sequence[Group], meanings: Mapping[str, str]) -> list[str]:
    rows = [
        f"| {group.first} | {group.count} | {group.name} | {meanings[group.name].format(choices=encoding.CHOICES)} |"
        for group in groups
    ]
    return ["| from | count | group | what to add to the first number, and its meaning |", "|---:|---:|---|---|", *rows]
