"""A turn (T): the order of play, and the function that plays a token."""

from __future__ import annotations

from dataclasses import replace

from cairn.rulebook.actions import act, possible_actions
from cairn.rulebook.activation import apply_power, power_choices, settle_activation
from cairn.rulebook.leaving import (
    build,
    build_choices,
    draw,
    draw_choices,
    settle_construction,
    settle_empty_slot,
)
from cairn.rulebook.moment import Activation, Construction, EmptySlot, Moment
from cairn.rulebook.transformation import transform, transformation_choices
from cairn.vocabulary import (
    Add,
    Build,
    Draw,
    GameOverError,
    IllegalTokenError,
    Outcome,
    Pass,
    Reason,
    Setup,
    Token,
    Transform,
    Travel,
)


def begin(setup: Setup) -> Moment:
    """Return the moment at the start of a turn with this set-up.

    The game is already over if the active player has no action (T1). Raises :class:`~cairn.MalformedError` if the
    set-up is not a valid position.
    """
    setup.check()
    start = _start_of_turn(setup)
    return replace(start, outcome=_loss(setup)) if _no_action(setup) else start


def legal_tokens(moment: Moment) -> list[Token]:
    """Every token that can be played now, in ASCII order; none when the game is over."""
    return sorted(set(_choices(moment)), key=str)


def play(moment: Moment, token: Token) -> Moment:
    """Play a token, resolve all steps that need no choice, and return the new moment.

    The given moment does not change. Raises :class:`~cairn.IllegalTokenError` if the token is not legal, and
    :class:`~cairn.GameOverError` after the end of the game.
    """
    _check_legal(moment, token)
    return _settle(_carry_out(replace(moment, tokens=(*moment.tokens, token)), token))


def _choices(moment: Moment) -> list[Token]:
    """The choices of the decider, in no particular order."""
    if moment.outcome:
        return []
    match moment.waiting:
        case Construction():
            return [*build_choices(moment)]
        case EmptySlot():
            return [*draw_choices(moment)]
        case Activation():
            return power_choices(moment, moment.waiting)
    return [*transformation_choices(moment)] if moment.acted else [*possible_actions(moment.setup)]


def _carry_out(moment: Moment, token: Token) -> Moment:
    """Apply only the token. In the returned moment, its consequences are pending."""
    match moment.waiting, token:
        case Construction(), Build():
            return build(moment, moment.waiting, token.tile)
        case EmptySlot(), Draw():
            return draw(moment, moment.waiting, token.tile)
        case Activation(), _:
            return apply_power(moment, moment.waiting, token)
        case None, Transform() | Pass():
            return transform(moment, token)
        case None, Add() | Travel():
            return act(moment, token)
    raise AssertionError(f"{token} was legal in phase {moment.phase.value}, which has no such token")


def _settle(moment: Moment) -> Moment:
    """Continue the turn until there is a choice or the game is over."""
    # 1. A score of 3 wins immediately, even in the middle of a turn (T6).
    while not moment.outcome:
        # 2. First resolve the steps that the last token triggered: construction, draw or activation (T3).
        if moment.waiting:
            settled = _settle_waiting(moment)
            if settled is moment:
                return moment  # there is a choice
            moment = settled
        # 3. Then the active player may transform, once (T4).
        elif not moment.transformation_over:
            if transformation_choices(moment):
                return moment
            moment = replace(moment, transformation_over=True)
        # 4. Then the turn is over (T5).
        else:
            return _pass_turn(moment)
    return moment


def _settle_waiting(moment: Moment) -> Moment:
    """Resolve the pending step if there is no choice; otherwise return the same moment."""
    match moment.waiting:
        case Construction():
            return settle_construction(moment, moment.waiting)
        case EmptySlot():
            return settle_empty_slot(moment)
        case Activation():
            return settle_activation(moment, moment.waiting)
    return moment


def _pass_turn(moment: Moment) -> Moment:
    """T5: the start of the next turn, or the end of the game if the next player has no action (T1)."""
    setup = replace(moment.setup, active=moment.next_player)
    if _no_action(setup):
        return replace(moment, setup=setup, outcome=_loss(setup))  # no new turn begins
    return _start_of_turn(setup)


def _start_of_turn(setup: Setup) -> Moment:
    return Moment(setup=setup, turn_start=setup, next_player=setup.active.enemy)


def _no_action(setup: Setup) -> bool:
    return not possible_actions(setup)


def _loss(setup: Setup) -> Outcome:
    """T1: the active player loses immediately (G2)."""
    return Outcome(setup.active.enemy, Reason.NO_ACTION)


def _check_legal(moment: Moment, token: Token) -> None:
    if moment.outcome:
        how = f"{moment.outcome.winner.value} won" if moment.outcome.winner else "drawn"
        reason = moment.outcome.reason
        raise GameOverError(f"{token} cannot be played: the game is over ({how}, {reason.value}, {reason.rule})")
    legal = legal_tokens(moment)
    if token not in legal:
        who = moment.decider.value if moment.decider else "nobody"
        raise IllegalTokenError(
            f"{token} cannot be played: the phase is {moment.phase.value} and {who} decides; "
            f"expected {_one_of([str(each) for each in legal])}"
        )


def _one_of(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"
