"""Compare a game with the accepted challenge, and check its draws against the server's commitment."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from cairn import fairness
from cairn.bot.links import Links
from cairn.messages import t
from cairn.record import read_record
from cairn.vocabulary import MalformedError, Tribe, tribe_of


@dataclasses.dataclass(frozen=True, slots=True)
class Agreement:
    """The terms of a challenge as they were when the bot accepted it, and the random number that the bot sent."""

    commitment: str
    """The server's commitment, which the bot received before it sent its number."""
    number: str
    creator: str
    """The id of the player who made the challenge."""
    variant: str
    tribe: str | None
    """The tribe that the creator chose; ``None`` if a toss decides the tribes."""
    first: str | None
    """The tribe that begins; ``None`` if a toss decides who begins."""
    rated: bool
    clock: Mapping[str, Any] | None
    links: Links | None = None
    """With sealed draws, the hash chain whose anchor is the number."""

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
            found.append(t("cli.bot.objection.sealed", sealed="yes" if self.links else "no"))
        if players[opponent]["id"] != self.creator:
            found.append(t("cli.bot.objection.opponent"))
        if game["rated"] != self.rated:
            found.append(t("cli.bot.objection.rated", rated="yes" if game["rated"] else "no"))
        if (clock and clock["control"]) != self.clock:
            found.append(t("cli.bot.objection.clock"))
        return found

    def objections_to_record(self, headers: Mapping[str, str], tribe: str) -> list[str]:
        """The differences between the record of a game and the challenge, as sentences."""
        terms = {name.lower(): _tribe(headers.get(name)) for name in ("First", "Tossed")}
        number = headers.get(f"{tribe.capitalize()}Number", "")
        found = [*self._objections(tribe, headers.get("Variant"), headers.get("Commitment"), number, terms)]
        if (headers.get("Proof") == str(fairness.SEALED_VERSION)) != (self.links is not None):
            found.append(t("cli.bot.objection.sealed", sealed="yes" if self.links else "no"))
        return found

    def _objections(
        self, own: str, variant: str | None, commitment: str | None, number: str, terms: Mapping[str, str | None]
    ) -> Iterator[str]:
        creators = Tribe(own).enemy.value
        if commitment != self.commitment:
            yield t("cli.bot.objection.commitment")
        if number != self.number:
            yield t("cli.bot.objection.number")
        if variant != self.variant:
            yield t("cli.bot.objection.variant", variant=variant, expected=self.variant)
        if terms["first"] != self.first:
            yield t("cli.bot.objection.first")
        if (terms["tossed"] is None) != (self.tribe is not None) or self.tribe not in (None, creators):
            yield t("cli.bot.objection.tribes")
        elif terms["tossed"] not in (None, creators):
            yield "the toss decided this bot's tribe, but it must decide the tribe of the player who made the challenge"


def check_draws(record: str, tribe: str, agreement: Agreement | None) -> str:
    """Check the draws of a finished game and return a sentence. Without an agreement, only check the record itself."""
    try:
        read = read_record(record)
    except MalformedError as error:
        return t("cli.bot.warning", text=t("cli.bot.record.unreadable", why=error))
    objections = agreement.objections_to_record(read.headers, tribe) if agreement else []
    if agreement and agreement.links:
        objections += agreement.links.objections(read)
    if objections:
        why = "; ".join(objections)
        return t("cli.bot.warning", text=t("cli.bot.record.differs", why=why))
    findings = fairness.verify(read)
    verdict = fairness.overall(findings)
    if verdict is fairness.Verdict.RIGHT:
        return t("cli.bot.draws.right")
    faults = "; ".join(each.sentence for each in findings if each.verdict is verdict)
    text = t("cli.bot.draws.other", why=faults)
    return t("cli.bot.warning", text=text) if verdict is fairness.Verdict.WRONG else text


def _tribe(letter: str | None) -> str | None:
    """The name of the tribe with this letter, or the argument itself if it is not a tribe's letter."""
    return tribe_of(letter).value if letter in ("F", "S") else letter
