"""Every implementation of the rules reproduces the test vectors exactly."""

from __future__ import annotations

import pytest

from harness.implementations import IMPLEMENTATIONS, Implementation
from harness.vectors import REPLAYS, Vector, name_of, read_vectors

VECTORS = [
    pytest.param(kind, vector, id=f"{kind}-{name_of(vector)}") for kind in REPLAYS for vector in read_vectors(kind)
]


@pytest.mark.parametrize("make", IMPLEMENTATIONS.values(), ids=IMPLEMENTATIONS)
@pytest.mark.parametrize(("kind", "vector"), VECTORS)
def test_an_implementation_reproduces_a_vector(make: type[Implementation], kind: str, vector: Vector) -> None:
    assert REPLAYS[kind](make, vector) > 0


def test_there_are_vectors_of_every_kind() -> None:
    assert {kind: len(read_vectors(kind)) for kind in REPLAYS} == {
        "games": 54,
        "powers": 136,
        "special": 63,
        "perft": 132,
        "reject": 46,
    }
