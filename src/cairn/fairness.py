"""Set-up tosses and draws that nobody can choose and anybody can check.

The server commits to a secret seed before the seats add numbers of their own; all of them together give the key from
which the start and every draw follow; at the end the seed is revealed. ``docs/fairness.md`` has the exact bytes, and
says who could cheat how.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import hmac
import random
import re
import secrets
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from typing import Any, Final, TypeVar

from cairn.board import Board
from cairn.notation import write_position
from cairn.record import Record
from cairn.rulebook import deal as deal_setup
from cairn.vocabulary import FOREST, TRIBES, Draw, Fault, MalformedError, Megalith, Phase, Tribe, Variant, tribe_of

SEED_BYTES: Final = 32
SHORTEST_NUMBER: Final = 16
"""In bytes. A seat that adds nothing has the empty number."""
LONGEST_NUMBER: Final = 32
COMMITMENT_TAG: Final = b"cairn commitment 1\n"
KEY_TAG: Final = b"cairn key 1\n"

Item = TypeVar("Item")

_HEX: Final = re.compile("(?:[0-9a-f]{2})*")


# --- From the seed to the tiles


def new_seed() -> bytes:
    """256 bits that nobody can guess."""
    return secrets.token_bytes(SEED_BYTES)


def commitment_of(seed: bytes, game: str) -> bytes:
    """What the server shows before anybody adds a number: it fixes the seed and does not tell it."""
    _require_seed(seed)
    return hashlib.sha256(COMMITMENT_TAG + _fields(seed, _encoded(game))).digest()


def key_of(seed: bytes, forest_number: bytes, sea_number: bytes, game: str) -> bytes:
    """The key that everything in a game is drawn by."""
    _require_seed(seed)
    for tribe, number in zip(TRIBES, (forest_number, sea_number), strict=True):
        if fault := _number_fault(number):
            raise ValueError(f"{_name(tribe)}'s number: {fault}")
    return hmac.digest(seed, KEY_TAG + _fields(forest_number, sea_number, _encoded(game)), hashlib.sha256)


def read_number(text: str) -> bytes:
    """The number that a seat adds, from its hexadecimal text; ``ValueError`` says what is wrong.

    >>> read_number("00112233445566778899aabbccddeeff").hex()
    '00112233445566778899aabbccddeeff'
    >>> read_number("")
    b''
    >>> read_number("0011")
    Traceback (most recent call last):
    ValueError: it has 2 bytes; a number has 16 to 32, or none
    """
    if not _HEX.fullmatch(text):
        raise ValueError("it is written with the digits 0-9 and a-f, two for each byte")
    number = bytes.fromhex(text)
    if fault := _number_fault(number):
        raise ValueError(fault)
    return number


def deal(key: bytes, variant: Variant, first: Tribe | None) -> str:
    """The start of a game, as text; without ``first`` it is tossed who begins (S1-S5).

    >>> deal(bytes(32), Variant.BEGINNER, None)
    'S1S1S/5/5/5/F1F1F b3CG,d3CD CSMD (ADDRPSSA) bofe 0-0 F'
    """
    setup = deal_setup(variant, KeyedRandom(key, "deal"))
    return write_position(dataclasses.replace(setup, active=first or setup.active))


def toss_tribes(seed: bytes, makers_number: bytes, others_number: bytes, game: str) -> Tribe:
    """Which tribe whoever made the challenge plays, where nobody chose.

    Nobody has a tribe yet, so that the numbers go into the key in the order in which they were added.

    >>> toss_tribes(bytes(32), bytes(16), bytes(16), "abc")
    <Tribe.SEA: 'sea'>
    """
    return KeyedRandom(key_of(seed, makers_number, others_number, game), "tribes").choice(TRIBES)


def draw(key: bytes, number: int, tiles: Sequence[Megalith]) -> Megalith:
    """Which of the ``tiles`` turns up at that draw of a game, counted from 0.

    The tiles are those that may come, in the order of their codes: :meth:`cairn.vocabulary.Deck.draws`.
    """
    return KeyedRandom(key, f"draw {number}").choice(tiles)


class KeyedRandom(random.Random):
    """Bits from HMAC-SHA-256 in counter mode: the same on every machine, and no way back to the key.

    How a number, a choice and a shuffle are made of the bits is written out here, for the stored games depend on it.
    Everything else that ``random.Random`` can do is made of ``random()``, and that is refused.
    """

    def __init__(self, key: bytes, purpose: str) -> None:
        super().__init__(0)
        self._key = key
        self._purpose = purpose
        self._blocks = 0

    def getrandbits(self, k: int, /) -> int:
        """The first bits of the next block."""
        block = hmac.digest(self._key, f"{self._purpose} {self._blocks}".encode(), hashlib.sha256)
        self._blocks += 1
        if k > 8 * len(block):
            raise ValueError(f"at most {8 * len(block)} bits at a time, not {k}")
        return int.from_bytes(block) >> (8 * len(block) - k)

    def random(self) -> float:
        """Nothing is drawn by fractions."""
        raise NotImplementedError("a keyed generator gives whole numbers only")

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound - 1``, each equally likely: blocks that give a greater one are passed over."""
        if bound < 1:
            raise ValueError(f"there is no number below {bound} to choose")
        while (number := self.getrandbits(bound.bit_length())) >= bound:
            pass
        return number

    def choice(self, seq: Sequence[Item]) -> Item:  # type: ignore[override]  # our sequences all have a length
        """One of them."""
        if not seq:
            raise IndexError("there is nothing to choose from")
        return seq[self.below(len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put them into another order: from the last place to the second, each swaps with one up to itself."""
        for last in range(len(x) - 1, 0, -1):
            other = self.below(last + 1)
            x[last], x[other] = x[other], x[last]


# --- The proof that a game carries


@dataclasses.dataclass(frozen=True, slots=True)
class Proof:
    """Everything that the draws of a game follow from. While it runs, the seed is known to the server alone.

    >>> proof = Proof.begin(bytes(32), "abc", Variant.BEGINNER, first=None)
    >>> proof.hidden().seed is None
    True
    """

    commitment: bytes
    seed: bytes | None = dataclasses.field(repr=False)
    """``None`` where it is not revealed. It is never shown by ``repr``, so that no log has it."""
    forest_number: bytes
    sea_number: bytes
    game: str
    """The game's id."""
    variant: Variant
    first: Tribe | None
    """Who begins, where that was chosen; ``None`` where it was tossed."""
    tossed: Tribe | None = None
    """The tribe that the toss gave to whoever made the challenge; ``None`` where the tribes were chosen."""

    @classmethod
    def begin(cls, seed: bytes, game: str, variant: Variant, first: Tribe | None) -> Proof:
        """The proof of a new game, to which no seat has added a number yet."""
        return cls(commitment_of(seed, game), seed, b"", b"", game, variant, first)

    def with_number(self, tribe: Tribe, number: bytes) -> Proof:
        """The proof after that seat added its number; ``ValueError`` if it is none, or the seat has one already."""
        if fault := _number_fault(number):
            raise ValueError(fault)
        name = "forest_number" if tribe is FOREST else "sea_number"
        if getattr(self, name):
            raise ValueError(f"{_name(tribe)} has added its number already")
        return dataclasses.replace(self, **{name: number})  # type: ignore[arg-type]  # a name of the two above

    def hidden(self) -> Proof:
        """The proof as everybody may see it while the game runs."""
        return dataclasses.replace(self, seed=None)

    @property
    def key(self) -> bytes:
        """The key that everything is drawn by: a secret like the seed. ``ValueError`` if the seed is not known."""
        if self.seed is None:
            raise ValueError("the seed is not revealed")
        return key_of(self.seed, self.forest_number, self.sea_number, self.game)

    def deal(self) -> str:
        """The start of the game."""
        return deal(self.key, self.variant, self.first)

    def toss_tribes(self) -> Tribe:
        """Which tribe the toss gives to whoever made the challenge, if that is who plays the tribe in ``tossed``."""
        if self.seed is None or self.tossed is None:
            raise ValueError("the seed is not revealed, or the tribes were not tossed")
        numbers = (self.forest_number, self.sea_number)
        makers, others = numbers if self.tossed is FOREST else numbers[::-1]
        return toss_tribes(self.seed, makers, others, self.game)

    def headers(self) -> dict[str, str]:
        """The headers of a record that carry the proof, beside ``Variant``; ``Seed`` only where it is revealed."""
        headers = {"Game": self.game, "Commitment": self.commitment.hex()}
        if self.seed is not None:
            headers["Seed"] = self.seed.hex()
        headers |= {"ForestNumber": self.forest_number.hex(), "SeaNumber": self.sea_number.hex()}
        if self.first:
            headers["First"] = self.first.letter
        if self.tossed:
            headers["Tossed"] = self.tossed.letter
        return headers

    @classmethod
    def from_headers(cls, headers: Mapping[str, str]) -> Proof | None:
        """The proof that a record carries, or ``None``; :class:`~cairn.MalformedError` names what is wrong with it."""
        if not {"Commitment", "Seed", "ForestNumber", "SeaNumber"} & headers.keys():
            return None
        if faults := list(_header_faults(headers)):
            raise MalformedError(faults)
        return cls(
            commitment=bytes.fromhex(headers["Commitment"]),
            seed=bytes.fromhex(headers["Seed"]) if "Seed" in headers else None,
            forest_number=read_number(headers["ForestNumber"]),
            sea_number=read_number(headers["SeaNumber"]),
            game=headers["Game"],
            variant=Variant(headers["Variant"]),
            first=tribe_of(headers["First"]) if "First" in headers else None,
            tossed=tribe_of(headers["Tossed"]) if "Tossed" in headers else None,
        )


# --- Checking


class Verdict(enum.Enum):
    """What a check came to."""

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "open"
    """Nobody can tell, or not yet."""


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked."""

    kind: str
    """A slug for programs: ``no-proof``, ``proof``, ``seed``, ``commitment``, ``numbers``, ``tribes``, ``start`` or
    ``draw``."""
    verdict: Verdict
    sentence: str
    """What was found, for people."""

    def __str__(self) -> str:
        return self.sentence


def verify(record: Record) -> list[Finding]:
    """Check a record's commitment, tosses, start and draws. What each came to is said in a sentence."""
    try:
        proof = Proof.from_headers(record.headers)
    except MalformedError as error:
        return [Finding("proof", Verdict.WRONG, f"The proof cannot be read. {fault}.") for fault in error.faults]
    if proof is None:
        sentence = "The record carries no proof: without a commitment and a seed nobody can check its draws."
        return [Finding("no-proof", Verdict.OPEN, sentence)]
    if proof.seed is None:
        return [_hidden_seed(record)]
    return [_commitment(proof), _numbers(proof), *_tribes(proof), _start(proof, record), *_draws(proof.key, record)]


def overall(findings: Sequence[Finding]) -> Verdict:
    """Wrong if anything is, else open if anything is or nothing was checked, else right."""
    verdicts = {finding.verdict for finding in findings}
    for verdict in (Verdict.WRONG, Verdict.OPEN, Verdict.RIGHT):
        if verdict in verdicts:
            return verdict
    return Verdict.OPEN


def _hidden_seed(record: Record) -> Finding:
    if record.game.outcome is None:
        sentence = "The game is still running: its seed is revealed when it ends, and can be checked then."
    else:
        sentence = "The game is over, but this record does not reveal the seed, so that nothing can be checked."
    return Finding("seed", Verdict.OPEN, sentence)


def _commitment(proof: Proof) -> Finding:
    if proof.seed is not None and proof.commitment == commitment_of(proof.seed, proof.game):
        sentence = f"The seed is the one that the server committed to with {proof.commitment.hex()}."
        return Finding("commitment", Verdict.RIGHT, sentence)
    sentence = f"The seed is not the one that the server committed to with {proof.commitment.hex()}."
    return Finding("commitment", Verdict.WRONG, sentence)


def _numbers(proof: Proof) -> Finding:
    added = [
        f"{_name(tribe)} added {number.hex()}" if number else f"{_name(tribe)} added none"
        for tribe, number in zip(TRIBES, (proof.forest_number, proof.sea_number), strict=True)
    ]
    if proof.forest_number or proof.sea_number:
        return Finding("numbers", Verdict.RIGHT, f"Numbers of the seats: {added[0]}, {added[1]}.")
    sentence = "Neither seat added a number, so that the server alone could have chosen a seed to its liking."
    return Finding("numbers", Verdict.OPEN, sentence)


def _tribes(proof: Proof) -> Iterator[Finding]:
    """The toss of tribes, if there was one."""
    if proof.tossed is None:
        return
    got = f"whoever made the challenge got {_name(proof.tossed)}"
    if proof.toss_tribes() is proof.tossed:
        yield Finding("tribes", Verdict.RIGHT, f"The tribes were tossed: {got}, as it had to be.")
    else:
        sentence = f"The tribes are not as they were tossed: {got}, and it had to be {_name(proof.tossed.enemy)}."
        yield Finding("tribes", Verdict.WRONG, sentence)


def _start(proof: Proof, record: Record) -> Finding:
    started, dealt = record.game.start_text, proof.deal()
    begins = f"{_name(proof.first)} begins, as was chosen" if proof.first else "who begins was tossed"
    if started == dealt:
        return Finding("start", Verdict.RIGHT, f"The start is the one that was dealt ({begins}).")
    sentence = f"The start is not the one that was dealt ({begins}): the game starts with {started}, dealt was {dealt}."
    return Finding("start", Verdict.WRONG, sentence)


def _draws(key: bytes, record: Record) -> Iterator[Finding]:
    """Every drawn tile, by replaying the game. Draws are never taken back, so that the record has them all."""
    board, turn, number = Board(record.game.start_text), 0, 0
    for token in record.game.tokens:
        turn += board.phase is Phase.ACTION
        if isinstance(token, Draw):
            expected = draw(key, number, board.setup.deck.draws())
            number += 1
            place = f"Draw {number}, in turn {turn}"
            if token.tile is expected:
                yield Finding("draw", Verdict.RIGHT, f"{place}: {expected.name} ({expected}), as it had to be.")
            else:
                drawn = f"{token.tile.name} ({token.tile})"
                sentence = f"{place}: {drawn} was drawn, and it had to be {expected.name} ({expected})."
                yield Finding("draw", Verdict.WRONG, sentence)
        board.push(token)
    if not number:
        yield Finding("draw", Verdict.RIGHT, "No tile was drawn.")


# --- What is written in headers


def _header_faults(headers: Mapping[str, str]) -> Iterator[Fault]:
    for name in ("Game", "Commitment", "ForestNumber", "SeaNumber", "Variant"):
        if name not in headers:
            yield Fault("missing-header", name, "this header is missing")
    if headers.get("Game") == "":
        yield Fault("bad-game", "Game", "it is empty")
    for name in ("Commitment", "Seed"):
        text = headers.get(name)
        if text is not None and not (_HEX.fullmatch(text) and len(text) == 64):
            yield Fault("bad-bytes", name, "it is not 32 bytes, written with 64 of the digits 0-9 and a-f")
    for name in ("ForestNumber", "SeaNumber"):
        try:
            read_number(headers.get(name, ""))
        except ValueError as error:
            yield Fault("bad-number", name, str(error))
    variants = [each.value for each in Variant]
    if headers.get("Variant", variants[0]) not in variants:
        yield Fault("bad-variant", "Variant", f"{headers['Variant']!r} is not one of {' '.join(variants)}")
    for name in ("First", "Tossed"):
        yield from _tribe_faults(name, headers.get(name, "F"))


def _tribe_faults(name: str, letter: str) -> Iterator[Fault]:
    if letter not in ("F", "S"):
        yield Fault(f"bad-{name.lower()}", name, f"{letter!r} is neither F nor S")


def _fields(*parts: bytes) -> bytes:
    """Each part after its length, so that no two lists of parts give the same bytes."""
    return b"".join(len(part).to_bytes(4) + part for part in parts)


def _encoded(game: str) -> bytes:
    if not game:
        raise ValueError("a game has an id")
    return game.encode()


def _require_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


def _number_fault(number: bytes) -> str | None:
    if not number or SHORTEST_NUMBER <= len(number) <= LONGEST_NUMBER:
        return None
    return f"it has {len(number)} bytes; a number has {SHORTEST_NUMBER} to {LONGEST_NUMBER}, or none"


def _name(tribe: Tribe) -> str:
    return tribe.value.capitalize()
