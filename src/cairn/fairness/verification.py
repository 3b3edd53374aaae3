"""Check a record against its proof."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator, Sequence

from cairn.board import Board
from cairn.fairness.draws import draw
from cairn.fairness.proof import UNKNOWN_START, Proof
from cairn.fairness.seeds import commitment_of
from cairn.messages import megalith_name, t
from cairn.record import Record
from cairn.vocabulary import TRIBES, Draw, MalformedError, Megalith, Phase


class Verdict(enum.Enum):
    """The result of a check."""

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "open"
    """The claim cannot be checked, or cannot be checked yet."""


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check, with its reason."""

    kind: str
    """A slug for programs: ``no-proof``, ``proof``, ``seed``, ``commitment``, ``numbers``, ``tribes``, ``start``,
    ``draw`` or ``links``."""
    verdict: Verdict
    sentence: str
    """The result as a sentence for people, in the current language."""

    def __str__(self) -> str:
        return self.sentence


def verify(record: Record) -> list[Finding]:
    """Check the commitment, tosses, start and draws of a record."""
    try:
        proof = Proof.from_headers(record.headers)
    except MalformedError as error:
        return [Finding("proof", Verdict.WRONG, t("cli.proof.unreadable", fault=fault)) for fault in error.faults]
    if proof is None:
        return [Finding("no-proof", Verdict.OPEN, t("cli.proof.none"))]
    if proof.seed is None:
        return [_hidden_seed(record)]
    return [_commitment(proof), _numbers(proof), *_tribes(proof), _start(proof, record), *_draws(proof, record)]


def overall(findings: Sequence[Finding]) -> Verdict:
    """Wrong if any finding is wrong; otherwise open if any is open or there are no findings; otherwise right."""
    verdicts = {finding.verdict for finding in findings}
    for verdict in (Verdict.WRONG, Verdict.OPEN, Verdict.RIGHT):
        if verdict in verdicts:
            return verdict
    return Verdict.OPEN


def _hidden_seed(record: Record) -> Finding:
    how = "running" if record.game.outcome is None else "hidden"
    return Finding("seed", Verdict.OPEN, t(f"cli.proof.seed.{how}"))


def _commitment(proof: Proof) -> Finding:
    matches = proof.seed is not None and proof.commitment == commitment_of(proof.seed, proof.game)
    verdict = Verdict.RIGHT if matches else Verdict.WRONG
    sentence = t(f"cli.proof.commitment.{verdict.value}", commitment=proof.commitment.hex())
    return Finding("commitment", verdict, sentence)


def _numbers(proof: Proof) -> Finding:
    forest, sea = (number.hex() if number else "none" for number in (proof.forest_number, proof.sea_number))
    if forest == sea == "none":
        return Finding("numbers", Verdict.OPEN, t("cli.proof.numbers.none"))
    return Finding("numbers", Verdict.RIGHT, t("cli.proof.numbers", forest=forest, sea=sea))


def _tribes(proof: Proof) -> Iterator[Finding]:
    """Check the toss for tribes, if there was one."""
    if proof.tossed is None:
        return
    verdict = Verdict.RIGHT if proof.toss_tribes() is proof.tossed else Verdict.WRONG
    yield Finding("tribes", verdict, t(f"cli.proof.tribes.{verdict.value}", tribe=proof.tossed.value))


def _start(proof: Proof, record: Record) -> Finding:
    started, dealt = record.game.start_text, proof.deal()
    if dealt == UNKNOWN_START and record.game.tokens:
        return Finding("start", Verdict.WRONG, t("cli.proof.start.links"))
    if started == dealt == UNKNOWN_START:
        return Finding("start", Verdict.RIGHT, t("cli.proof.start.none"))
    begins = t("cli.proof.begins", first=proof.first.value if proof.first else "toss")
    verdict = Verdict.RIGHT if started == dealt else Verdict.WRONG
    sentence = t(f"cli.proof.start.{verdict.value}", begins=begins, started=started, dealt=dealt)
    return Finding("start", verdict, sentence)


def _draws(proof: Proof, record: Record) -> Iterator[Finding]:
    """Check every draw by replaying the game. Draws are never taken back, so the record contains all of them."""
    board, turn, number, rounds = Board(record.game.start_text), 0, 0, 1
    for token in record.game.tokens:
        turn += board.phase is Phase.ACTION
        if isinstance(token, Draw):
            tiles = board.setup.deck.draws()
            if len(tiles) > 1 and proof.is_sealed and rounds >= proof.rounds:
                yield Finding("draw", Verdict.WRONG, t("cli.proof.draw.links", n=number + 1, turn=turn))
                return
            expected = draw(proof.key_of_round(rounds), number, tiles) if len(tiles) > 1 else tiles[0]
            number += 1
            rounds += len(tiles) > 1
            yield _draw(token.tile, expected, number, turn)
        board.push(token)
    if not number:
        yield Finding("draw", Verdict.RIGHT, t("cli.proof.draw.none"))
    if proof.is_sealed:
        yield _links(proof, rounds if proof.rounds else 0)


def _draw(drawn: Megalith, expected: Megalith, number: int, turn: int) -> Finding:
    verdict = Verdict.RIGHT if drawn is expected else Verdict.WRONG
    sentence = t(
        f"cli.proof.draw.{verdict.value}",
        n=number,
        turn=turn,
        megalith=megalith_name(drawn),
        code=drawn,
        other=megalith_name(expected),
        otherCode=expected,
    )
    return Finding("draw", verdict, sentence)


def _links(proof: Proof, needed: int) -> Finding:
    """Check that no seat revealed a link too early. When a game ends, one seat may be one link ahead."""
    forest, sea = (len(proof.links(tribe)) for tribe in TRIBES)
    matches = min(forest, sea) == needed and max(forest, sea) <= needed + 1
    verdict = Verdict.RIGHT if matches else Verdict.WRONG
    return Finding("links", verdict, t(f"cli.proof.links.{verdict.value}", n=needed, forest=forest, sea=sea))
