"""Compare a game with the accepted challenge, and check its draws against the server's commitment."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from cairn import fairness
from cairn.bot.links import Links
from cairn.record import read_record
from cairn.vocabulary import MalformedError, Tribe, tribe_of


@dataclasses.dataclass(frozen=True, slots=True)
class Agreement:
    """The terms of a challenge when the bot accepted it, and the random number that the bot added."""

    commitment: str
    """The server's commitment, which the bot received before it sent its number."""
    number: str
    creator: str
    """The id of the player who made the challenge."""
    variant: str
    tribe: str | None
    """The tribe that the creator chose; ``None`` if a toss decides."""
    first: str | None
    """The tribe that begins; ``None`` if a toss decides."""
    rated: bool
    clock: Mapping[str, Any] | None
    links: Links | None = None
    """With sealed draws: the chain of which the number is the anchor."""

    @classmethod
    def to(cls, challenge: Mapping[str, Any]) -> Agreement:
        """Agree to a challenge, with a new random number."""
        same = {name: challenge[name] for name in ("commitment", "variant", "tribe", "first", "rated", "clock")}
        links = Links(challenge["id"]) if challenge.get("sealed") else None
        number = links.anchor if links else secrets.token_hex(16)
        return cls(number=number, creator=challenge["creator"]["id"], links=links, **same)

    def objections(self, game: Mapping[str, Any]) -> list[str]:
        """The differences between a game that has begun and the challenge, as sentences."""
        (own,) = game["you"]
        proof, players, clock = game["proof"], game["players"], game["now"]["clock"]
        opponent = "sea" if own == "forest" else "forest"
        found = [*self._objections(own, game["variant"], proof["commitment"], proof[f"{own}_number"], proof)]
        if (proof["version"] == fairness.SEALED_VERSION) != (self.links is not None):
            found.append(f"the draws are {'not ' if self.links else ''}sealed, unlike in the challenge")
        if players[opponent]["id"] != self.creator:
            found.append("the opponent is not the player who made the challenge")
        if game["rated"] != self.rated:
            found.append(f"the game is {'rated' if game['rated'] else 'not rated'}, unlike the challenge")
        if (clock and clock["control"]) != self.clock:
            found.append("the clock differs from the clock in the challenge")
        return found

    def objections_to_record(self, headers: Mapping[str, str], tribe: str) -> list[str]:
        """The differences between the record of a game and the challenge, as sentences."""
        terms = {name.lower(): _tribe(headers.get(name)) for name in ("First", "Tossed")}
        number = headers.get(f"{tribe.capitalize()}Number", "")
        found = [*self._objections(tribe, headers.get("Variant"), headers.get("Commitment"), number, terms)]
        if (headers.get("Proof") == str(fairness.SEALED_VERSION)) != (self.links is not None):
            found.append(f"the draws are {'not ' if self.links else ''}sealed, unlike in the challenge")
        return found

    def _objections(
        self, own: str, variant: str | None, commitment: str | None, number: str, terms: Mapping[str, str | None]
    ) -> Iterator[str]:
        creators = Tribe(own).enemy.value
        if commitment != self.commitment:
            yield "the commitment differs from the one that the server sent before the game"
        if number != self.number:
            yield "the server did not use this bot's number"
        if variant != self.variant:
            yield f"the variant is {variant}, not {self.variant} as in the challenge"
        if terms["first"] != self.first:
            yield "the first player was not determined as in the challenge"
        if (terms["tossed"] is None) != (self.tribe is not None) or self.tribe not in (None, creators):
            yield "the tribes were not determined as in the challenge"
        elif terms["tossed"] not in (None, creators):
            yield "the toss decided the tribe of this bot, but must decide the opponent's, who made the challenge"


def check_draws(record: str, tribe: str, agreement: Agreement | None) -> str:
    """Check the draws of a finished game and return a sentence. Without an agreement, check only the record itself."""
    try:
        read = read_record(record)
    except MalformedError as error:
        return f"WARNING: the record cannot be read: {error}"
    objections = agreement.objections_to_record(read.headers, tribe) if agreement else []
    if agreement and agreement.links:
        objections += agreement.links.objections(read)
    if objections:
        return f"WARNING: the record does not match the accepted challenge: {'; '.join(objections)}"
    findings = fairness.verify(read)
    verdict = fairness.overall(findings)
    if verdict is fairness.Verdict.RIGHT:
        return "all draws verified"
    faults = "; ".join(each.sentence for each in findings if each.verdict is verdict)
    return f"{'WARNING: ' if verdict is fairness.Verdict.WRONG else ''}draws not verified: {faults}"


def _tribe(letter: str | None) -> str | None:
    """The name of the tribe with this letter, or the argument itself if it is not a tribe's letter."""
    return tribe_of(letter).value if letter in ("F", "S") else letter
