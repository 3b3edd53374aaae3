"""Games as messages: what each token did, and where a game stands.

A game is pushed forward once, token by token; nothing is replayed for every step.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from cairn.board import Board
from cairn.game import Game
from cairn.server import models
from cairn.server.choices import choices, setup_of
from cairn.story import Effect, Scene, tell
from cairn.vocabulary import CHANCE, FOREST, POINTS_TO_WIN, TRIBES, Decider, Phase, Setup, Token, Tribe

MOST_EFFECTS: Final = 8_192
NO_UNDO: Final = models.UndoOffer(step=False, turn=False, no_step="nothing", no_turn="nothing")


def line(position: str | Setup | Board, tokens: Iterable[Token | str] = ()) -> models.Line:
    """A position and what was played from there.

    Raises :class:`~cairn.MalformedError` naming every fault of the position, or the error of the first token that
    cannot be played.
    """
    game = Game(position)
    played = steps(game, tokens)
    return models.Line(start=game.start_text, steps=played, now=moment(game))


def steps(game: Game, tokens: Iterable[Token | str], *, turn: int | None = None) -> list[models.Step]:
    """Play the tokens on ``game``, and tell each.

    ``turn`` is the number of the running turn; who does not know it leaves it out, and it is counted.
    """
    turn = turn_number(game) if turn is None else turn
    scene = _scene(game)
    told = []
    for token in tokens:
        active, phase, by = game.board.active, game.phase, game.decider
        game.push(token)
        before, scene = scene, _scene(game)
        told.append(
            models.Step(
                token=str(token),
                by=_decider_name(by) or "chance",  # somebody decided, for the token was legal
                active=tribe_name(active),
                turn=turn,
                phase=phase.value,
                effects=_shared(tuple(tell(before, game.board.peek(), scene))),
                position=game.board.text,
            )
        )
        turn += game.phase is Phase.ACTION
    return told


def step(game: Game, token: Token | str, *, turn: int | None = None) -> models.Step:
    """Play the token on ``game``, and tell it; ``turn`` as for :func:`steps`."""
    return steps(game, [token], turn=turn)[0]


def moment(
    game: Game,
    *,
    held: Tribe | None = None,
    undo: models.UndoOffer = NO_UNDO,
    deciders: Collection[Tribe] | None = None,
    turn: int | None = None,
    clock: models.ClockView | None = None,
    offers: Sequence[models.OfferView] = (),
) -> models.Moment:
    """Where a game stands. ``deciders`` are the tribes that persons decide, by default both; others get no choices.

    While a turn is held nobody has a choice. ``turn`` is the number of the running turn, counted if left out.
    """
    phase = game.phase
    asked = held is None and phase is not Phase.OVER and game.decider in (TRIBES if deciders is None else deciders)
    applying, focus = (game.board.power_code, game.board.focus_name) if phase is not Phase.OVER else (None, None)
    return models.Moment(
        position=game.board.text,
        turn=turn_number(game) if turn is None else turn,
        active=tribe_name(game.board.active),
        phase=phase.value,
        decider=_decider_name(game.decider),
        power=applying,
        focus=focus,
        next_wins=_next_wins(game),
        choices=choices(game.board) if asked else [],
        held=tribe_name(held) if held else None,
        undo=undo,
        outcome=outcome(game),
        clock=clock,
        offers=list(offers),
    )


def _next_wins(game: Game) -> bool:
    decider = game.decider
    return isinstance(decider, Tribe) and setup_of(game.board).scores[decider] == POINTS_TO_WIN - 1


def outcome(game: Game) -> models.Outcome | None:
    """How the game ended, or ``None`` while it goes on."""
    ended = game.outcome
    if ended is None:
        return None
    winner = tribe_name(ended.winner) if ended.winner else None
    return models.Outcome(winner=winner, reason=ended.reason.value, rule=ended.reason.rule)


def turn_number(game: Game) -> int:
    """The number of the running turn, from 1; of the last one, once the game is over on the board."""
    board = Board(game.start_text)
    begun = 0
    for token in game.tokens:
        begun += board.phase is Phase.ACTION
        board.push(token)
    if board.phase is Phase.ACTION and not game.is_repetition:
        begun += 1
    return max(begun, 1)  # whoever has no action in the first position lost in turn 1


@functools.lru_cache(MOST_EFFECTS)
def _shared(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """The same effects as one object: most of them happened in another game already."""
    return effects


def _scene(game: Game) -> Scene:
    """As :meth:`Scene.of` has it, with a set-up that need not be read again."""
    return Scene(setup_of(game.board), game.phase, game.board.focus, game.outcome)


def tribe_name(tribe: Tribe) -> models.TribeName:
    """How messages call a tribe."""
    return "forest" if tribe is FOREST else "sea"


def _decider_name(decider: Decider) -> models.DeciderName | None:
    if decider is CHANCE:
        return "chance"
    return tribe_name(decider) if isinstance(decider, Tribe) else None
