"""Effects as clauses in the language of the command line."""

from __future__ import annotations

import dataclasses

from cairn.messages import megalith_name, reason_key, t
from cairn.story.effects import Activated, Banished, Effect, Ended, ExtraTurn, Flipped, Left, Moved, Transformed
from cairn.vocabulary.megaliths import megalith_of


def clause(effect: Effect) -> str:
    """An effect as a clause, without a capital letter or full stop. Raises ``TypeError`` for other kinds of effects.

    >>> clause(Left("sea", "d1", "step"))
    'Sea steps off the field from d1'
    """
    values = dataclasses.asdict(effect)
    power = values.get("power")
    if power:
        values["power"] = megalith_name(megalith_of(power))
    match effect:
        case Moved():
            return t("story.moved.power", **values) if power else t(f"story.moved.{effect.way}", **values)
        case Left():
            way = "power" if power else "over" if effect.over else effect.way
            return t(f"story.left.{way}", **values)
        case Banished():
            return t("story.banished.power", **values) if power else t("story.banished", **values)
        case Transformed():
            return t("story.transformed", **values)
        case ExtraTurn():
            return t("story.extraTurn", **values)
        case Activated():
            return t("story.activated", megalith=megalith_name(megalith_of(effect.code)), **values)
        case Flipped():
            face = effect.tile + effect.face.upper()
            return (
                t("story.flipped.power", face=face, power=values["power"]) if power else t("story.flipped", face=face)
            )
        case Ended():
            winner = effect.winner or "nobody"
            reason = t(f"story.ended.{reason_key(effect.reason)}", winner=winner)
            return t("story.ended.because", end=t("story.ended", winner=winner), reason=reason)
    raise TypeError(f"no clause for {effect.kind}")
