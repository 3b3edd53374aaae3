"""A short version of ``make prove-rules``, and a check that it finds differences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cairn import rulebook
from cairn.rulebook.leaving import is_exit
from cairn.rulebook.moment import Activation
from cairn.vocabulary import Space, Token, Tribe
from harness.implementations import CoreGame, RulebookGame, State
from harness.parity.batch import Batch
from harness.parity.comparison import Difference, first_difference, minimal, refusal_difference
from harness.parity.coverage import Tally, shortfalls
from harness.parity.progress import Progress
from harness.parity.report import Record
from harness.token_universe import plain_tokens, well_formed_tokens

MOMENTS = 20_000


@pytest.mark.slow
@pytest.mark.proof
def test_the_core_and_the_rulebook_agree() -> None:
    tally = Batch("pytest", MOMENTS).compare()
    assert tally["moments"] >= MOMENTS
    # Expect at least half the share of events that the full version expects, and each of the rarest at least once.
    assert shortfalls(tally, MOMENTS / 1_000_000 / 2) == []
    rarest = ("third arrival", "stop played", "end by no-action", "end by repetition", "win on the opponent's turn")
    assert [what for what in rarest if tally[what] == 0] == []


LOOP = "S1S1S/5/5/1F3/4F b3MD,c3CS DRAD (CDCGPSSA) wofm 0-0 F"
LOOP_TOKENS = ("b2-b3", "b3-c3", "c3-b3")


class NeverStops(CoreGame):
    """A core without the loop guard (P6)."""

    def state(self) -> State:
        shown = super().state()
        shown["legal"] = [token for token in shown["legal"] if token != "stop"]
        return shown


class AcceptsAnything(CoreGame):
    """A core that ignores illegal tokens instead of raising."""

    def push(self, token: Token) -> None:
        if token in self.game.legal_moves:
            super().push(token)


def test_a_planted_fault_is_found_and_minimised() -> None:
    found = first_difference(LOOP, LOOP_TOKENS, RulebookGame, NeverStops)
    assert found is not None
    assert "stop" in found.sentence
    smallest = minimal(found, (LOOP, LOOP_TOKENS), RulebookGame, NeverStops)
    assert smallest.tokens == LOOP_TOKENS
    assert smallest.position == "5/5/5/1F3/5 b3MD,c3CS ---- - wofm 0-0 F"
    assert smallest.position in str(smallest)
    assert "b2-b3 b3-c3 c3-b3" in str(smallest)


def no_exit_past_a_corner(tribe: Tribe, place: Space) -> bool:
    """Rule E1, misread as if the column mattered."""
    return is_exit(tribe, place) and 1 <= place.column <= 5


def no_third_arrival(moment: rulebook.Moment, activation: Activation) -> int:
    """Rule P6 without its limit."""
    arrival = (moment.setup.shamans[activation.space], moment.setup.megaliths[activation.space])
    return min(moment.activations.count(arrival), 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "misreading"),
    [
        ("cairn.rulebook.moving.is_exit", no_exit_past_a_corner),
        ("cairn.rulebook.activation._arrivals", no_third_arrival),
    ],
    ids=["E1", "P6"],
)
def test_a_misread_rule_is_found(place: str, misreading: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, misreading)
    with pytest.raises(Difference) as found:
        Batch("misread", MOMENTS).compare()
    again = first_difference(found.value.position, found.value.tokens)
    assert again is not None
    assert again.tokens == found.value.tokens
    monkeypatch.undo()
    assert first_difference(found.value.position, found.value.tokens) is None


def test_equal_implementations_have_no_difference() -> None:
    assert first_difference(LOOP, LOOP_TOKENS) is None
    whole_game = Difference(LOOP, LOOP_TOKENS, "appears only in the whole game")
    assert minimal(whole_game, (LOOP, LOOP_TOKENS)) is whole_game


def test_a_token_that_only_one_implementation_accepts_is_found() -> None:
    reference, careless = RulebookGame(LOOP), AcceptsAnything(LOOP)
    wrong = [token for token in plain_tokens() if token not in reference.legal()]
    assert refusal_difference((reference, CoreGame(LOOP)), wrong[:50]) is None
    sentence = refusal_difference((reference, careless), wrong)
    assert sentence is not None
    assert str(wrong[0]) in sentence


def test_missing_rare_events_are_reported_as_shortfalls() -> None:
    assert "third arrival: 0, expected 50 or more" in shortfalls(Tally())
    assert shortfalls(Tally(), share=0.0) == []


def test_the_universe_contains_every_token_once() -> None:
    texts = {str(token) for token in well_formed_tokens()}
    assert len(texts) == len(well_formed_tokens()) == 42_882


def test_a_record_is_written_as_markdown_and_json(tmp_path: Path) -> None:
    tally = Tally({"moments": 1_000_000, "third arrival": 77, "games": 5})
    Record("abc123", "make prove-rules", 1, "v3", 600.0, {"core": 12}, tally).write(tmp_path, "proof")
    text = (tmp_path / "proof.md").read_text(encoding="utf-8")
    assert "**1,000,000 moments compared, no difference.**" in text
    assert "| third arrival | 77 | 50 |" in text
    assert json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))["tally"] == tally


def test_progress_is_resumed_only_with_the_same_sources_and_seed(tmp_path: Path) -> None:
    path = tmp_path / "build" / "progress.json"
    Progress(path, seed=1, batch_size=10).finish(3, Tally(moments=10))
    again = Progress(path, seed=1, batch_size=10)
    assert again.batches == {3: {"moments": 10}}
    assert again.total() == {"moments": 10}
    assert Progress(path, seed=2, batch_size=10).batches == {}
