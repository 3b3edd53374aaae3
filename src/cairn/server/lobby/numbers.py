"""The numbers that players add to challenges, and the conditions for sealed draws."""

from __future__ import annotations

from cairn import fairness
from cairn.server.errors import Refusal
from cairn.server.messages.lobby import Accept, AddNumber, NewChallenge
from cairn.server.storage.challenges import Challenge


def number_in(request: AddNumber | Accept, challenge: Challenge) -> bytes:
    """The number that a player adds to a challenge. Raises :class:`Refusal` if it is not valid for that challenge."""
    if request.sealed != challenge.sealed:
        is_sealed = "has" if challenge.sealed else "does not have"
        sentence = f"This challenge {is_sealed} sealed draws, but your request says otherwise."
        raise Refusal(409, "sealed-mismatch", sentence)
    try:
        number = fairness.read_number(request.number)
    except ValueError as error:
        raise Refusal(422, "malformed", f"Not a valid number: {error}.") from None
    if challenge.sealed and len(number) != fairness.LINK_BYTES:
        sentence = f"With sealed draws, the number is the anchor of a chain of links: {fairness.LINK_BYTES} bytes."
        raise Refusal(422, "malformed", sentence)
    return number


def require_sealable(request: NewChallenge) -> None:
    """Refuse sealed draws where they would be pointless, or where a player could withhold a link without losing."""
    if request.level is not None:
        sentence = "Sealed draws need another player. The server plays the computer, so it would know both links."
        raise Refusal(409, "sealed-needs-player", sentence)
    if request.clock is None:
        sentence = "Sealed draws need a clock, because a player who withholds a link loses on time. Choose a clock."
        raise Refusal(409, "sealed-needs-clock", sentence)
    if request.first and not request.tribe:
        sentence = "With sealed draws, choose the tribes if you choose who begins: the toss for tribes is not sealed."
        raise Refusal(409, "sealed-needs-tribes", sentence)
