"""Checks the draws of a finished game against the server's commitment."""

from __future__ import annotations

import dataclasses
import secrets

from cairn import fairness
from cairn.record import read_record
from cairn.vocabulary import MalformedError


@dataclasses.dataclass(frozen=True, slots=True)
class Agreement:
    """The commitment and the number that were exchanged when a challenge was accepted."""

    commitment: str
    """The server's commitment, received before the number was sent."""
    number: str
    """The number that the bot added."""

    @classmethod
    def to(cls, commitment: str) -> Agreement:
        """An agreement with a new random number."""
        return cls(commitment, secrets.token_hex(16))


def check_draws(record: str, tribe: str, agreement: Agreement | None) -> str:
    """Check a finished game's draws and return a sentence. Without an agreement, only the record itself is checked."""
    try:
        read = read_record(record)
    except MalformedError as error:
        return f"WARNING: the record cannot be read: {error}"
    if agreement:
        if read.headers.get("Commitment") != agreement.commitment:
            return "WARNING: the commitment in the record is not the one that the server gave before the game"
        if read.headers.get(f"{tribe.capitalize()}Number") != agreement.number:
            return "WARNING: the server did not use this bot's number"
    findings = fairness.verify(read)
    verdict = fairness.overall(findings)
    if verdict is fairness.Verdict.RIGHT:
        return "all draws verified"
    faults = "; ".join(each.sentence for each in findings if each.verdict is verdict)
    return f"{'WARNING: ' if verdict is fairness.Verdict.WRONG else ''}draws not verified: {faults}"
