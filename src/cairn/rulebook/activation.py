"""Activating a megalith (P): when a power is applied, when it may be declined, when nothing happens."""

from __future__ import annotations

from dataclasses import replace

from cairn.rulebook.moment import Activation, Moment
from cairn.rulebook.powers import POWERS
from cairn.vocabulary import Stop, Token, Use


def power_choices(moment: Moment, activation: Activation) -> list[Token]:
    """What the owner of the activating shaman may choose; nothing if the power does nothing."""
    arrivals = _arrivals(moment, activation)
    if arrivals > 2:
        return []  # P6: the third arrival activates nothing
    power = POWERS[moment.setup.megaliths[activation.space]]
    choices: list[Token] = list(power.choices(moment, activation.space))
    if choices and arrivals == 2:
        choices.append(Stop())  # P6: the second time, the owner may stop there
    return choices


def _arrivals(moment: Moment, activation: Activation) -> int:
    """How often shamans of this tribe have come onto this megalith this turn, this time included (P6)."""
    tribe = moment.setup.shamans[activation.space]
    tile = moment.setup.megaliths[activation.space]
    return moment.activations.count((tribe, tile))


def settle_activation(moment: Moment, activation: Activation) -> Moment:
    """Settle what leaves nothing to choose; otherwise the activation goes on waiting for a choice."""
    choices = power_choices(moment, activation)
    if not choices:
        return replace(moment, waiting=None)  # P1: there is nothing it could do
    if choices == [Use()]:
        return apply_power(moment, activation, Use())  # Pillars of Spring, Tumulus of Shadow
    return moment


def apply_power(moment: Moment, activation: Activation, token: Token) -> Moment:
    """Apply the power with that choice, or not at all (P6). What it sets off waits in the moment returned (P3, P5)."""
    moment = replace(moment, waiting=None)
    if isinstance(token, Stop):
        return moment
    power = POWERS[moment.setup.megaliths[activation.space]]
    return power.apply(moment, activation.space, token)
