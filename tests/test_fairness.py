"""Verifiable draws: the derived bytes, the proof in a record, the findings, and an independent verifier."""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import hmac
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn import FOREST, MEGALITHS, SEA, Board, Game, MalformedError, Outcome, Phase, Reason, Record, Tribe, Variant
from cairn.fairness import (
    SEED_BYTES,
    VERSION,
    Finding,
    KeyedRandom,
    Proof,
    Verdict,
    commitment_of,
    deal,
    draw,
    key_of,
    new_seed,
    overall,
    read_number,
    toss_tribes,
    verify,
)
from cairn.record import read_record, write_record

SEED = bytes(range(32))
FOREST_NUMBER, SEA_NUMBER = bytes.fromhex("0f" * 16), bytes.fromhex("a1" * 32)
TILES = tuple(MEGALITHS.values())


def proof_of(
    seed: bytes = SEED, variant: Variant = Variant.EXPERT, first: Tribe | None = None, *, toss: bool = False
) -> Proof:
    """The proof of a game. The challenger's number is the longer one. With ``toss``, a toss decides the tribes."""
    begun = Proof.begin(seed, "k7mq2xw9hb4t", variant, first)
    maker = toss_tribes(seed, SEA_NUMBER, FOREST_NUMBER, begun.game) if toss else SEA
    begun = dataclasses.replace(begun, tossed=maker if toss else None)
    return begun.with_number(maker, SEA_NUMBER).with_number(maker.enemy, FOREST_NUMBER)


def played(proof: Proof, player: int, longest: int = 10_000) -> Record:
    """A random game whose draws follow from the proof; it stays unfinished if it reaches ``longest`` tokens."""
    rng, game, draws = random.Random(player), Game(proof.deal()), 0
    while game.outcome is None and len(game.tokens) < longest:
        if game.phase is Phase.DRAW:
            game.push(f"?{draw(proof.key, draws, game.board.setup.deck.draws())}")
            draws += 1
        else:
            game.push(rng.choice(game.legal_moves))
    shown = proof if game.outcome else proof.hidden()
    return Record(game, {"Variant": proof.variant.value, **shown.headers()})


def wrong(findings: list[Finding]) -> list[str]:
    return [finding.kind for finding in findings if finding.verdict is not Verdict.RIGHT]


# --- A verifier written from docs/fairness.md alone: it uses neither this package nor the rules


def independent_check(text: str) -> bool:
    """Whether the commitment, start and draws of a record are those that docs/fairness.md specifies."""
    header = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
    seed, game = bytes.fromhex(header["Seed"]), header["Game"].encode()
    numbers = [bytes.fromhex(header[name]) for name in ("ForestNumber", "SeaNumber")]

    def joined(tag: bytes, *parts: bytes) -> bytes:
        return tag + b"".join(bytes([0, 0, len(part) // 256, len(part) % 256]) + part for part in parts)

    if hashlib.sha256(joined(b"cairn commitment 1\n", seed, game)).hexdigest() != header["Commitment"]:
        return False
    terms = [header.get(name, "").encode() for name in ("Variant", "First", "Tossed")]
    covered = joined(b"cairn key 2\n", *numbers, game, *terms)
    older = joined(b"cairn key 1\n", *numbers, game)
    key = hmac.new(seed, covered if header.get("Proof") == "2" else older, hashlib.sha256).digest()

    def run(purpose: str, key: bytes = key) -> Iterator[str]:
        for number in range(10**6):
            block = hmac.new(key, f"{purpose} {number}".encode(), hashlib.sha256).hexdigest()
            yield f"{int(block, 16):0256b}"

    def below(bound: int, bits: Iterator[str]) -> int:
        width = len(f"{bound:b}")
        return next(number for number in (int(block[:width], 2) for block in bits) if number < bound)

    # The tribes: the challenger's number comes first.
    maker = header.get("Tossed", "F")
    ordered = numbers if maker == "F" else numbers[::-1]
    tribes = hmac.new(seed, joined(b"cairn key 1\n", *ordered, game), hashlib.sha256).digest()
    if "FS"[below(2, run("tribes", tribes))] != maker and "Tossed" in header:
        return False

    # The start.
    order = ["CG", "CD", "CS", "PS", "AD", "DR", "MD", "SA", "TS", "SW", "FC", "HP", "MM", "SS", "WC", "SH", "HE"]
    tiles = order[: {"beginner": 8, "standard": 14, "expert": 17}[header["Variant"]]]
    bits = run("deal")
    for i in reversed(range(1, len(tiles))):
        j = below(i + 1, bits)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    if header["Variant"] == "beginner":
        tiles = ["CG", "CD"] + [tile for tile in tiles if tile not in ("CG", "CD")]
    b3, d3, one, two, *rest = tiles
    deck = sorted(rest)
    faces = "".join(pair[below(2, bits)] for pair in ("wb", "od", "fe", "me"))
    toss = "FS"[below(2, bits)]
    begins = header.get("First", toss)
    dealt = f"S1S1S/5/5/5/F1F1F b3{b3},d3{d3} {one}{two} ({''.join(deck)}) {faces} 0-0 {begins}"
    if header["Position"] != dealt:
        return False

    # The draws, as long as the order of the deck is unknown.
    drawn = re.findall(r"\?([A-Z]{2})", text.partition("\n\n")[2])
    due = [deck.pop(below(len(deck), run(f"draw {number}"))) for number in range(min(len(drawn), len(deck)))]
    return drawn[: len(due)] == due


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("first", [None, FOREST, SEA])
def test_an_independent_verifier_agrees(variant: Variant, first: Tribe | None) -> None:
    for number in range(15):
        record = played(proof_of(number.to_bytes(SEED_BYTES), variant, first, toss=number % 2 == 1), player=number)
        assert wrong(verify(record)) == []
        assert independent_check(write_record(record))
        assert independent_check(write_record(record).replace("0f" * 16, "0e" * 16)) is False


def test_an_independent_verifier_finds_a_wrong_draw() -> None:
    text = write_record(played(proof_of(), player=1))
    drawn = re.findall(r"\?([A-Z]{2})", text)
    assert drawn
    unused = next(code for code in MEGALITHS if code not in drawn)
    assert independent_check(text) is True
    assert independent_check(text.replace(f"?{drawn[-1]}", f"?{unused}")) is False


# --- The document


def test_the_documents_game_is_verified(repository: Path) -> None:
    document = (repository / "docs" / "fairness.md").read_text(encoding="utf-8")
    text = document.partition("```text\n")[2].partition("```")[0]
    record = read_record(text)
    assert write_record(record) == text
    findings = verify(record)
    assert overall(findings) is Verdict.RIGHT
    assert independent_check(text)
    for finding in findings:
        # The document truncates long lines with dots.
        assert f"game.cairn: right: {finding.sentence[:60]}" in document
    whole = dataclasses.replace(proof_of(first=FOREST), tossed=SEA)
    assert whole.version == VERSION
    assert all(f"`{name}`" in document for name in whole.headers())


# --- Derived bytes: stored games depend on them, so they must never change


def test_derived_bytes_never_change() -> None:
    commitment = commitment_of(SEED, "k7mq2xw9hb4t")
    assert commitment.hex() == "436dc0e4425f6aa5dd4d9f5ec8728d0250a65f5dae746c5b899da0710874ab6c"
    assert key_of(SEED, b"", b"", "x") == hmac.digest(SEED, b"cairn key 1\n" + bytes(11) + b"\x01x", "sha256")
    # The generator's output must not change either: older games, which have no proofs, depend on it.
    one = (1).to_bytes(SEED_BYTES)
    assert deal(one, Variant.EXPERT, None) == (
        "S1S1S/5/5/5/F1F1F b3SW,d3MD WCSH (ADCDCGCSDRFCHEHPMMPSSASSTS) bdem 0-0 S"
    )
    assert [draw(one, number, TILES).code for number in range(6)] == ["SH", "FC", "MM", "MM", "CD", "WC"]
    tossed = [toss_tribes(SEED, bytes([number]) * 16, SEA_NUMBER, "x").letter for number in range(12)]
    assert "".join(tossed) == "FSSFFFSSSSSS"


class _LibraryRandom(random.Random):
    """A standard-library generator that gets its bits from ``KeyedRandom``."""

    def __init__(self, key: bytes, purpose: str) -> None:
        super().__init__(0)
        self._bits = KeyedRandom(key, purpose)

    def getrandbits(self, k: int, /) -> int:
        return self._bits.getrandbits(k)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 60))
def test_choices_and_shuffles_match_the_standard_library(key: bytes, count: int) -> None:
    ours, library = KeyedRandom(key, "p"), _LibraryRandom(key, "p")
    items, others = list(range(count)), list(range(count))
    ours.shuffle(items)
    library.shuffle(others)
    assert items == others
    assert [ours.choice(items) for _ in range(5)] == [library.choice(items) for _ in range(5)]


def test_the_generator_gives_only_integers_of_up_to_256_bits() -> None:
    rng = KeyedRandom(b"", "")
    with pytest.raises(NotImplementedError, match="whole numbers only"):
        rng.random()
    with pytest.raises(ValueError, match="at most 256 bits"):
        rng.getrandbits(257)
    with pytest.raises(ValueError, match="at least 1, not 0"):
        rng.below(0)
    with pytest.raises(IndexError, match="cannot choose from an empty sequence"):
        rng.choice([])


def test_every_input_changes_the_key() -> None:
    usual = (SEED, FOREST_NUMBER, SEA_NUMBER, "abc")
    others = [
        (bytes(32), FOREST_NUMBER, SEA_NUMBER, "abc"),
        (SEED, b"", SEA_NUMBER, "abc"),
        (SEED, FOREST_NUMBER, b"", "abc"),
        (SEED, SEA_NUMBER, FOREST_NUMBER, "abc"),
        (SEED, FOREST_NUMBER, SEA_NUMBER, "abd"),
        # The same bytes when concatenated, but split at a different point.
        (SEED, FOREST_NUMBER + SEA_NUMBER[:16], SEA_NUMBER[16:], "abc"),
    ]
    keys = {key_of(*each) for each in [usual, *others]}
    assert len(keys) == len(others) + 1
    assert len({commitment_of(SEED, "abc"), commitment_of(SEED, "abd"), commitment_of(bytes(32), "abc")}) == 3


def test_one_honest_number_makes_draws_fair() -> None:
    """With the seed and Sea's number fixed, a random number from Forest makes every draw equally likely."""
    rng = random.Random(3)
    tiles = TILES[:5]
    drawn = collections.Counter(
        draw(key_of(SEED, rng.randbytes(16), SEA_NUMBER, "abc"), 0, tiles).code for _ in range(5_000)
    )
    chi_square = sum((count - 1_000) ** 2 / 1_000 for count in drawn.values())
    assert len(drawn) == len(tiles)
    assert chi_square < 18.47  # the 99.9th percentile for four degrees of freedom


def test_new_seeds_are_distinct_and_have_full_length() -> None:
    assert len({new_seed() for _ in range(100)}) == 100
    assert len(new_seed()) == SEED_BYTES


@pytest.mark.parametrize("first", [FOREST, SEA])
def test_the_first_player_can_be_chosen(first: Tribe) -> None:
    for number in range(20):
        key = number.to_bytes(32)
        chosen, tossed = deal(key, Variant.BEGINNER, first), deal(key, Variant.BEGINNER, None)
        assert Board(chosen).active is first
        assert chosen[:-1] == tossed[:-1]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("00" * 15, "15 bytes long; a number has 16 to 32 bytes, or none"),
        ("00" * 33, "33 bytes long"),
        ("0" * 33, "two for each byte"),
        ("AB" * 16, "0-9 and a-f"),
        ("00 " * 16, "0-9 and a-f"),
        ("00" * 16 + "\n", "0-9 and a-f"),
        ("\N{FULLWIDTH DIGIT ONE}1" * 16, "0-9 and a-f"),
    ],
)
def test_bad_numbers_are_rejected(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_number(text)


@given(st.one_of(st.just(b""), st.binary(min_size=16, max_size=32)))
def test_numbers_round_trip(number: bytes) -> None:
    assert read_number(number.hex()) == number


def test_bad_seeds_ids_and_numbers_are_rejected() -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes, not 31"):
        commitment_of(bytes(31), "abc")
    with pytest.raises(ValueError, match="the game id is empty"):
        commitment_of(SEED, "")
    with pytest.raises(ValueError, match="Sea's number: 3 bytes long"):
        key_of(SEED, b"", b"abc", "abc")


# --- The proof


def test_a_seat_can_add_its_number_only_once() -> None:
    proof = Proof.begin(SEED, "abc", Variant.BEGINNER, None).with_number(SEA, b"")
    added = proof.with_number(SEA, SEA_NUMBER)
    assert (added.forest_number, added.sea_number) == (b"", SEA_NUMBER)
    with pytest.raises(ValueError, match="Sea has already added its number"):
        added.with_number(SEA, FOREST_NUMBER)
    with pytest.raises(ValueError, match="1 bytes long"):
        proof.with_number(FOREST, b"a")


def test_the_seed_is_not_leaked() -> None:
    proof = proof_of()
    for text in (repr(proof), str(proof), str(proof.hidden().headers()), repr(dataclasses.asdict(proof.hidden()))):
        assert SEED.hex() not in text
        assert repr(SEED)[2:-1] not in text
    with pytest.raises(ValueError, match="the seed is not revealed"):
        _ = proof.hidden().key


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("first", [None, FOREST, SEA])
def test_a_proof_round_trips_through_headers(variant: Variant, first: Tribe | None) -> None:
    whole, tossed = proof_of(variant=variant, first=first), proof_of(variant=variant, first=first, toss=True)
    for proof in (whole, whole.hidden(), tossed):
        headers = {"Variant": variant.value, **proof.headers()}
        assert Proof.from_headers(headers) == proof
        record = Record(Game(whole.deal()), headers)
        assert Proof.from_headers(read_record(write_record(record)).headers) == proof


def test_a_game_without_a_proof_may_have_an_id() -> None:
    assert Proof.from_headers({"Game": "abc", "First": "F", "Variant": "beginner"}) is None


@pytest.mark.parametrize(
    ("change", "places"),
    [
        ({"Commitment": "ab"}, ["Commitment"]),
        ({"Seed": "00" * 31}, ["Seed"]),
        ({"Seed": "AB" * 32}, ["Seed"]),
        ({"Seed": ""}, ["Seed"]),
        ({"ForestNumber": "00", "SeaNumber": "x"}, ["ForestNumber", "SeaNumber"]),
        ({"Variant": "huge", "First": "forest", "Tossed": ""}, ["Variant", "First", "Tossed"]),
        ({"Game": ""}, ["Game"]),
        ({"Game": None, "Commitment": None, "ForestNumber": None, "SeaNumber": None, "Variant": None},
         ["Game", "Commitment", "ForestNumber", "SeaNumber", "Variant"]),
    ],
)  # fmt: skip
def test_every_fault_in_a_proof_is_reported(change: dict[str, str | None], places: list[str]) -> None:
    headers = {"Variant": "expert", **proof_of().headers()} | change
    given_headers = {name: value for name, value in headers.items() if value is not None}
    with pytest.raises(MalformedError) as caught:
        Proof.from_headers(given_headers)
    assert [fault.field for fault in caught.value.faults] == places
    findings = verify(Record(Game(proof_of().deal()), given_headers))
    assert [finding.verdict for finding in findings] == [Verdict.WRONG] * len(places)
    assert findings[0].sentence.startswith(f"The proof cannot be read. {places[0]}: ")


# --- Findings


def test_a_finished_game_is_verified() -> None:
    record = played(proof_of(), player=1)
    findings = verify(record)
    draws = sum(str(token).startswith("?") for token in record.game.tokens)
    assert draws >= 2
    assert [finding.kind for finding in findings] == ["commitment", "numbers", "start", *["draw"] * draws]
    assert overall(findings) is Verdict.RIGHT


def test_a_running_game_cannot_be_verified_yet() -> None:
    findings = verify(played(proof_of(), player=1, longest=10))
    assert [(finding.kind, finding.verdict) for finding in findings] == [("seed", Verdict.OPEN)]
    assert "still running" in str(findings[0])


def test_a_finished_game_that_hides_its_seed_cannot_be_verified() -> None:
    record = played(proof_of(), player=1, longest=10)
    record.game.end(Outcome(FOREST, Reason.RESIGNATION))
    (finding,) = verify(record)
    assert finding.verdict is Verdict.OPEN
    assert "does not reveal the seed" in finding.sentence


def test_a_record_without_a_proof_cannot_be_verified() -> None:
    (finding,) = verify(Record(Game.start("expert", seed=1)))
    assert (finding.kind, finding.verdict) == ("no-proof", Verdict.OPEN)


def test_a_game_without_player_numbers_cannot_be_verified() -> None:
    proof = Proof.begin(SEED, "abc", Variant.STANDARD, None)
    findings = verify(played(proof, player=2))
    assert wrong(findings) == ["numbers"]
    assert overall(findings) is Verdict.OPEN
    alone = proof.with_number(SEA, SEA_NUMBER)
    assert overall(verify(played(alone, player=2))) is Verdict.RIGHT


def test_a_seed_that_does_not_match_the_commitment_is_found() -> None:
    """The server uses a different seed from the one it committed to."""
    promised, better = proof_of(), proof_of(bytes(32))
    record = played(dataclasses.replace(better, commitment=promised.commitment), player=1)
    assert wrong(verify(record)) == ["commitment"]


def test_a_commitment_for_another_game_is_found() -> None:
    record = played(dataclasses.replace(proof_of(), commitment=commitment_of(SEED, "another")), player=1)
    assert wrong(verify(record)) == ["commitment"]


def test_a_start_that_does_not_match_the_deal_is_found() -> None:
    dealt, other = proof_of(), proof_of(bytes(32))
    record = Record(Game(other.deal()), {"Variant": "expert", **dealt.headers()})
    findings = verify(record)
    assert wrong(findings) == ["start"]
    assert dealt.deal() in findings[2].sentence
    assert other.deal() in findings[2].sentence


def test_a_wrong_first_player_is_found() -> None:
    proof = proof_of()
    loser = Board(proof.deal()).active.enemy
    swapped = dataclasses.replace(proof, first=loser)
    record = Record(Game(swapped.deal()), {"Variant": "expert", **proof.headers()})
    assert wrong(verify(record)) == ["start"]
    record.headers["First"] = loser.letter  # a false claim that both players would notice
    assert f"{loser.value.capitalize()} was chosen to begin" in verify(record)[2].sentence


@pytest.mark.parametrize("seed", range(4))
def test_tribes_that_do_not_match_the_toss_are_found(seed: int) -> None:
    """The server swaps the tribes and claims that the toss gave this result."""
    proof = proof_of(seed.to_bytes(SEED_BYTES), toss=True)
    assert proof.tossed is not None
    assert [each.kind for each in verify(played(proof, player=1))][2] == "tribes"
    swapped = dataclasses.replace(
        proof, tossed=proof.tossed.enemy, forest_number=proof.sea_number, sea_number=proof.forest_number
    )
    findings = verify(played(swapped, player=1))
    assert wrong(findings) == ["tribes"]
    assert f"expected {proof.tossed.value.capitalize()}." in findings[2].sentence


def test_tossing_the_tribes_needs_the_seed() -> None:
    for proof in (proof_of(), proof_of(toss=True).hidden()):
        with pytest.raises(ValueError, match="not revealed, or the tribes were not tossed"):
            proof.toss_tribes()


def test_each_wrong_draw_is_found() -> None:
    """A wrong draw causes only one wrong finding: later draws are checked against the tiles that are left."""
    proof = proof_of()
    for wrong_draw in range(3):
        rng, game, draws = random.Random(wrong_draw), Game(proof.deal()), 0
        while game.outcome is None:
            if game.phase is Phase.DRAW:
                tiles = game.board.setup.deck.draws()
                due = draw(proof.key, draws, tiles)
                game.push(f"?{next(tile for tile in tiles if tile is not due) if draws == wrong_draw else due}")
                draws += 1
            else:
                game.push(rng.choice(game.legal_moves))
        findings = [
            each for each in verify(Record(game, {"Variant": "expert", **proof.headers()})) if each.kind == "draw"
        ]
        assert len(findings) == draws
        assert [each.verdict is Verdict.WRONG for each in findings] == [number == wrong_draw for number in range(draws)]
        if draws > wrong_draw:
            assert f"Draw {wrong_draw + 1}, in turn " in findings[wrong_draw].sentence
            assert "was drawn; expected" in findings[wrong_draw].sentence


def test_findings_number_turns_like_the_record() -> None:
    record = played(proof_of(), player=1)
    lines = [line for line in write_record(record).splitlines() if "?" in line]
    reported = [re.search(r"in turn (\d+): .* \((\w\w)\)", str(each)) for each in verify(record) if each.kind == "draw"]
    numbers = [(line.split()[0], code) for line in lines for code in re.findall(r"\?(\w\w)", line)]
    assert [(match[1], match[2]) for match in reported if match] == numbers


def test_takebacks_do_not_change_the_draw_numbers() -> None:
    """A takeback never goes past a draw, so it does not change how many tiles have been drawn."""
    proof = proof_of()
    rng, game, draws = random.Random(8), Game(proof.deal()), 0
    while game.outcome is None:
        if game.phase is Phase.DRAW:
            game.push(f"?{draw(proof.key, draws, game.board.setup.deck.draws())}")
            draws += 1
            continue
        game.push(rng.choice(game.legal_moves))
        if rng.random() < 0.3:
            game.pop()
    assert draws
    assert overall(verify(Record(game, {"Variant": "expert", **proof.headers()}))) is Verdict.RIGHT


def test_a_game_without_draws_is_verified() -> None:
    proof = proof_of()
    game = Game(proof.deal())
    game.end(Outcome(SEA, Reason.TIME))
    findings = verify(Record(game, {"Variant": "expert", **proof.headers()}))
    assert str(findings[-1]) == "No tile was drawn."
    assert overall(findings) is Verdict.RIGHT


def test_the_worst_finding_decides_the_verdict() -> None:
    right, open_, bad = (Finding("draw", verdict, "") for verdict in (Verdict.RIGHT, Verdict.OPEN, Verdict.WRONG))
    assert overall([right, right]) is Verdict.RIGHT
    assert overall([right, open_]) is Verdict.OPEN
    assert overall([open_, bad, right]) is Verdict.WRONG
    assert overall([]) is Verdict.OPEN
