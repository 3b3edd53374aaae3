"""Verification detects a change to any single header that is part of a proof."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from cairn import FOREST, Game, MalformedError, Record, Tribe, Variant
from cairn.fairness import Proof, Verdict, draw, overall, toss_tribes, verify
from cairn.record import read_record, write_record
from cairn.vocabulary import TRIBES, Phase

GAMES = 60


def played(number: int, *, version: int) -> Record:
    """A random game. In every second game, a toss decides the tribes; in some games, the first player is chosen."""
    rng = random.Random(number)
    seed, game, variant = rng.randbytes(32), f"game{number}", list(Variant)[number % 3]
    makers, others = rng.randbytes(32), rng.randbytes(16)
    tossed = toss_tribes(seed, makers, others, game) if number % 2 else None
    first = rng.choice([None, None, *TRIBES])
    begun = Proof.begin(seed, game, variant, first, tossed=tossed, version=version)
    maker = tossed or rng.choice(TRIBES)
    proof = begun.with_number(maker, makers).with_number(maker.enemy, others)
    board, draws = Game(proof.deal()), 0
    while board.outcome is None:
        if board.phase is Phase.DRAW:
            board.push(f"?{draw(proof.key, draws, board.board.setup.deck.draws())}")
            draws += 1
        else:
            board.push(rng.choice(board.legal_moves))
    return Record(board, {"Variant": variant.value, **proof.headers()})


def flips(record: Record) -> Iterator[tuple[str, str | None]]:
    """Yield each header of the proof with other possible values; ``None`` removes the header."""
    for name in ("Game", "Commitment", "Seed", "ForestNumber", "SeaNumber"):
        value = record.headers[name]
        other = {"0": "1"}.get(value[-1], "0") if name != "Game" else "x"
        yield name, value[:-1] + other
    for name in ("First", "Tossed"):
        yield from ((name, value) for value in ("F", "S", None) if value != record.headers.get(name))
    yield from (("Variant", each.value) for each in Variant if each.value != record.headers["Variant"])
    yield from (("Proof", value) for value in ("1", None))


@pytest.mark.parametrize("number", range(GAMES))
def test_every_changed_header_is_noticed(number: int) -> None:
    record = played(number, version=2)
    text = write_record(record)
    assert overall(verify(read_record(text))) is Verdict.RIGHT
    for name, value in flips(record):
        headers = {each: text for each, text in record.headers.items() if each != name}
        tampered = Record(record.game, headers if value is None else {**headers, name: value})
        assert overall(verify(tampered)) is not Verdict.RIGHT, (name, value)


def test_the_flips_cover_every_header_of_the_proof() -> None:
    record = played(1, version=2)
    assert {name for name, _ in flips(record)} == {*record.headers, "First", "Tossed"}


@pytest.mark.parametrize("number", range(6))
def test_records_with_a_proof_of_the_first_version_can_still_be_verified(number: int) -> None:
    record = played(number, version=1)
    assert "Proof" not in record.headers
    assert overall(verify(read_record(write_record(record)))) is Verdict.RIGHT


def test_an_unknown_version_cannot_be_read() -> None:
    record = played(0, version=2)
    for version in ("0", "4", "", "two"):
        (finding,) = verify(Record(record.game, {**record.headers, "Proof": version}))
        assert finding.verdict is Verdict.WRONG
        assert "Proof: expected 1, 2 or 3" in finding.sentence
    with pytest.raises(MalformedError):
        Proof.from_headers({**record.headers, "Proof": "3"})


def test_the_terms_are_part_of_the_key() -> None:
    def key(version: int, first: Tribe | None = None, tossed: Tribe | None = None) -> bytes:
        return Proof.begin(bytes(32), "abc", Variant.EXPERT, first, tossed=tossed, version=version).key

    assert key(1) == key(1, FOREST, FOREST)
    assert len({key(2), key(1), key(2, FOREST), key(2, None, FOREST), key(2, FOREST, FOREST)}) == 5
