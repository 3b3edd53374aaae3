"""Sealed draws: the chains of links, the proof in a record, and what verification finds."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn import FOREST, SEA, Game, MalformedError, Phase, Record, Variant
from cairn.fairness import (
    LINKS,
    UNKNOWN_START,
    Proof,
    Verdict,
    draw,
    link_before,
    link_of,
    new_root,
    overall,
    verify,
)
from cairn.record import read_record, write_record
from cairn.vocabulary import TRIBES, Tribe

GAME = "k7mq2xw9hb4t"
ROOTS = {FOREST: bytes([1]) * 32, SEA: bytes([2]) * 32}


def begun(variant: Variant = Variant.EXPERT, seed: bytes = bytes(32)) -> Proof:
    """The proof once both anchors are known."""
    proof = Proof.begin(seed, GAME, variant, None, version=3)
    for tribe in TRIBES:
        proof = proof.with_number(tribe, link_of(ROOTS[tribe], 0, GAME))
    return proof


def next_link(proof: Proof, *tribes: Tribe) -> Proof:
    for tribe in tribes:
        proof = proof.with_link(tribe, link_of(ROOTS[tribe], len(proof.links(tribe)) + 1, GAME))
    return proof


def played(player: int, variant: Variant) -> tuple[Record, Proof]:
    """A random game and its proof. The draws do not use the verifier's code."""
    rng, proof = random.Random(player), next_link(begun(variant, player.to_bytes(32)), *TRIBES)
    game, draws = Game(proof.deal()), 0
    while game.outcome is None:
        if game.phase is Phase.DRAW:
            tiles = game.board.setup.deck.draws()
            if len(tiles) > 1:
                proof = next_link(proof, *TRIBES)
                game.push(f"?{draw(proof.key_of_round(proof.rounds - 1), draws, tiles)}")
            else:
                game.push(f"?{tiles[0]}")
            draws += 1
        else:
            game.push(rng.choice(game.legal_moves))
    return Record(game, {"Variant": variant.value, **proof.headers()}), proof


def kinds(record: Record, verdict: Verdict = Verdict.WRONG) -> list[str]:
    return [finding.kind for finding in verify(record) if finding.verdict is verdict]


# --- A verifier written from docs/fairness.md alone: it uses neither the package nor the rules


def joined(tag: bytes, *parts: bytes) -> bytes:
    return tag + b"".join(bytes([0, 0, 0, len(part)]) + part for part in parts)


def chain_of(header: dict[str, str], seat: str) -> list[bytes] | None:
    """The anchor and all links of a seat; ``None`` if the last link does not lead to the anchor."""
    chain, anchor = [bytes.fromhex(header[f"{seat}Link"])], bytes.fromhex(header[f"{seat}Number"])
    while chain[-1] != anchor:
        if len(chain) > 16:
            return None
        chain.append(hashlib.sha256(joined(b"cairn link 1\n", chain[-1], header["Game"].encode())).digest())
    return chain[::-1]


def below(bound: int, blocks: Iterator[int]) -> int:
    width = len(f"{bound:b}")
    return next(number for number in (block >> (256 - width) for block in blocks) if number < bound)


def start_from(variant: str, blocks: Iterator[int]) -> tuple[str, list[str]]:
    """The starting position without its first field, and the deck."""
    order = ["CG", "CD", "CS", "PS", "AD", "DR", "MD", "SA", "TS", "SW", "FC", "HP", "MM", "SS", "WC", "SH", "HE"]
    tiles = order[: {"beginner": 8, "standard": 14, "expert": 17}[variant]]
    for i in reversed(range(1, len(tiles))):
        j = below(i + 1, blocks)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    if variant == "beginner":
        tiles = ["CG", "CD"] + [tile for tile in tiles if tile not in ("CG", "CD")]
    deck = sorted(tiles[4:])
    faces = "".join(pair[below(2, blocks)] for pair in ("wb", "od", "fe", "me"))
    first = "FS"[below(2, blocks)]
    return f"b3{tiles[0]},d3{tiles[1]} {tiles[2]}{tiles[3]} ({''.join(deck)}) {faces} 0-0 {first}", deck


def sealed_check(text: str) -> bool:
    """Whether the start and the draws of a record with sealed draws are those that docs/fairness.md specifies."""
    header = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
    forest, sea = chain_of(header, "Forest"), chain_of(header, "Sea")
    if forest is None or sea is None:
        return False
    terms = [header.get(name, "").encode() for name in ("Game", "Variant", "First", "Tossed")]

    def run(r: int, purpose: str) -> Iterator[int]:
        content = joined(b"cairn key 3\n", forest[0], sea[0], *terms, forest[r + 1], sea[r + 1])
        key = hmac.digest(bytes.fromhex(header["Seed"]), content, "sha256")
        for number in range(10**6):
            yield int.from_bytes(hmac.digest(key, f"{purpose} {number}".encode(), "sha256"), "big")

    dealt, deck = start_from(header["Variant"], run(0, "deal"))
    if header["Position"].partition(" ")[2] != dealt:
        return False
    drawn = re.findall(r"\?([A-Z]{2})", text.partition("\n\n")[2])
    due = [  # only the tiles of the initial deck: the order of tiles that return to the deck is known
        deck.pop(below(len(deck), run(number + 1, f"draw {number}")) if len(deck) > 1 else 0)
        for number in range(min(len(drawn), len(deck)))
    ]
    return drawn[: len(due)] == due


@pytest.mark.parametrize("variant", Variant)
def test_an_independent_verifier_agrees(variant: Variant) -> None:
    for player in range(15):
        record, _ = played(player, variant)
        text = write_record(record)
        assert overall(verify(read_record(text))) is Verdict.RIGHT
        assert sealed_check(text)
        wrong = text.replace('[Seed "', '[Seed "f').replace(record.headers["Seed"], record.headers["Seed"][:-1])
        assert overall(verify(read_record(wrong))) is Verdict.WRONG
        assert sealed_check(wrong) is False


def test_the_documents_sealed_game_is_verified(repository: Path) -> None:
    document = (repository / "docs" / "fairness.md").read_text(encoding="utf-8")
    text = document.split("```text\n")[2].partition("```")[0]
    assert write_record(read_record(text)) == text
    assert overall(verify(read_record(text))) is Verdict.RIGHT
    assert sealed_check(text)
    assert all(f"`{name}`" in document for name in read_record(text).headers if name.endswith("Link"))


def test_a_chain_is_long_enough_for_every_game() -> None:
    """The start needs a link, and so does each tile in the largest deck except the last, whose draw is certain."""
    largest = max(len(Game(next_link(begun(variant), *TRIBES).deal()).board.setup.deck) for variant in Variant)
    assert 1 + largest - 1 == 13
    assert LINKS == 16


def test_the_bytes_of_links_never_change() -> None:
    content = b"cairn link 1\n" + bytes([0, 0, 0, 32]) + bytes(32) + bytes([0, 0, 0, 3]) + b"abc"
    assert link_before(bytes(32), "abc") == hashlib.sha256(content).digest()
    assert link_of(bytes(32), 16, "abc") == bytes(32)
    assert link_of(bytes(32), 15, "abc") == link_before(bytes(32), "abc")
    assert link_of(bytes(32), 0, "abc").hex() == "00f2b3acd9be9e773ca4abce3f289df03188ab96f6bb40e6e1dd43993ed78309"
    with pytest.raises(ValueError, match="0 to 16, not 17"):
        link_of(bytes(32), 17, "abc")
    assert len({new_root() for _ in range(100)}) == 100


def test_a_link_must_continue_the_chain() -> None:
    proof = begun()
    for number in (0, 2, 16):
        with pytest.raises(ValueError, match="not the link before it"):
            proof.with_link(FOREST, link_of(ROOTS[FOREST], number, GAME))
    with pytest.raises(ValueError, match="not the link before it"):
        proof.with_link(SEA, link_of(ROOTS[FOREST], 1, GAME))
    assert next_link(proof, FOREST).rounds == 0
    assert next_link(proof, FOREST, SEA, SEA).rounds == 1


def test_a_key_depends_on_both_links_of_its_round() -> None:
    proof = next_link(begun(), *TRIBES, *TRIBES)
    changed = dataclasses.replace(proof, sea_links=(bytes(32), proof.sea_links[1]))
    assert proof.key_of_round(0) != proof.key_of_round(1)
    assert proof.key_of_round(0) != changed.key_of_round(0)
    assert proof.key_of_round(1) == changed.key_of_round(1)
    with pytest.raises(ValueError, match="for 2 rounds, not for round 2"):
        proof.key_of_round(2)
    with pytest.raises(ValueError, match="each draw has its own key"):
        _ = proof.key


def test_a_hidden_proof_shows_neither_the_seed_nor_links() -> None:
    proof = next_link(begun(), *TRIBES)
    assert proof.hidden() == dataclasses.replace(begun(), seed=None)
    assert "Link" not in str(proof.hidden().headers())


def test_a_proof_round_trips_through_headers() -> None:
    for proof in (begun(), next_link(begun(), SEA), next_link(begun(), *TRIBES, *TRIBES, FOREST)):
        assert Proof.from_headers({"Variant": "expert", **proof.headers()}) == proof


@pytest.mark.parametrize("name", ["ForestLink", "SeaLink", "ForestNumber", "SeaNumber", "Seed", "Game", "Variant"])
def test_a_changed_header_is_noticed(name: str) -> None:
    record, _ = played(7, Variant.STANDARD)
    other = "expert" if name == "Variant" else record.headers[name][:-1] + "x0"[record.headers[name][-1] != "0"]
    assert overall(verify(Record(record.game, {**record.headers, name: other}))) is Verdict.WRONG
    without = {each: text for each, text in record.headers.items() if each != name}
    assert overall(verify(Record(record.game, without))) is not Verdict.RIGHT


@pytest.mark.parametrize("version", ["1", "2", None])
def test_a_sealed_record_does_not_pass_as_another_version(version: str | None) -> None:
    record, _ = played(7, Variant.STANDARD)
    headers = {name: text for name, text in record.headers.items() if name != "Proof"}
    assert overall(verify(Record(record.game, headers | ({"Proof": version} if version else {})))) is Verdict.WRONG


def test_a_link_that_was_revealed_too_early_is_noticed() -> None:
    record, proof = played(7, Variant.STANDARD)
    for ahead, found in [((FOREST,), []), ((SEA,), []), (TRIBES, ["links"]), ((SEA, SEA), ["links"])]:
        headers = {**record.headers, **next_link(proof, *ahead).headers()}
        assert kinds(Record(record.game, headers)) == found


def test_a_missing_link_is_noticed() -> None:
    record, proof = played(7, Variant.STANDARD)
    assert proof.rounds > 1
    shorter = dataclasses.replace(proof, sea_links=proof.sea_links[:-1])
    assert kinds(Record(record.game, {**record.headers, **shorter.headers()})) == ["draw"]
    none = {name: text for name, text in record.headers.items() if name not in ("ForestLink", "SeaLink")}
    assert kinds(Record(record.game, none)) == ["start", "draw"]


def test_a_game_that_ended_before_the_deal_is_verified() -> None:
    for proof in (begun(), next_link(begun(), SEA)):
        headers = {"Variant": "expert", **proof.headers()}
        assert overall(verify(Record(Game(UNKNOWN_START), headers))) is Verdict.RIGHT
        assert kinds(Record(Game(UNKNOWN_START, ["a1-a2"]), headers)) == ["start"]
        dealt = next_link(begun(), *TRIBES).deal()
        assert kinds(Record(Game(dealt), headers)) == ["start"]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("ForestNumber", "00" * 16, "a number is an anchor"),
        ("SeaNumber", "", "a number is an anchor"),
        ("SeaLink", "00", "not 32 bytes"),
        ("SeaLink", "00" * 32, "does not give the seat's number"),
    ],
)
def test_malformed_links_are_explained(name: str, value: str, sentence: str) -> None:
    headers = {"Variant": "expert", **next_link(begun(), *TRIBES).headers(), name: value}
    with pytest.raises(MalformedError, match=sentence):
        Proof.from_headers(headers)
