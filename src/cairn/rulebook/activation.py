"""Activating a megalith (P): when a power is applied, may be declined, or has no effect."""

from __future__ import annotations

from dataclasses import replace

from cairn.rulebook.moment import Activation, Moment
from cairn.rulebook.powers import POWERS
from cairn.vocabulary import Stop, Token, Use


def power_choices(moment: Moment, activation: Activation) -> list[Token]:
    """The choices of the activating shaman's owner; empty if the power has no effect."""
    arrivals = _arrivals(moment, activation)
    if arrivals > 2:
        return []  # P6: the third arrival activates nothing
    power = POWERS[moment.setup.megaliths[activation.space]]
    choices: list[Token] = list(power.choices(moment, activation.space))
    if choices and arrivals == 2:
        choices.append(Stop())  # P6: the second time, the owner may stop
    return choices


def _arrivals(moment: Moment, activation: Activation) -> int:
    """How many times this tribe's shamans have arrived on this megalith this turn, including this arrival (P6)."""
    tribe = moment.setup.shamans[activation.space]
    tile = moment.setup.megaliths[activation.space]
    return moment.activations.count((tribe, tile))


def settle_activation(moment: Moment, activation: Activation) -> Moment:
    """Resolve the activation if there is no choice; otherwise leave it pending."""
    choices = power_choices(moment, activation)
    if not choices:
        return replace(moment, waiting=None)  # P1: the power has no effect
    if choices == [Use()]:
        return apply_power(moment, activation, Use())  # Pillars of Spring, Tumulus of Shadow
    return moment


def apply_power(moment: Moment, activation: Activation, token: Token) -> Moment:
    """Apply the power with this choice, or stop (P6). In the returned moment, the consequences are pending (P3, P5)."""
    moment = replace(moment, waiting=None)
    if isinstance(token, Stop):
        return moment
    power = POWERS[moment.setup.megaliths[activation.space]]
    return power.apply(moment, activation.space, token)
