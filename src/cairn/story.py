"""What a token did, told as data: for sentences in any language, for animation, for a screen reader.

An effect is one thing that a spectator sees. The effects of a token are in the order in which they happen. They are
found by comparing the board before and after, so that they cannot disagree with the rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from cairn.board import Board
from cairn.game import Game
from cairn.notation import read_token
from cairn.vocabulary import (
    FOREST,
    TRIBES,
    Add,
    Banish,
    Build,
    Copy,
    Draw,
    Flip,
    Outcome,
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
)

TribeName: TypeAlias = Literal["forest", "sea"]
TileName: TypeAlias = Literal["add", "move", "jump", "transformation"]


@dataclasses.dataclass(frozen=True, slots=True)
class Added:
    """A shaman came from its village onto the field (A1, Cairn of Dawn)."""

    tribe: TribeName
    space: str
    power: str | None = None
    """The code of the megalith whose power did it, if one did."""
    kind: Literal["added"] = "added"


@dataclasses.dataclass(frozen=True, slots=True)
class Moved:
    """A shaman went to another space of the field."""

    tribe: TribeName
    origin: str
    target: str
    way: Literal["step", "jump", "power"]
    over: str | None = None
    """For a jump: the space jumped over."""
    power: str | None = None
    """The code of the megalith whose power did it, if one did."""
    kind: Literal["moved"] = "moved"


@dataclasses.dataclass(frozen=True, slots=True)
class Left:
    """A shaman left the field across its opposing side and is back in its village (E1, E2)."""

    tribe: TribeName
    origin: str
    way: Literal["step", "jump", "power"]
    power: str | None = None
    """The code of the megalith whose power did it, if one did."""
    kind: Literal["left"] = "left"


@dataclasses.dataclass(frozen=True, slots=True)
class Banished:
    """A shaman was sent home (E3)."""

    tribe: TribeName
    space: str
    power: str | None = None
    """The code of the megalith whose power did it, if one did."""
    kind: Literal["banished"] = "banished"


@dataclasses.dataclass(frozen=True, slots=True)
class ShamansSwapped:
    """Two shamans changed places (Walk of the Colossus)."""

    first: str
    second: str
    power: str
    """The code of the megalith whose power did it."""
    kind: Literal["shamans-swapped"] = "shamans-swapped"


@dataclasses.dataclass(frozen=True, slots=True)
class Flipped:
    """A tile was turned over and now shows ``face``, one letter as in a position text."""

    tile: TileName
    face: str
    power: str | None = None
    """The code of the megalith whose power did it, if one did."""
    kind: Literal["flipped"] = "flipped"


@dataclasses.dataclass(frozen=True, slots=True)
class Activated:
    """A shaman arrived on a megalith."""

    tribe: TribeName
    """The owner of the shaman, and of the power."""
    code: str
    space: str
    result: Literal["choice", "done", "nothing"]
    """``choice``: its owner decides next; ``done``: it had no choice; ``nothing``: it could do nothing (P1, P6)."""
    kind: Literal["activated"] = "activated"


@dataclasses.dataclass(frozen=True, slots=True)
class Copied:
    """The Shifting Stone took the power of an upcoming megalith."""

    code: str
    kind: Literal["copied"] = "copied"


@dataclasses.dataclass(frozen=True, slots=True)
class Stopped:
    """A power was not applied again (P6)."""

    code: str
    kind: Literal["stopped"] = "stopped"


@dataclasses.dataclass(frozen=True, slots=True)
class ExtraTurn:
    """The next turn is this tribe's (Pillars of Spring)."""

    tribe: TribeName
    power: str
    """The code of the megalith whose power did it."""
    kind: Literal["extra-turn"] = "extra-turn"


@dataclasses.dataclass(frozen=True, slots=True)
class MegalithMoved:
    """A megalith was moved (Sanctuary of the Ages)."""

    code: str
    origin: str
    target: str
    power: str
    """The code of the megalith whose power did it."""
    kind: Literal["megalith-moved"] = "megalith-moved"


@dataclasses.dataclass(frozen=True, slots=True)
class MegalithsSwapped:
    """Two megaliths changed places (Stormwell)."""

    first: str
    second: str
    power: str
    """The code of the megalith whose power did it."""
    kind: Literal["megaliths-swapped"] = "megaliths-swapped"


@dataclasses.dataclass(frozen=True, slots=True)
class Replaced:
    """A megalith was replaced by an upcoming one and went under the deck (Source of Silver)."""

    space: str
    old: str
    new: str
    slot: int
    power: str
    """The code of the megalith whose power did it."""
    kind: Literal["replaced"] = "replaced"


@dataclasses.dataclass(frozen=True, slots=True)
class Built:
    """An upcoming megalith was put on the field: constructed (it scores), or raised by the Heart of the Earth."""

    tribe: TribeName
    code: str | None
    """``None`` when both slots were empty and nothing was placed (E5)."""
    space: str
    slot: int | None
    score: int | None
    """The tribe's score now; ``None`` where it does not score."""
    power: str | None = None
    """The code of the megalith whose power did it, if one did."""
    kind: Literal["built"] = "built"


@dataclasses.dataclass(frozen=True, slots=True)
class NothingBuilt:
    """The space held a megalith already: nothing constructed, nothing scored (E4)."""

    tribe: TribeName
    space: str
    kind: Literal["nothing-built"] = "nothing-built"


@dataclasses.dataclass(frozen=True, slots=True)
class Drawn:
    """A tile was drawn from the deck into a slot."""

    code: str
    slot: int
    kind: Literal["drawn"] = "drawn"


@dataclasses.dataclass(frozen=True, slots=True)
class Transformed:
    """The active player transformed the enemy on that space (X3); the banishment follows as an effect of its own."""

    tribe: TribeName
    space: str
    kind: Literal["transformed"] = "transformed"


@dataclasses.dataclass(frozen=True, slots=True)
class Passed:
    """The active player did not transform (X5)."""

    tribe: TribeName
    kind: Literal["passed"] = "passed"


@dataclasses.dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    winner: TribeName | None
    reason: str
    kind: Literal["ended"] = "ended"


Effect: TypeAlias = (
    Added | Moved | Left | Banished | ShamansSwapped | Flipped | Activated | Copied | Stopped | ExtraTurn
    | MegalithMoved | MegalithsSwapped | Replaced | Built | NothingBuilt | Drawn | Transformed | Passed | Ended
)  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class Scene:
    """What a spectator sees at one moment. It stays as it is while the game goes on."""

    setup: Setup
    phase: Phase
    focus: Space | None
    """Where the megalith stands whose power is being applied, or where one is to be built."""
    outcome: Outcome | None

    @classmethod
    def of(cls, moment: Game | Board | Scene) -> Scene:
        """The scene of a game or of a board; only a game ends by repetition."""
        if isinstance(moment, Scene):
            return moment
        board = moment.board if isinstance(moment, Game) else moment
        return cls(board.setup, moment.phase, board.focus, moment.outcome)


def tell(before: Game | Board | Scene, token: Token | str, after: Game | Board | Scene) -> list[Effect]:
    """What ``token`` did between the two moments, in the order in which it happened.

    >>> game = Game("S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F")
    >>> for effect in play(game, "a1-c3"):
    ...     print(effect.kind)
    moved
    flipped
    activated
    """
    before, after = Scene.of(before), Scene.of(after)
    token = read_token(token) if isinstance(token, str) else token
    effects = [*_told(before, token, after)]
    if after.outcome:
        winner = after.outcome.winner
        effects.append(Ended(_name(winner) if winner else None, after.outcome.reason.value))
    return effects


def play(game: Game | Board, token: Token | str) -> list[Effect]:
    """Push the token, and tell what it did; :class:`~cairn.CairnError` says why it cannot be played."""
    before = Scene.of(game)
    game.push(token)
    return tell(before, token, game)


def _told(before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
    if before.phase is Phase.ACTION:
        yield from _action(before, token, after)
    elif before.phase is Phase.POWER and before.focus:
        code = before.setup.megaliths[before.focus].code
        if isinstance(token, Copy):
            code = token.tile.code
            yield Copied(code)
            token = token.choice
        yield from _power(code, before.focus, before, token, after)
    else:
        yield from _rest(before, token, after)


def _action(before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
    """A1-A3. The tile is flipped after the action and before the first power (T2, P2)."""
    owner = before.setup.active
    match token:
        case Add(space):
            if space in before.setup.shamans:
                yield Banished(_name(owner.enemy), str(space))
            yield Added(_name(owner), str(space))
            yield from _flips(before, after)
            yield from _arrival(owner, space, before, after)
        case Travel(origin, None):
            # Out of the field, a step leads from the last row only, a jump from the row before it.
            yield Left(_name(owner), str(origin), "step" if origin.row == owner.enemy.first_row else "jump")
            yield from _flips(before, after)
            yield from _construction(owner, origin, before, after)
        case Travel(origin, Space() as target):
            if target in origin.neighbours():
                yield Moved(_name(owner), str(origin), str(target), "step")
            else:
                yield Moved(_name(owner), str(origin), str(target), "jump", str(_middle(origin, target)))
            yield from _flips(before, after)
            yield from _arrival(owner, target, before, after)


def _power(code: str, here: Space, before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
    """A choice of the owner of the shaman that activated the megalith on this space (P1), whose power has that code."""
    setup, you = before.setup, before.setup.shamans[here]
    match token:
        case Stop():
            yield Stopped(code)
        case Use():  # a copied power; one that stands here itself needs no token
            yield from _use(code, you, here, after)
        case Banish(space):
            yield Banished(_name(setup.shamans[space]), str(space), code)
        case Add(space):
            yield Added(_name(you), str(space), code)
            yield from _arrival(you, space, before, after)
        case Travel(origin, None):
            yield Left(_name(setup.shamans[origin]), str(origin), "power", code)
            yield from _construction(setup.shamans[origin], origin, before, after)  # P5: whoever moved it
        case Travel(origin, Space() as target):
            yield Moved(_name(setup.shamans[origin]), str(origin), str(target), "power", None, code)
            yield from _arrival(setup.shamans[origin], target, before, after)
        case _:
            yield from _tiles(code, you, before, token, after)


def _tiles(code: str, you: Tribe, before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
    """A power that brings no shaman anywhere new: it changes tiles, or swaps shamans."""
    setup = before.setup
    match token:
        case Push(origin, target):
            yield MegalithMoved(setup.megaliths[origin].code, str(origin), str(target), code)
        case Swap(first, second):
            swapped = MegalithsSwapped if setup.shamans == after.setup.shamans else ShamansSwapped
            yield swapped(str(first), str(second), code)
        case Flip():
            yield from _flips(before, after, code)
        case Put(space, tile):
            slot = setup.upcoming.index(tile)
            if old := setup.megaliths.get(space):
                yield Replaced(str(space), old.code, tile.code, slot, code)
            else:
                yield Built(_name(you), tile.code, str(space), slot, None, code)


def _rest(before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
    """What the constructing player and chance choose, and the transformation."""
    active = before.setup.active
    match token:
        case Build(tile):
            builder = next(tribe for tribe in TRIBES if before.setup.scores[tribe] != after.setup.scores[tribe])
            slot, score = before.setup.upcoming.index(tile), after.setup.scores[builder]
            yield Built(_name(builder), tile.code, str(before.focus), slot, score)
        case Draw(tile):
            yield Drawn(tile.code, after.setup.upcoming.index(tile))
        case Transform(space):
            yield Transformed(_name(active), str(space))
            yield from _flips(before, after)
            yield Banished(_name(active.enemy), str(space))
            yield from _construction(active, space, before, after)
        case Pass():
            yield Passed(_name(active))


def _arrival(owner: Tribe, space: Space, before: Scene, after: Scene) -> Iterator[Effect]:
    """A shaman came onto that space: what a megalith there did (P1), with what it did without being asked."""
    tile = before.setup.megaliths.get(space)
    if tile is None:
        return
    if after.phase is Phase.POWER:
        yield Activated(_name(owner), tile.code, str(space), "choice")
    elif tile.code in _WITHOUT_CHOICE:
        yield Activated(_name(owner), tile.code, str(space), "done")
        yield from _use(tile.code, owner, space, after)
    else:
        yield Activated(_name(owner), tile.code, str(space), "nothing")


_WITHOUT_CHOICE: Final = ("PS", "TS")
"""They end the chain, so that they come once in a turn, and always work."""


def _use(code: str, owner: Tribe, here: Space, after: Scene) -> Iterator[Effect]:
    """What a power without a choice did: the Tumulus takes its own shaman away, the Pillars do not."""
    if here in after.setup.shamans:
        yield ExtraTurn(_name(owner), code)
    else:
        yield Banished(_name(owner), str(here), code)


def _construction(owner: Tribe, space: Space, before: Scene, after: Scene) -> Iterator[Effect]:
    """What constructing there came to without a choice; if there is one, it is the next token's (E4, E5)."""
    if space in before.setup.megaliths:
        yield NothingBuilt(_name(owner), str(space))
    elif after.phase is not Phase.BUILD:
        yield Built(_name(owner), None, str(space), None, after.setup.scores[owner])


def _flips(before: Scene, after: Scene, power: str | None = None) -> Iterator[Effect]:
    """The tiles that show another face than before."""
    old, new = before.setup.faces, after.setup.faces
    if old.add is not new.add:
        yield Flipped("add", new.add.value, power)
    if old.move is not new.move:
        yield Flipped("move", new.move.value, power)
    if old.jump is not new.jump:
        yield Flipped("jump", new.jump.value, power)
    if old.transformation is not new.transformation:
        yield Flipped("transformation", new.transformation.value, power)


def _middle(origin: Space, target: Space) -> Space:
    """The space that a jump leads over."""
    return Space((origin.column + target.column) // 2, (origin.row + target.row) // 2)


def _name(tribe: Tribe) -> TribeName:
    return "forest" if tribe is FOREST else "sea"
