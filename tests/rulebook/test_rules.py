"""Single rules, cited by number."""

from __future__ import annotations

import random

import pytest

from cairn import rulebook
from cairn.notation import read_position, read_token, write_position
from cairn.vocabulary import (
    FOREST,
    SEA,
    STONE_CIRCLES,
    GameOverError,
    IllegalTokenError,
    MalformedError,
    Outcome,
    Phase,
    Reason,
    Variant,
)

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
NO_ACTION = "5/5/5/3S1/2SFS - ---- - wofm 0-0 F"


def after(position: str, tokens: str) -> rulebook.Moment:
    moment = rulebook.begin(read_position(position))
    for token in tokens.split():
        moment = rulebook.play(moment, read_token(token))
    return moment


def legal(moment: rulebook.Moment) -> list[str]:
    return [str(token) for token in rulebook.legal_tokens(moment)]


class TestSetup:
    @pytest.mark.parametrize("variant", Variant)
    def test_a_deal_is_a_valid_position_with_all_tiles_of_the_variant(self, variant: Variant) -> None:
        for seed in range(20):
            setup = rulebook.deal(variant, random.Random(seed))
            assert read_position(write_position(setup)) == setup
            tiles = [*setup.megaliths.values(), *setup.upcoming, *setup.deck.unknown]
            assert len(tiles) == len(variant.megaliths)
            assert set(tiles) == set(variant.megaliths)
            assert tuple(setup.megaliths) == STONE_CIRCLES
            assert setup.deck.known == ()
            assert setup.village(FOREST) == setup.village(SEA) == 2
            assert rulebook.begin(setup).phase is Phase.ACTION

    def test_the_beginner_variant_starts_with_chaos_and_dawn(self) -> None:
        for seed in range(20):
            setup = rulebook.deal(Variant.BEGINNER, random.Random(seed))
            assert [f"{space}{tile}" for space, tile in setup.megaliths.items()] == ["b3CG", "d3CD"]

    def test_faces_and_first_player_are_random(self) -> None:
        deals = [rulebook.deal(Variant.STANDARD, random.Random(seed)) for seed in range(200)]
        assert len({str(setup.faces) for setup in deals}) == 16
        assert {setup.active for setup in deals} == {FOREST, SEA}


class TestPlaying:
    def test_playing_does_not_change_the_earlier_moment(self) -> None:
        before = rulebook.begin(read_position(START))
        rulebook.play(before, read_token("a1-a2"))
        assert before == rulebook.begin(read_position(START))

    def test_an_illegal_token_says_what_was_expected(self) -> None:
        with pytest.raises(
            IllegalTokenError, match=r"a1-a3 .* phase is action and forest decides; expected \+d1, a1-a2"
        ):
            after(START, "a1-a3")

    def test_an_illegal_draw_says_that_chance_decides(self) -> None:
        with pytest.raises(IllegalTokenError, match=r"phase is draw and chance decides; expected \?AD or \?CS$"):
            after("S1F1S/5/5/5/F3F - DRMD (ADCS) wofm 0-0 F", "c5-out =DR ?SA")

    def test_a_token_after_the_end_is_rejected(self) -> None:
        with pytest.raises(GameOverError, match="sea won, no-action, G2"):
            after(NO_ACTION, "d1-d2")

    def test_begin_rejects_invalid_positions(self) -> None:
        won = after("2F2/5/4S/5/5 d3FC DRMD (ADCS) wofm 2-0 S", "e3-d3 c5-out =DR").setup
        with pytest.raises(MalformedError, match="forest has 3"):
            rulebook.begin(won)

    def test_turn_start_and_tokens_are_kept_during_a_turn(self) -> None:
        position = "S1S1S/2F2/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) woem 0-0 F"
        moment = after(position, "c4-out =DR")
        assert write_position(moment.turn_start) == position
        assert [str(token) for token in moment.tokens] == ["c4-out", "=DR"]
        moment = after(position, "c4-out =DR ?AD")
        assert moment.turn_start == moment.setup
        assert moment.tokens == ()

    def test_turn_start_and_tokens_are_kept_after_a_win(self) -> None:
        position = "2F2/5/4S/5/5 d3FC DRMD (ADCS) wofm 2-0 S"
        moment = after(position, "e3-d3 c5-out =DR")
        assert moment.outcome == Outcome(FOREST, Reason.SCORE)
        assert write_position(moment.turn_start) == position
        assert len(moment.tokens) == 3


class TestNoAction:
    """A player without an action loses (T1, G2)."""

    def test_a_game_can_be_over_from_the_start(self) -> None:
        moment = rulebook.begin(read_position(NO_ACTION))
        assert moment.phase is Phase.OVER
        assert moment.decider is None
        assert moment.outcome == Outcome(SEA, Reason.NO_ACTION)
        assert legal(moment) == []
        assert (moment.turn_start, moment.tokens) == (moment.setup, ())

    def test_turn_start_and_tokens_are_kept_after_a_loss(self) -> None:
        position = "5/5/4S/5/2SFS - ---- - wdfm 0-0 S"
        moment = after(position, "e3-d2")
        assert write_position(moment.setup) == NO_ACTION
        assert moment.outcome == Outcome(SEA, Reason.NO_ACTION)
        assert write_position(moment.turn_start) == position
        assert [str(token) for token in moment.tokens] == ["e3-d2"]

    def test_a_single_action_is_enough(self) -> None:
        assert legal(rulebook.begin(read_position("5/5/5/3S1/3FS - ---- - wofm 0-0 F"))) == ["d1-c1"]

    def test_an_extra_turn_without_an_action_loses(self) -> None:
        moment = after("5/5/5/3SF/2S1S d1PS ---- - wdfm 0-0 F", "e2-d1")
        assert moment.outcome == Outcome(SEA, Reason.NO_ACTION)
        assert moment.setup.active is FOREST


class TestRepetition:
    """The third occurrence of a position is a draw (G3)."""

    CYCLE = ("a1-a2", "a5-b4", "a2-a1", "b4-a5")

    def test_the_third_occurrence_is_a_draw(self) -> None:
        game = rulebook.ReferenceGame(read_position(START))
        for token in (*self.CYCLE, *self.CYCLE[:3]):
            game.play(read_token(token))
            assert game.outcome is None
        last_turn = game.moment.turn_start
        game.play(read_token(self.CYCLE[3]))
        assert game.outcome == Outcome(None, Reason.REPETITION)
        assert (game.phase, game.decider, game.legal_tokens()) == (Phase.OVER, None, [])
        assert write_position(game.moment.setup) == START
        assert game.moment.turn_start == last_turn
        assert [str(token) for token in game.moment.tokens] == ["b4-a5"]
        assert len(game.moments) == 9
        assert write_position(game.start) == START
        with pytest.raises(GameOverError, match="drawn, repetition, G3"):
            game.play(read_token("a1-a2"))

    def test_an_illegal_token_does_not_change_the_game(self) -> None:
        game = rulebook.ReferenceGame(read_position(START))
        with pytest.raises(IllegalTokenError):
            game.play(read_token("a1-a3"))
        assert len(game.moments) == 1

    def test_moments_alone_do_not_detect_repetition(self) -> None:
        assert after(START, " ".join(self.CYCLE * 3)).outcome is None


class TestLoopGuard:
    """The loop guard ends chains of powers (P6)."""

    LOOP = "S1S1S/5/5/1F3/4F b3MD,c3CS DRAD (CDCGPSSA) wofm 0-0 F"

    def test_the_power_is_mandatory_the_first_time(self) -> None:
        assert "stop" not in legal(after(self.LOOP, "b2-b3"))
        assert legal(after(self.LOOP, "b2-b3 b3-c3")) == ["c3-b3"]

    def test_stop_is_offered_the_second_time(self) -> None:
        assert "stop" in legal(after(self.LOOP, "b2-b3 b3-c3 c3-b3"))
        assert legal(after(self.LOOP, "b2-b3 b3-c3 c3-b3 b3-c3")) == ["c3-b3", "stop"]

    def test_nothing_is_activated_the_third_time(self) -> None:
        moment = after(self.LOOP, "b2-b3 b3-c3 c3-b3 b3-c3 c3-b3")
        assert (moment.phase, moment.decider) == (Phase.ACTION, SEA)

    def test_counts_restart_every_turn(self) -> None:
        moment = after(self.LOOP, "b2-b3 b3-c3 c3-b3 stop a5-b4 b3-b2 c5-d4 b2-b3")
        assert moment.phase is Phase.POWER
        assert "stop" not in legal(moment)

    def test_arrivals_are_counted_for_each_tribe_separately(self) -> None:
        moment = after("4S/S4/5/1F3/4F b3MD,c3FC DRAD - wofm 0-0 F", "b2-b3 b3-c3 a4-b3")
        assert moment.decider is SEA
        assert "stop" not in legal(moment)

    def test_arrivals_by_any_shaman_of_a_tribe_count_together(self) -> None:
        moment = after("4S/5/5/FF3/5 b3MD,c3HP DRAD - wofm 0-0 F", "b2-b3 b3-c3 a2-b3")
        assert moment.decider is FOREST
        assert "stop" in legal(moment)


class TestPowersThatCouldDoNothing:
    """P1: a power that could do nothing is skipped, and the turn continues.

    Pillars of Spring, Sanctuary of the Ages, Tumulus of Shadow and Memorial Mound can always do something.
    """

    @pytest.mark.parametrize(
        ("position", "tokens"),
        [
            pytest.param("S3S/5/5/1F3/4F b3CG DRMD - wofm 0-0 F", "b2-b3", id="CG: nobody else in your first row"),
            pytest.param("S3S/5/5/1F3/FF1FF b3CD DRMD - wofm 0-0 F", "b2-b3", id="CD: nobody in your village"),
            pytest.param("5/5/5/1F3/SSSSS b3CD DRMD - wofm 0-0 F", "b2-b3", id="CD: first row full"),
            pytest.param("S3S/5/5/1F3/4F b3CS DRMD - wofm 0-0 F", "b2-b3", id="CS: no other megalith"),
            pytest.param("S3S/5/5/1F3/4F b3CS,a5MD DRAD - wofm 0-0 F", "b2-b3", id="CS: shamans on all others"),
            pytest.param("S3S/5/5/FF3/4F b3AD DRMD - wofm 0-0 F", "b2-b3", id="AD: no adjacent enemy"),
            pytest.param("S3S/5/5/1F3/4F b3DR MDAD - wofm 0-0 F", "b2-b3", id="DR: nobody adjacent"),
            pytest.param(
                "5/2F2/SS3/SSS2/1FF2 a1DR,c3CD MDAD - wofe 0-0 F", "c4-c3 +a1", id="DR: all adjacent hemmed in"
            ),
            pytest.param("5/5/F4/FF3/1F3 a1MD DRAD - wofm 0-0 F", "a3-a1", id="MD: hemmed in"),
            pytest.param("S3S/5/5/1F3/4F b3SW DRMD - wofm 0-0 F", "b2-b3", id="SW: a single megalith"),
            pytest.param("5/5/5/1F3/4F b3FC DRMD - wofm 0-0 F", "b2-b3", id="FC: no enemy on the field"),
            pytest.param("SF3/FF3/5/1F3/5 b3FC DRMD - wofm 0-0 F", "b2-b3", id="FC: all enemies hemmed in"),
            pytest.param("S3S/5/5/1F3/5 b3HP DRMD - wofm 0-0 F", "b2-b3", id="HP: no other shaman of yours"),
            pytest.param("5/5/5/SS1F1/FS3 d3HP DRMD - wofm 0-0 F", "d2-d3", id="HP: the others hemmed in"),
            pytest.param("S3S/5/5/1F3/4F b3SS ---- - wofm 0-0 F", "b2-b3", id="SS: no upcoming megalith"),
            pytest.param("5/5/5/1F3/4F b3WC DRMD - wofm 0-0 F", "b2-b3", id="WC: no enemy on the field"),
            pytest.param("S3S/5/5/1F3/4F b3SH ---- - wofm 0-0 F", "b2-b3", id="SH: no upcoming megalith"),
            pytest.param("S3S/5/5/1F3/4F b3SH ADCS - wofm 0-0 F", "b2-b3", id="SH: neither power could do anything"),
            pytest.param("S3S/5/5/1F3/4F b3HE ---- - wofm 0-0 F", "b2-b3", id="HE: no upcoming megalith"),
        ],
    )
    def test_the_power_is_skipped(self, position: str, tokens: str) -> None:
        before, moment = read_position(position), after(position, tokens)
        assert (moment.phase, moment.decider) == (Phase.ACTION, SEA)
        assert moment.setup.megaliths == before.megaliths
        assert len(moment.setup.shamans) == len(before.shamans) + tokens.count("+")

    def test_a_transformation_is_possible_after_a_skipped_power(self) -> None:
        moment = after("5/5/2SF1/1F3/5 b3CG DRMD - wofm 0-0 F", "b2-b3")
        assert legal(moment) == ["Tc3", "pass"]


class TestEmptyDeck:
    """Points are scored even after the tiles have run out (E5)."""

    def test_the_slot_stays_empty_and_nothing_is_drawn(self) -> None:
        moment = after("S1F1S/5/5/5/F3F - DRMD - wofm 0-0 F", "c5-out =DR")
        assert moment.setup.upcoming[0] is None
        assert moment.phase is Phase.ACTION

    def test_a_point_is_scored_without_a_tile(self) -> None:
        moment = after("S1F1S/5/5/5/F3F - ---- - wofm 0-0 F", "c5-out")
        assert write_position(moment.setup) == "S3S/5/5/5/F3F - ---- - wdfm 1-0 S"

    def test_a_point_without_a_tile_can_win(self) -> None:
        moment = after("S1F1S/5/5/5/F3F - ---- - wofm 2-0 F", "c5-out")
        assert moment.outcome == Outcome(FOREST, Reason.SCORE)
        assert write_position(moment.setup) == "S3S/5/5/5/F3F - ---- - wdfm 3-0 F"

    def test_heart_of_the_earth_leaves_the_slot_empty(self) -> None:
        moment = after("S3S/5/5/1F3/4F b3HE DRMD - wofm 0-0 F", "b2-b3 a3=MD")
        assert write_position(moment.setup) == "S3S/5/1F3/5/4F a3MD,b3HE DR-- - wdfm 0-0 S"


class TestTransformation:
    """Transformations (X1 to X5)."""

    def test_each_face_allows_its_own_line(self) -> None:
        assert legal(after("5/5/2SF1/1F3/5 - ---- - wofm 0-0 F", "b2-b3")) == ["Tc3", "pass"]
        assert legal(after("5/5/2FS1/1F3/5 - ---- - wofe 0-0 F", "b2-b3")) == ["Td3", "pass"]

    def test_a_line_for_the_other_face_does_not_count(self) -> None:
        assert after("5/5/2SF1/1F3/5 - ---- - wofe 0-0 F", "b2-b3").decider is SEA
        assert after("5/5/2FS1/1F3/5 - ---- - wofm 0-0 F", "b2-b3").decider is SEA

    def test_one_enemy_in_two_lines_is_one_token(self) -> None:
        assert legal(after("5/2F2/2S2/1F1F1/5 - ---- - wofm 0-0 F", "b2-c2")) == ["Tc3", "pass"]

    def test_an_enemy_that_a_power_moved_counts(self) -> None:
        moment = after("5/1F1F1/4S/5/F4 a2FC ---- - wofm 0-0 F", "a1-a2 e3-d3")
        assert moment.decider is SEA
        moment = after("5/1F1F1/2S2/5/F4 a2FC ---- - wofm 0-0 F", "a1-a2 c3-c4")
        assert legal(moment) == ["Tc4", "pass"]

    def test_declining_keeps_the_face(self) -> None:
        moment = after("5/5/2SF1/1F3/5 - ---- - wofm 0-0 F", "b2-b3 pass")
        assert write_position(moment.setup) == "5/5/1FSF1/5/5 - ---- - wdfm 0-0 S"

    def test_only_one_transformation_is_allowed_per_turn(self) -> None:
        # Two enemies qualify; transforming one of them ends the turn.
        moment = after("F3F/1S1S1/5/2F2/5 - DRMD - wofm 0-0 F", "c2-c3")
        assert legal(moment) == ["Tb4", "Td4", "pass"]
        moment = after("F3F/1S1S1/5/2F2/5 - DRMD - wofm 0-0 F", "c2-c3 Td4 =DR")
        assert (moment.phase, moment.decider) == (Phase.ACTION, SEA)
        assert write_position(moment.setup) == "F3F/1S3/2F2/5/5 d4DR --MD - wdfe 1-0 S"
