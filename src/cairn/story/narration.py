"""Finds the effects of a token by comparing the scenes before and after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cairn.board import Board
from cairn.game import Game
from cairn.notation import read_token
from cairn.story.effects import (
    Activated,
    Added,
    Banished,
    Built,
    Copied,
    Drawn,
    Effect,
    Ended,
    ExtraTurn,
    Flipped,
    Left,
    MegalithMoved,
    MegalithsSwapped,
    Moved,
    NothingBuilt,
    Passed,
    Replaced,
    ShamansSwapped,
    Stopped,
    Transformed,
)
from cairn.story.scene import Scene
from cairn.vocabulary import (
    TRIBES,
    Add,
    Banish,
    Build,
    Copy,
    Draw,
    Flip,
    Pass,
    Phase,
    Push,
    Put,
    Space,
    Stop,
    Swap,
    Token,
    Transform,
    Travel,
    Tribe,
    Use,
)


def tell(before: Game | Board | Scene, token: Token | str, after: Game | Board | Scene) -> list[Effect]:
    """List what ``token`` did between the two moments, in the order in which it happened.

    >>> game = Game("S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F")
    >>> for effect in play(game, "a1-c3"):
    ...     print(effect.kind)
    moved
    flipped
    activated
    """
    before, after = Scene.of(before), Scene.of(after)
    token = read_token(token) if isinstance(token, str) else token
    effects = [*_effects(before, token, after)]
    if after.outcome:
        winner = after.outcome.winner
        effects.append(Ended(winner.value if winner else None, after.outcome.reason.value))
    return effects


def play(game: Game | Board, token: Token | str) -> list[Effect]:
    """Push the token and list what it did; raises :class:`~cairn.CairnError` if it cannot be played."""
    before = Scene.of(game)
    game.push(token)
    return tell(before, token, game)


def _effects(before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
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
                yield Banished(owner.enemy.value, str(space))
            yield Added(owner.value, str(space))
            yield from _flips(before, after)
            yield from _arrival(owner, space, before, after)
        case Travel(origin, None):
            # A step leaves only from the last row, a jump only from the row before it.
            yield Left(owner.value, str(origin), "step" if origin.row == owner.enemy.first_row else "jump")
            yield from _flips(before, after)
            yield from _construction(owner, origin, before, after)
        case Travel(origin, Space() as target):
            if target in origin.neighbours():
                yield Moved(owner.value, str(origin), str(target), "step")
            else:
                yield Moved(owner.value, str(origin), str(target), "jump", str(_middle(origin, target)))
            yield from _flips(before, after)
            yield from _arrival(owner, target, before, after)


def _power(code: str, here: Space, before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
    """The effects of the power ``code``, chosen by the owner of the shaman on ``here`` (P1)."""
    setup, you = before.setup, before.setup.shamans[here]
    match token:
        case Stop():
            yield Stopped(code)
        case Use():  # a copied power; the same power on the field itself takes no token
            yield from _use(code, you, here, after)
        case Banish(space):
            yield Banished(setup.shamans[space].value, str(space), code)
        case Add(space):
            yield Added(you.value, str(space), code)
            yield from _arrival(you, space, before, after)
        case Travel(origin, None):
            yield Left(setup.shamans[origin].value, str(origin), "power", code)
            yield from _construction(setup.shamans[origin], origin, before, after)  # P5
        case Travel(origin, Space() as target):
            yield Moved(setup.shamans[origin].value, str(origin), str(target), "power", None, code)
            yield from _arrival(setup.shamans[origin], target, before, after)
        case _:
            yield from _tiles(code, you, before, token, after)


def _tiles(code: str, you: Tribe, before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
    """The effects of a power that changes tiles or swaps shamans, so that no shaman arrives anywhere."""
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
                yield Built(you.value, tile.code, str(space), slot, None, code)


def _rest(before: Scene, token: Token, after: Scene) -> Iterator[Effect]:
    """The effects of constructing, drawing and transforming."""
    active = before.setup.active
    match token:
        case Build(tile):
            builder = next(tribe for tribe in TRIBES if before.setup.scores[tribe] != after.setup.scores[tribe])
            slot, score = before.setup.upcoming.index(tile), after.setup.scores[builder]
            yield Built(builder.value, tile.code, str(before.focus), slot, score)
        case Draw(tile):
            yield Drawn(tile.code, after.setup.upcoming.index(tile))
        case Transform(space):
            yield Transformed(active.value, str(space))
            yield from _flips(before, after)
            yield Banished(active.enemy.value, str(space))
            yield from _construction(active, space, before, after)
        case Pass():
            yield Passed(active.value)


def _arrival(owner: Tribe, space: Space, before: Scene, after: Scene) -> Iterator[Effect]:
    """What a megalith on ``space`` did when a shaman arrived (P1), including a power that leaves no choice."""
    tile = before.setup.megaliths.get(space)
    if tile is None:
        return
    if after.phase is Phase.POWER:
        yield Activated(owner.value, tile.code, str(space), "choice")
    elif tile.code in _WITHOUT_CHOICE:
        yield Activated(owner.value, tile.code, str(space), "done")
        yield from _use(tile.code, owner, space, after)
    else:
        yield Activated(owner.value, tile.code, str(space), "nothing")


_WITHOUT_CHOICE: Final = ("PS", "TS")
"""Powers without a choice. They end the chain, so they are activated at most once a turn, and always have an effect."""


def _use(code: str, owner: Tribe, here: Space, after: Scene) -> Iterator[Effect]:
    """What a power without a choice did: the Tumulus banishes its own shaman, the Pillars give an extra turn."""
    if here in after.setup.shamans:
        yield ExtraTurn(owner.value, code)
    else:
        yield Banished(owner.value, str(here), code)


def _construction(owner: Tribe, space: Space, before: Scene, after: Scene) -> Iterator[Effect]:
    """The result of constructing on ``space`` if there is nothing to choose; a choice is the next token (E4, E5)."""
    if space in before.setup.megaliths:
        yield NothingBuilt(owner.value, str(space))
    elif after.phase is not Phase.BUILD:
        yield Built(owner.value, None, str(space), None, after.setup.scores[owner])


def _flips(before: Scene, after: Scene, power: str | None = None) -> Iterator[Effect]:
    """The tiles that were turned over."""
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
    """The space jumped over."""
    return Space((origin.column + target.column) // 2, (origin.row + target.row) // 2)
