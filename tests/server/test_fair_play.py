"""Neither player can keep the other from deciding, gain time, or make the log grow without bound."""

from __future__ import annotations

import datetime

import pytest

from cairn.server.errors import Refusal
from cairn.server.game.clocks import DAY, LAG_CAP, Correspondence, TimeControl
from cairn.server.game.commands import Answer, Claim, Command, Confirm, Offer, Play, Undo
from cairn.server.game.decide import Context, decide, end_if_abandoned, fallen_flag
from cairn.server.game.events import GameEnded
from cairn.server.game.seats import Seat
from cairn.server.game.state import GameState
from cairn.vocabulary import FOREST, SEA
from harness.server.client import CHAIN, START
from harness.server.plain_game import BLITZ, PlainGame, online_header

SPRING = "S3S/5/5/1F3/4F b3PS DRMD - wofm 0-0 F"
"""A position in which Forest gets another turn after b2-b3, so that it can undo without asking Sea."""


def taking_back(game: PlainGame, revision: int | None = None) -> Offer:
    return Offer(revision=game.revision if revision is None else revision, what="takeback")


def undo_and_replay(game: PlainGame, token: str = "b2-b3") -> None:
    game.do(Undo(revision=game.revision), FOREST)
    game.play(token)


# --- Staleness


def test_offers_never_make_a_decision_stale() -> None:
    game = PlainGame(online_header(START))
    game.play("a1-a2", "a5-b4")
    seen = game.revision
    for _ in range(3):
        game.do(taking_back(game), SEA)
        game.do(Answer(revision=game.revision, answer="withdraw"), SEA)
    assert game.revision == seen + 6
    game.play("c1-c2", revision=seen, hold=True)
    seen = game.revision
    game.do(Offer(revision=seen, what="draw"), SEA)
    game.do(Confirm(revision=seen), FOREST)
    assert game.state.held is None


def test_an_offer_does_not_make_an_undo_or_another_offer_stale() -> None:
    game = PlainGame(online_header(START))
    game.play("a1-a2", hold=True)
    seen = game.revision
    game.do(Offer(revision=seen, what="draw"), SEA)
    game.do(Offer(revision=seen, what="takeback"), FOREST)
    game.do(Undo(revision=seen), FOREST)
    assert game.state.steps == []


def test_a_pause_does_not_make_a_command_stale() -> None:
    game = PlainGame(online_header(START))
    game.do(Offer(revision=0, what="draw"), SEA)
    game.pause(3)
    game.do(Answer(revision=1, answer="decline"), FOREST)
    game.play("a1-a2", revision=0)


@pytest.mark.parametrize(
    "command",
    [
        Play(revision=0, tribe="sea", token="a5-b4"),
        Undo(revision=0),
        Confirm(revision=0),
        Offer(revision=0, what="draw"),
        Offer(revision=0, what="takeback"),
        Claim(revision=0),
    ],
)
def test_a_token_makes_commands_for_an_earlier_revision_stale(command: Command) -> None:
    game = PlainGame(online_header(START))
    game.play("a1-a2")
    assert game.refusal(command, SEA) == "stale-revision"


def test_undoing_and_confirming_make_commands_for_an_earlier_revision_stale() -> None:
    game = PlainGame(online_header(START))
    game.play("a1-a2", hold=True)
    game.do(Undo(revision=1), FOREST)
    assert game.refusal(Play(revision=1, tribe="forest", token="a1-a2"), FOREST) == "stale-revision"
    game.play("a1-a2", hold=True)
    game.do(Confirm(revision=3), FOREST)
    assert game.refusal(Play(revision=3, tribe="sea", token="a5-b4"), SEA) == "stale-revision"
    assert game.refusal(Play(revision=99, tribe="sea", token="a5-b4"), SEA) == "stale-revision"


def test_an_answer_is_stale_only_if_its_sender_had_not_seen_the_offer() -> None:
    game = PlainGame(online_header(START))
    game.play("a1-a2")
    seen = game.revision
    game.do(Offer(revision=seen, what="draw"), FOREST)
    for answer in ("accept", "decline"):
        assert game.refusal(Answer(revision=seen, answer=answer), SEA) == "stale-revision"
    assert game.refusal(Answer(revision=seen, answer="withdraw"), FOREST) == "stale-revision"
    game.do(Offer(revision=seen, what="draw"), SEA)  # now both have offered a draw
    assert game.state.game.outcome is not None


def test_an_answer_stays_valid_if_only_the_board_has_changed_since_the_offer() -> None:
    game = PlainGame(online_header(CHAIN))
    game.do(Offer(revision=0, what="draw"), FOREST)
    game.play("a1-c3")  # Forest plays on, and its offer stands
    game.do(Answer(revision=1, answer="accept"), SEA)
    assert game.state.game.outcome is not None


def test_an_answer_to_an_offer_that_was_replaced_is_stale() -> None:
    game = PlainGame(online_header(START))
    game.play("a1-a2")
    game.do(taking_back(game), FOREST)
    seen = game.revision
    game.do(Offer(revision=seen, what="draw"), FOREST)
    assert game.refusal(Answer(revision=seen, answer="accept"), SEA) == "stale-revision"
    game.do(Answer(revision=game.revision, answer="accept"), SEA)


# --- Limits per turn


def ask_three_times(game: PlainGame) -> None:
    for _ in range(3):
        game.do(taking_back(game), SEA)
        game.do(Answer(revision=game.revision, answer="decline"), FOREST)
    with pytest.raises(Refusal, match="3 times") as refused:
        game.do(taking_back(game), SEA)
    assert (refused.value.status, refused.value.kind) == (409, "offered-already")


def test_a_takeback_can_be_requested_at_most_three_times_in_a_turn() -> None:
    game = PlainGame(online_header(START))
    game.play("a1-a2", "a5-b4")
    ask_three_times(game)
    game.play("c1-c2", "e5-d4")
    ask_three_times(game)


def test_taking_back_does_not_restore_the_right_to_make_offers() -> None:
    game = PlainGame(online_header(START))
    game.play("a1-a2", "a5-b4")
    game.do(Offer(revision=2, what="draw"), FOREST)
    game.do(Answer(revision=3, answer="decline"), SEA)
    for _ in range(3):  # Forest agrees each time, and Sea plays the same token again
        game.do(taking_back(game), SEA)
        game.do(Answer(revision=game.revision, answer="accept"), FOREST)
        game.play("a5-b4")
    for state in (game.state, GameState.replay(game.stored())):
        for command, tribe in ((taking_back(game), SEA), (Offer(revision=game.revision, what="draw"), FOREST)):
            with pytest.raises(Refusal) as refused:
                decide(state, command, tribe, Context(game.now, chance=None))  # type: ignore[arg-type]  # not used
            assert refused.value.kind == "offered-already"


def test_a_player_can_undo_at_most_twenty_times_in_a_turn() -> None:
    game = PlainGame(online_header(START))
    for _ in range(20):
        game.play("a1-a2", hold=True)
        game.do(Undo(revision=game.revision), FOREST)
    game.play("a1-a2", hold=True)
    with pytest.raises(Refusal, match="20 times") as refused:
        game.do(Undo(revision=game.revision), FOREST)
    assert (refused.value.status, refused.value.kind) == (409, "too-many-undos")
    again = GameState.replay(game.stored())
    with pytest.raises(Refusal, match="20 times"):
        decide(again, Undo(revision=game.revision), FOREST, Context(game.now, chance=None))  # type: ignore[arg-type]
    game.do(Confirm(revision=game.revision), FOREST)
    game.play("a5-b4", hold=True)
    game.do(Undo(revision=game.revision), SEA)  # the other player's limit is separate
    game.play("a5-b4", "c1-c2", hold=False)
    assert game.state.turn == 4


def test_an_extra_turn_does_not_double_the_undo_limit() -> None:
    game = PlainGame(online_header(SPRING))
    game.play("b2-b3")
    for _ in range(20):
        undo_and_replay(game)
    assert game.refusal(Undo(revision=game.revision), FOREST) == "too-many-undos"
    assert game.refusal(Undo(revision=game.revision, scope="turn"), FOREST) == "too-many-undos"


# --- Time


@pytest.mark.parametrize("loops", [1, 20])
def test_a_turn_that_is_undone_and_played_again_earns_only_one_increment(loops: int) -> None:
    game = PlainGame(online_header(SPRING))
    game.play("b2-b3")
    assert game.state.clock is not None
    assert (game.state.clock.forest, game.state.clock.running) == (62_000, FOREST)
    for _ in range(loops):
        undo_and_replay(game)
    for state in (game.state, GameState.replay(game.stored())):
        assert state.clock is not None
        assert (state.clock.forest, state.clock.sea) == (62_000, 60_000)
    game.play("e1-d2")
    assert game.state.clock.forest == 64_000  # the next turn has its own increment


def test_a_confirmed_turn_that_is_taken_back_earns_only_one_increment() -> None:
    game = PlainGame(online_header(START))
    for _ in range(3):
        game.play("a1-a2", hold=True)
        game.do(Confirm(revision=game.revision), FOREST)
        game.do(taking_back(game), FOREST)
        game.do(Answer(revision=game.revision, answer="accept"), SEA)
    assert game.state.clock is not None
    assert (game.state.clock.forest, game.state.clock.sea) == (62_000, 60_000)


def test_replaying_a_turn_of_a_correspondence_game_does_not_renew_the_time() -> None:
    game = PlainGame(online_header(SPRING, Correspondence(3)))
    game.wait(2 * 86_400)
    game.play("b2-b3")
    assert game.state.clock is not None
    assert game.state.clock.forest == 3 * DAY
    game.wait(2 * 86_400)
    undo_and_replay(game)
    for state in (game.state, GameState.replay(game.stored())):
        assert state.clock is not None
        assert state.clock.forest == DAY
    game.play("e1-d2")
    assert game.state.clock.forest == 3 * DAY


def test_each_tribe_can_earn_the_increment_for_a_turn_that_changes_hands() -> None:
    """At first, turn 2 is Forest's. After turn 1 is taken back and played differently, turn 2 is Sea's."""
    game = PlainGame(online_header(SPRING))
    game.play("b2-b3", "e1-d2")
    game.do(taking_back(game), FOREST)
    game.do(Answer(revision=game.revision, answer="accept"), SEA)
    game.do(Undo(revision=game.revision), FOREST)
    game.play("e1-e2", "a5-b4")
    assert game.state.clock is not None
    assert [step.active for step in game.state.steps] == ["forest", "sea"]
    assert (game.state.clock.forest, game.state.clock.sea) == (64_000, 62_000)


@pytest.mark.parametrize("control", [BLITZ, Correspondence(1)])
def test_a_takeback_can_be_accepted_while_the_movers_token_may_still_arrive(control: TimeControl) -> None:
    """The flag does not fall until the lag compensation has run out. Until then, the opponent's commands count."""
    game = PlainGame(online_header(START, control))
    game.play("a1-a2", "a5-b4")
    game.do(taking_back(game), FOREST)
    assert game.state.clock is not None
    game.now = datetime.datetime.fromtimestamp((game.state.deadline or 0) / 1_000, datetime.UTC)
    game.wait((LAG_CAP - 1) / 1_000)
    game.do(Answer(revision=game.revision, answer="accept"), SEA)
    assert (game.state.clock.running, game.state.clock.forest) == (FOREST, 0)
    assert GameState.replay(game.stored()).clock == game.state.clock


def test_a_token_that_replaces_an_undone_one_earns_no_lag_compensation() -> None:
    game = PlainGame(online_header(START))

    def play(token: str) -> None:
        game.wait(0.3)
        game.do(Play(revision=game.revision, tribe="forest", token=token, hold=True, lag=LAG_CAP), FOREST)

    for _ in range(10):
        play("a1-a2")
        game.do(Undo(revision=game.revision), FOREST)
    assert game.state.clock is not None
    assert game.state.clock.forest == 60_000 - 9 * 300
    assert GameState.replay(game.stored()).clock == game.state.clock
    late = datetime.datetime.fromtimestamp((game.state.deadline or 0) / 1_000, datetime.UTC)
    token = Play(revision=game.revision, tribe="forest", token="a1-a2", lag=LAG_CAP)
    assert fallen_flag(game.state, late, token, FOREST) is not None
    play("a1-a2")
    game.do(Confirm(revision=game.revision), FOREST)
    game.play("a5-b4")
    assert game.state.clock.forest == 60_000 - 10 * 300 + 2_000
    play("c1-c2")  # in the next turn, lag is compensated again
    assert game.state.clock.forest == 60_000 - 10 * 300 + 2_000


# --- Claims


def claim(game: PlainGame, *, days: float, away: bool, down: float = 0) -> None:
    at, downtime = game.now + datetime.timedelta(days=days), datetime.timedelta(days=down)
    away_since = game.now if away else None
    decide(game.state, Claim(), SEA, Context(at, None, away_since, downtime))  # type: ignore[arg-type]


@pytest.mark.parametrize("away", [True, False])
def test_a_game_without_a_clock_can_be_claimed_after_three_days_without_a_decision(away: bool) -> None:
    game = PlainGame(online_header(START, None))
    with pytest.raises(Refusal) as refused:
        claim(game, days=2.99, away=away)
    assert refused.value.kind == "not-abandoned"
    claim(game, days=3, away=away)
    assert game.state.game.outcome is not None
    assert (game.state.game.outcome.winner, game.state.game.outcome.reason.value) == (SEA, "abandoned")


def test_time_in_which_the_server_was_down_postpones_a_claim() -> None:
    game = PlainGame(online_header(START, None))
    with pytest.raises(Refusal):
        claim(game, days=4, away=True, down=1.01)
    claim(game, days=4, away=True, down=1)
    assert game.state.game.outcome is not None


def test_an_offer_does_not_postpone_a_claim() -> None:
    game = PlainGame(online_header(START, None))
    game.wait(2 * 86_400)
    game.do(Offer(revision=0, what="draw"), FOREST)
    claim(game, days=1, away=False)
    assert game.state.game.outcome is not None


def test_only_a_person_loses_a_rated_game_without_a_clock_by_not_deciding() -> None:
    header = online_header(START, None, rated=True, sea=Seat("computer", 1))
    waits_for_person, waits_for_computer = PlainGame(header), PlainGame(header)
    waits_for_computer.play("a1-a2")
    late, never = header.created + datetime.timedelta(days=20), datetime.timedelta()
    assert end_if_abandoned(waits_for_computer.state, late, never) == []
    assert end_if_abandoned(waits_for_person.state, late, datetime.timedelta(days=7)) == []
    assert end_if_abandoned(waits_for_person.state, late, never) == [GameEnded("sea", "abandoned")]


def test_a_game_against_the_computer_cannot_be_claimed() -> None:
    game = PlainGame(online_header(START, None, sea=Seat("computer", 1)))
    with pytest.raises(Refusal) as refused:
        decide(game.state, Claim(), FOREST, Context(game.now, chance=None))  # type: ignore[arg-type]
    assert refused.value.kind == "computer-opponent"
