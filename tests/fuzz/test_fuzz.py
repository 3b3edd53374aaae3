"""A short, deterministic run of each fuzz target; ``make fuzz`` runs them for longer."""

from __future__ import annotations

import random

import pytest

from harness.fuzz.corpus import WORDS, seeds
from harness.fuzz.mutation import mutated
from harness.fuzz.targets import TARGETS

ROUNDS = {"position": 3000, "token": 1500, "record": 800, "protocol": 300}


@pytest.mark.parametrize("name", TARGETS)
def test_the_target_accepts_its_corpus(name: str) -> None:
    for seed in seeds(name):
        TARGETS[name](seed)


@pytest.mark.parametrize("name", TARGETS)
def test_the_target_survives_random_mutations(name: str) -> None:
    chance = random.Random(name)
    for _ in range(ROUNDS[name]):
        TARGETS[name](mutated(chance.choice(seeds(name)), seeds(name), WORDS[name], chance))


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("data", [b"", b"\x00", b"\n" * 50, b"\xff\xfe\x00", b"[" * 999, b"{" * 999, b" " * 999])
def test_the_target_survives_odd_bytes(name: str, data: bytes) -> None:
    TARGETS[name](data)
