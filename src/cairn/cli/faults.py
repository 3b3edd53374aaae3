"""Errors about positions, tokens and records in the current language."""

from __future__ import annotations

from typing import Final

from cairn.messages import has, megalith_name, t
from cairn.vocabulary import MEGALITHS, CairnError, Fault, GameOverError

_FIELDS: Final = ("shamans", "megaliths", "upcoming", "deck", "faces", "scores", "active", "tiles", "token", "result")


def fault_text(fault: Fault) -> str:
    """The place of a fault and what is wrong there."""
    details: dict[str, object] = {"field": fault.field, **fault.details}
    if megalith := fault.details.get("megalith"):
        details["megalith"] = megalith_name(MEGALITHS[megalith])
    key = f"fault.{fault.kind}"
    sentence = t(key, **details) if has(key) else t("fault.other")
    return f"{_place(fault)} {sentence}{_legal(fault)}"


def _place(fault: Fault) -> str:
    if fault.field in _FIELDS:
        return t(f"fault.place.{fault.field}")
    if fault.field == "fields":
        return t("fault.place.position")
    for detail, place in (("line", "line"), ("byte", "byte"), ("token", "turn-token"), ("turn", "turn")):
        if detail in fault.details:
            return t(f"fault.place.{place}", **fault.details)
    return t("fault.place.header", header=fault.field)


def _legal(fault: Fault) -> str:
    """The tokens that could be played instead."""
    if "legal" not in fault.details:
        return ""
    tokens = ", ".join(fault.details["legal"].split())
    return " " + t("cli.legal", tokens=tokens, more=int(fault.details["more"]))


def error_text(error: Exception) -> str:
    """What is wrong with a position or a token."""
    match error:
        case CairnError(token=token, faults=(fault,)) if token:
            return t("cli.illegal", text=token, why=t(f"fault.{fault.kind}")) + _legal(fault)
        case CairnError(faults=faults) if faults:
            return " ".join(map(fault_text, faults))
        case GameOverError():
            return t("cli.over")
    return str(error)
