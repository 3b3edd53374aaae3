"""A simple model of the table that applies the effects of tokens one by one.

It does not implement the rules. It only asserts that each effect is possible: for example, a moving shaman must stand
on its origin, and its target must be empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from cairn import story
from cairn.story import Effect

LETTERS: Final = {"forest": "F", "sea": "S"}
FACES: Final = {"add": "wb", "move": "od", "jump": "fe", "transformation": "me"}


class Picture:
    """The shamans, megaliths, tiles and scores of one position."""

    def __init__(self, position: str) -> None:
        field, stones, upcoming, deck, faces, scores, _ = position.split(" ")
        self.shamans: Final[dict[str, str]] = {}
        for row, squares in zip("54321", field.split("/"), strict=True):
            spread = "".join("." * int(each) if each.isdigit() else each for each in squares)
            self.shamans.update(
                {column + row: each for column, each in zip("abcde", spread, strict=True) if each != "."}
            )
        self.villages: Final = {letter: 5 - list(self.shamans.values()).count(letter) for letter in "FS"}
        self.megaliths: Final = {each[:2]: each[2:] for each in stones.split(",") if each != "-"}
        self.upcoming: Final[list[str]] = [upcoming[:2], upcoming[2:]]
        self.deck: Final = set(re.findall("[A-Z]{2}", deck))
        self.faces: Final = dict(zip(FACES, faces, strict=True))
        self.scores: Final = dict(zip("FS", map(int, scores.split("-")), strict=True))

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, Picture) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        return repr(vars(self))

    def show(self, effects: Iterable[Effect]) -> None:
        """Apply the effects in order."""
        for effect in effects:
            self._shaman_effect(effect)
            self._stone_effect(effect)
            self._check_unchanged(effect)

    def _take(self, tribe: str, space: str) -> str:
        assert self.shamans[space] == LETTERS[tribe]
        return self.shamans.pop(space)

    def _place(self, tribe: str, space: str) -> None:
        assert space not in self.shamans
        self.shamans[space] = LETTERS[tribe]

    def _shaman_effect(self, effect: Effect) -> None:
        match effect:
            case story.Added():
                assert self.villages[LETTERS[effect.tribe]] > 0
                self.villages[LETTERS[effect.tribe]] -= 1
                self._place(effect.tribe, effect.space)
            case story.Moved():
                assert (effect.over is not None) == (effect.way == "jump")
                assert effect.over is None or effect.over in self.shamans
                self._take(effect.tribe, effect.origin)
                self._place(effect.tribe, effect.target)
            case story.Left():
                self.villages[self._take(effect.tribe, effect.origin)] += 1
            case story.Banished():
                self.villages[self._take(effect.tribe, effect.space)] += 1
            case story.ShamansSwapped():
                _swap(self.shamans, effect.first, effect.second)

    def _stone_effect(self, effect: Effect) -> None:
        match effect:
            case story.Flipped():
                assert self.faces[effect.tile] != effect.face
                assert effect.face in FACES[effect.tile]
                self.faces[effect.tile] = effect.face
            case story.MegalithMoved():
                assert effect.target not in self.megaliths
                assert self.megaliths[effect.origin] == effect.code
                self.megaliths[effect.target] = self.megaliths.pop(effect.origin)
            case story.MegalithsSwapped():
                _swap(self.megaliths, effect.first, effect.second)
            case story.Replaced():
                assert self.megaliths[effect.space] == effect.old
                self.deck.add(self.megaliths.pop(effect.space))
                self._build(effect.space, effect.new, effect.slot)
            case story.Built():
                if effect.code is None or effect.slot is None:
                    assert self.upcoming == ["--", "--"]
                    assert (effect.code, effect.slot) == (None, None)
                else:
                    self._build(effect.space, effect.code, effect.slot)
                if effect.score is not None:
                    self.scores[LETTERS[effect.tribe]] += 1
                    assert effect.score == self.scores[LETTERS[effect.tribe]]
            case story.Drawn():
                assert self.upcoming[effect.slot] == "--"
                self.upcoming[effect.slot] = effect.code
                self.deck.remove(effect.code)

    def _build(self, space: str, code: str, slot: int) -> None:
        assert space not in self.megaliths
        assert self.upcoming[slot] == code
        self.megaliths[space], self.upcoming[slot] = code, "--"

    def _check_unchanged(self, effect: Effect) -> None:
        """Check an effect that does not change the picture but must match it."""
        match effect:
            case story.Activated():
                assert self.megaliths[effect.space] == effect.code
                assert self.shamans[effect.space] == LETTERS[effect.tribe]
            case story.Copied():
                assert effect.code in self.upcoming
                assert "SH" in self.megaliths.values()
            case story.Stopped():
                assert effect.code in self.megaliths.values()
            case story.NothingBuilt():
                assert effect.space in self.megaliths
            case story.Transformed():
                assert self.shamans[effect.space] != LETTERS[effect.tribe]


def _swap(things: dict[str, str], first: str, second: str) -> None:
    assert things[first] != things[second]
    things[first], things[second] = things[second], things[first]
