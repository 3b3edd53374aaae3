"""The test vectors in ``tests/data``, and for each kind, a function that checks an implementation against a vector.

Every check returns the number of facts that it compared. It raises ``AssertionError`` if the implementation does not
reproduce the vector exactly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cairn.notation import read_token
from cairn.vocabulary import Fault, MalformedError
from harness.implementations import Implementation, RulebookGame, State, played

DATA: Final = Path(__file__).parents[1] / "tests" / "data"
SHOWN_KEYS: Final = ("board", "phase", "decider", "legal", "winner")
MOST_LEAVES: Final = 2_000
"""The largest perft count to check with the rulebook, which is slow. The core is checked with all counts."""

Vector = Mapping[str, Any]


def read_vectors(kind: str) -> list[Vector]:
    """Return every vector in ``tests/data/<kind>.jsonl``."""
    with (DATA / f"{kind}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def replay_game(make: type[Implementation], vector: Vector) -> int:
    """Replay a game and compare the state after every token."""
    game = make(vector["position"])
    position, since = vector["position"], list[str]()
    _expect(game.state(), vector["start"], position, since)
    for ply in vector["plies"]:
        game.push(read_token(ply["token"]))
        # A turn begins with an action; a token that ends the game belongs to the last turn.
        position, since = (ply["board"], []) if ply["phase"] == "action" else (position, [*since, ply["token"]])
        _expect(game.state(), ply, position, since)
    return 1 + len(vector["plies"])


def replay_power(make: type[Implementation], vector: Vector) -> int:
    """Compare the choices that a power offers and the state after each choice."""
    _expect(played(make, vector["position"], vector["tokens"]).state(), vector)
    for choice in vector["choices"]:
        game = played(make, vector["position"], [*vector["tokens"], choice["token"]])
        _expect(game.state(), choice)
    return 1 + len(vector["choices"])


def replay_special(make: type[Implementation], vector: Vector) -> int:
    """Compare a rare state."""
    _expect(played(make, vector["position"], vector["tokens"]).state(), vector)
    return 1


def count_sequences(make: type[Implementation], vector: Vector) -> int:
    """Compare the number of token sequences of each length from a position."""
    counts = vector["perft"]
    if make is RulebookGame:
        counts = [count for count in counts if count <= MOST_LEAVES]
    start = make(vector["position"])
    assert start.perft(0) == 1
    assert [start.perft(length) for length in range(1, len(counts) + 1)] == counts
    return len(counts)


def reject(make: type[Implementation], vector: Vector) -> int:
    """Check that an invalid position is rejected, with a fault in the right field."""
    faults: Sequence[Fault] = ()
    try:
        make(vector["text"])
    except MalformedError as error:
        faults = error.faults
    fields = [fault.field for fault in faults]
    assert vector["at"] in fields, f"{vector['text']!r}: expected a fault in {vector['at']}, not {faults}"
    return 1


REPLAYS: Final[dict[str, Callable[[type[Implementation], Vector], int]]] = {
    "games": replay_game,
    "powers": replay_power,
    "special": replay_special,
    "perft": count_sequences,
    "reject": reject,
}


def name_of(vector: Vector) -> str:
    """A short name for a vector."""
    if "why" in vector:
        return ", ".join(vector["why"])
    for key in ("tile", "variant", "position", "text"):
        if key in vector:
            return str(vector[key])
    raise ValueError("the vector has no name")


def _expect(found: State, expected: Vector, position: str | None = None, tokens: list[str] | None = None) -> None:
    """Compare a state with a vector, including the start of the turn and its tokens if they are given."""
    shown: Vector = found
    assert {key: shown[key] for key in SHOWN_KEYS} == {key: expected[key] for key in SHOWN_KEYS}
    if position is not None:
        assert (found["position"], found["tokens"]) == (position, tokens)
