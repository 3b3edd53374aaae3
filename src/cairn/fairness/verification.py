"""Check a record against its proof."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator, Sequence

from cairn.board import Board
from cairn.fairness.draws import draw
from cairn.fairness.proof import UNKNOWN_START, Proof
from cairn.fairness.seeds import commitment_of
from cairn.record import Record
from cairn.vocabulary import TRIBES, Draw, MalformedError, Phase, Tribe


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
    """The result as a sentence for people."""

    def __str__(self) -> str:
        return self.sentence


def verify(record: Record) -> list[Finding]:
    """Check the commitment, tosses, start and draws of a record."""
    try:
        proof = Proof.from_headers(record.headers)
    except MalformedError as error:
        return [Finding("proof", Verdict.WRONG, f"The proof cannot be read. {fault}.") for fault in error.faults]
    if proof is None:
        sentence = "The record carries no proof: its draws cannot be checked without a commitment and a seed."
        return [Finding("no-proof", Verdict.OPEN, sentence)]
    if proof.seed is None:
        return [_hidden_seed(record)]
    return [_commitment(proof), _numbers(proof), *_tribes(proof), _start(proof, record), *_draws(proof, record)]


def overall(findings: Sequence[Finding]) -> Verdict:
    """Wrong if any finding is wrong; otherwise open if any finding is open or there is none; otherwise right."""
    verdicts = {finding.verdict for finding in findings}
    for verdict in (Verdict.WRONG, Verdict.OPEN, Verdict.RIGHT):
        if verdict in verdicts:
            return verdict
    return Verdict.OPEN


def _hidden_seed(record: Record) -> Finding:
    if record.game.outcome is None:
        sentence = "The game is still running. The seed is revealed when it ends; check it then."
    else:
        sentence = "The game is over, but this record does not reveal the seed, so nothing can be checked."
    return Finding("seed", Verdict.OPEN, sentence)


def _commitment(proof: Proof) -> Finding:
    if proof.seed is not None and proof.commitment == commitment_of(proof.seed, proof.game):
        sentence = f"The seed matches the commitment {proof.commitment.hex()}."
        return Finding("commitment", Verdict.RIGHT, sentence)
    sentence = f"The seed does not match the commitment {proof.commitment.hex()}."
    return Finding("commitment", Verdict.WRONG, sentence)


def _numbers(proof: Proof) -> Finding:
    added = [
        f"{_name(tribe)} added the number {number.hex()}" if number else f"{_name(tribe)} added no number"
        for tribe, number in zip(TRIBES, (proof.forest_number, proof.sea_number), strict=True)
    ]
    if proof.forest_number or proof.sea_number:
        return Finding("numbers", Verdict.RIGHT, f"{added[0]}, {added[1]}.")
    sentence = "Neither seat added a number, so the server could have chosen a seed that favours one side."
    return Finding("numbers", Verdict.OPEN, sentence)


def _tribes(proof: Proof) -> Iterator[Finding]:
    """Check the toss for tribes, if there was one."""
    if proof.tossed is None:
        return
    got = f"the challenger got {_name(proof.tossed)}"
    if proof.toss_tribes() is proof.tossed:
        yield Finding("tribes", Verdict.RIGHT, f"The tribes match the toss: {got}.")
    else:
        sentence = f"The tribes do not match the toss: {got}; expected {_name(proof.tossed.enemy)}."
        yield Finding("tribes", Verdict.WRONG, sentence)


def _start(proof: Proof, record: Record) -> Finding:
    started, dealt = record.game.start_text, proof.deal()
    if dealt == UNKNOWN_START and record.game.tokens:
        return Finding("start", Verdict.WRONG, "The record does not have both seats' links for the start.")
    if started == dealt == UNKNOWN_START:
        return Finding("start", Verdict.RIGHT, "The game ended before its start was drawn.")
    begins = f"{_name(proof.first)} was chosen to begin" if proof.first else "a toss decided who begins"
    if started == dealt:
        return Finding("start", Verdict.RIGHT, f"The start matches the deal ({begins}).")
    sentence = f"The start does not match the deal ({begins}): the game starts with {started}, expected {dealt}."
    return Finding("start", Verdict.WRONG, sentence)


def _draws(proof: Proof, record: Record) -> Iterator[Finding]:
    """Check every draw by replaying the game. Draws are never taken back, so the record contains all of them."""
    board, turn, number, rounds = Board(record.game.start_text), 0, 0, 1
    for token in record.game.tokens:
        turn += board.phase is Phase.ACTION
        if isinstance(token, Draw):
            tiles = board.setup.deck.draws()
            place = f"Draw {number + 1}, in turn {turn}"
            if len(tiles) > 1 and proof.is_sealed and rounds >= proof.rounds:
                yield Finding("draw", Verdict.WRONG, f"{place}: the record does not have both seats' links for it.")
                return
            expected = draw(proof.key_of_round(rounds), number, tiles) if len(tiles) > 1 else tiles[0]
            number += 1
            rounds += len(tiles) > 1
            if token.tile is expected:
                yield Finding("draw", Verdict.RIGHT, f"{place}: {expected.name} ({expected}), as expected.")
            else:
                drawn = f"{token.tile.name} ({token.tile})"
                sentence = f"{place}: {drawn} was drawn; expected {expected.name} ({expected})."
                yield Finding("draw", Verdict.WRONG, sentence)
        board.push(token)
    if not number:
        yield Finding("draw", Verdict.RIGHT, "No tile was drawn.")
    if proof.is_sealed:
        yield _links(proof, rounds if proof.rounds else 0)


def _links(proof: Proof, needed: int) -> Finding:
    """Check that no seat revealed a link too early. One seat may be ahead of the other when a game ends."""
    revealed = [len(proof.links(tribe)) for tribe in TRIBES]
    counts = ", ".join(f"{_name(tribe)} revealed {count}" for tribe, count in zip(TRIBES, revealed, strict=True))
    if min(revealed) == needed and max(revealed) <= needed + 1:
        return Finding("links", Verdict.RIGHT, f"The links match the numbers ({counts}).")
    sentence = f"The start and the draws of this game need {needed} links from each seat ({counts})."
    return Finding("links", Verdict.WRONG, sentence)


def _name(tribe: Tribe) -> str:
    return tribe.value.capitalize()
