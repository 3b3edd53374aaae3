"""Whether the server has drawn as it promised."""

from __future__ import annotations

import dataclasses
import secrets

from cairn import fairness
from cairn.record import read_record
from cairn.vocabulary import MalformedError


@dataclasses.dataclass(frozen=True, slots=True)
class Agreement:
    """What was agreed on when a challenge was accepted."""

    commitment: str
    """The server's, seen before the number was told."""
    number: str
    """One's own."""

    @classmethod
    def to(cls, commitment: str) -> Agreement:
        """With a new random number."""
        return cls(commitment, secrets.token_hex(16))


def check_draws(record: str, tribe: str, agreement: Agreement | None) -> str:
    """A sentence about the draws of a game that is over. Without a agreement, only the record itself is checked."""
    try:
        read = read_record(record)
    except MalformedError as error:
        return f"WARNING: the record cannot be read: {error}"
    if agreement:
        if read.headers.get("Commitment") != agreement.commitment:
            return "WARNING: the server has drawn from another seed than the one it promised"
        if read.headers.get(f"{tribe.capitalize()}Number") != agreement.number:
            return "WARNING: the server has not used the number of this bot"
    findings = fairness.verify(read)
    verdict = fairness.overall(findings)
    if verdict is fairness.Verdict.RIGHT:
        return "all draws are verified"
    faults = "; ".join(each.sentence for each in findings if each.verdict is verdict)
    return f"{'WARNING: ' if verdict is fairness.Verdict.WRONG else ''}the draws are not verified: {faults}"
