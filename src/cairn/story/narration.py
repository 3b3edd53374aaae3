"""List the effects of the last token, as reported by the native core."""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable, Mapping
from typing import Final

from cairn._native import core
from cairn.board import Board
from cairn.game import Game
from cairn.story.effects import Effect
from cairn.vocabulary import Reason, Token

MOST_EFFECTS: Final = 8_192
MOST_STORIES: Final = 8_192

_CLASSES: Final[dict[str, Callable[..., Effect]]] = {
    each.__dataclass_fields__["kind"].default: each for each in typing.get_args(Effect)
}


def tell(moment: Game | Board) -> tuple[Effect, ...]:
    """List the effects of the last token, in order of occurrence.

    Only a game can end by repetition; a board cannot. Raises ``IndexError`` if no token has been pushed.

    >>> game = Game("S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F", ["a1-c3"])
    >>> for effect in tell(game):
    ...     print(effect.kind)
    moved
    flipped
    activated
    """
    outcome = moment.outcome
    drawn = outcome is not None and outcome.reason is Reason.REPETITION
    board = moment.board if isinstance(moment, Game) else moment
    return effects_of(board.story(drawn))


def play(game: Game | Board, token: Token | str) -> tuple[Effect, ...]:
    """Push the token and list its effects. Raises :class:`~cairn.CairnError` if the token cannot be played."""
    game.push(token)
    return tell(game)


def effect_of(fields: Mapping[str, object]) -> Effect:
    """The effect with these fields, as the core writes it in JSON."""
    return _CLASSES[str(fields["kind"])](**fields)


# Cached, because most effects have already occurred in another game.
@functools.lru_cache(MOST_STORIES)
def effects_of(numbers: tuple[int, ...]) -> tuple[Effect, ...]:
    """The effects with these numbers in the core."""
    return tuple(map(_effect, numbers))


@functools.lru_cache(MOST_EFFECTS)
def _effect(number: int) -> Effect:
    """The effect with this number in the core."""
    kind, fields = core.describe_effect(number)
    return _CLASSES[kind](**fields)
