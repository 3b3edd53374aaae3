"""The steps and the current state of a game: turn numbers, deciders, choices and outcomes."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given

from cairn import Board, Game, GameOverError, IllegalTokenError, MalformedError, Record, write_record
from cairn.server.game.chance import SecretChance
from cairn.server.game.choices import Opportunity
from cairn.server.game.header import GameHeader
from cairn.server.game.seated_game import SeatedGame, Step
from cairn.server.game.seats import Seat, Seats
from cairn.server.game.state import GameState
from cairn.server.game.undo import UndoOffer
from cairn.server.messages import games as messages
from cairn.server.messages.views import line, moment
from cairn.vocabulary import SEA, Outcome, Reason
from harness.vectors import read_vectors
from tests.strategies import Line, lines

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"

PERSON, COMPUTER = Seat("person"), Seat("computer", level=1)


def header(seats: Seats) -> GameHeader:
    return GameHeader("id", datetime.datetime(2026, 11, 15, tzinfo=datetime.UTC), None, START, seats, bytes(32))


def seated(position: str, *tokens: str) -> SeatedGame:
    game = SeatedGame(position)
    game.follow_all(tokens)
    return game


def check(position: str, tokens: list[str]) -> messages.LineView:
    """Compare each step of a line with a board that is set up separately; return the line."""
    told = line(position, tokens)
    assert [each.token for each in told.steps] == tokens
    for index, each in enumerate(told.steps):
        before, after = Board(position, tokens[:index]), Board(position, tokens[: index + 1])
        assert before.decider is not None
        assert (each.by, each.active, each.phase) == (before.decider.value, before.active.value, before.phase.value)
        assert each.position == after.text
        assert each.effects
    return told


def written_turns(game: Game) -> list[int]:
    """Return the turn number of each token, as written in the record."""
    body = write_record(Record(game)).partition("\n\n")[2].splitlines()[:-1]
    return [int(turn.split()[0]) for turn in body for _ in turn.split()[2:]]


def test_steps_match_the_games_in_the_test_vectors() -> None:
    for vector in read_vectors("games")[::6]:
        tokens = [ply["token"] for ply in vector["plies"]]
        told = check(vector["position"], tokens)
        game = Game(vector["position"], tokens)
        assert [each.turn for each in told.steps] == written_turns(game)
        assert told.now.position == vector["plies"][-1]["board"]
        assert told.now.phase == vector["plies"][-1]["phase"]


@pytest.mark.slow
@given(lines())
def test_turns_are_numbered_as_in_the_record(drawn: Line) -> None:
    game, told = SeatedGame(drawn.position), list[Step]()
    assert moment(game).turn == 1
    for token in drawn.tokens:
        if game.outcome:
            break
        told.append(game.follow(str(token)))
        running = told[-1].turn + (game.phase.value == "action")
        assert game.turn == moment(game).turn == running
    assert [each.turn for each in told] == written_turns(game.copy())


@pytest.mark.slow
@given(lines())
def test_a_line_can_be_played_in_parts(drawn: Line) -> None:
    game, tokens = SeatedGame(drawn.position), [str(token) for token in drawn.tokens]
    told = list[Step]()
    for start in range(0, len(tokens), 3):
        if game.outcome:
            return
        try:
            told += game.follow_all(tokens[start : start + 3])
        except GameOverError:
            return  # drawn by repetition, which a board does not detect
    assert told == line(drawn.position, tokens).steps
    assert moment(game) == line(drawn.position, tokens).now


def test_the_state_within_a_turn_includes_the_power_and_its_decider() -> None:
    game = seated("S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F", "a1-c3", "d5-d4")
    now = moment(game)
    assert (now.turn, now.active, now.phase, now.decider) == (1, "forest", "power", "sea")
    assert (now.power, now.focus) == ("SA", "d4")
    assert [choice.token for choice in now.choices] == [str(token) for token in game.legal_moves]
    assert (now.held, now.outcome) == (None, None)
    assert now.undo == UndoOffer(step=False, turn=False, no_step="nothing", no_turn="nothing")


def test_a_decider_who_needs_one_more_point_can_win_next() -> None:
    position = "F1S1S/5/5/5/2F1F - DRMD (ADCS) wofm 2-1 F"
    assert moment(seated(position)).next_wins
    assert moment(seated(position, "a5-out")).next_wins
    assert not moment(seated(position.replace("2-1", "1-2"))).next_wins
    assert not moment(seated(position.replace("2-1", "1-2"), "a5-out")).next_wins  # Sea has 2 points; Forest decides
    assert not moment(seated(position, "a5-out", "=DR")).next_wins  # the game is over


def test_only_people_get_choices() -> None:
    game = SeatedGame(START)
    for forest, sea, choices in (
        (PERSON, COMPUTER, moment(game).choices),
        (COMPUTER, PERSON, []),
        (PERSON, PERSON, moment(game).choices),
    ):
        state = GameState(header(Seats(forest, sea)))
        assert moment(state.game, state, state.changed).choices == choices
    assert moment(game).choices


def test_a_held_turn_does_not_offer_choices() -> None:
    state = GameState(header(Seats(PERSON, PERSON)))
    state.play("a1-a2", hold=True, chance=SecretChance(), at=state.changed)
    now = moment(state.game, state, state.changed)
    assert (now.held, now.choices, now.undo) == ("forest", [], UndoOffer(step=True, turn=True))
    assert line(START, ["a1-a2"]).now.choices


def test_chance_does_not_get_choices() -> None:
    now = line("F1S1S/5/5/5/2F1F - DRMD (ADCS) wofm 0-0 F", ["a5-out", "=MD"]).now
    assert (now.phase, now.decider, now.choices) == ("draw", "chance", [])


def test_the_focus_of_a_build_is_its_space() -> None:
    now = line("F1S1S/5/5/5/2F1F - DRMD (ADCS) wofm 0-0 F", ["a5-out"]).now
    assert (now.phase, now.power, now.focus) == ("build", None, "a5")


@pytest.mark.parametrize(
    ("position", "tokens", "outcome", "turn"),
    [
        ("2F2/5/4S/5/5 d3FC DRMD (ADCS) wofm 2-0 S", "e3-d3 c5-out =DR", ("forest", "score", "G1"), 1),
        ("5/5/4S/5/2SFS - ---- - wdfm 0-0 S", "e3-d2", ("sea", "no-action", "G2"), 1),
        ("5/5/5/3S1/2SFS - ---- - wofm 0-0 F", "", ("sea", "no-action", "G2"), 1),
        (START, "a1-a2 a5-b4 a2-a1 b4-a5 a1-a2 a5-b4 a2-a1 b4-a5", (None, "repetition", "G3"), 8),
    ],
)
def test_a_finished_game_has_an_outcome_and_no_choices(
    position: str, tokens: str, outcome: tuple[str | None, str, str], turn: int
) -> None:
    told = line(position, tokens.split())
    now = told.now
    assert now.outcome is not None
    assert (now.outcome.winner, now.outcome.reason, now.outcome.rule) == outcome
    assert (now.phase, now.decider, now.power, now.focus, now.choices) == ("over", None, None, None, [])
    assert now.turn == turn
    assert [each.turn for each in told.steps][-1:] in ([turn], [])


def test_a_declared_end_can_interrupt_a_power() -> None:
    game = seated("S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F", "a1-c3")
    game.end(Outcome(SEA, Reason.RESIGNATION))
    now = moment(game)
    assert now.outcome == messages.OutcomeView(winner="sea", reason="resignation", rule="G3")
    assert (now.turn, now.phase, now.decider, now.power, now.choices) == (1, "over", None, None, [])


def test_a_declared_end_at_the_start_of_a_turn_counts_as_part_of_that_turn() -> None:
    game = seated(START, "a1-a2")
    game.end(Outcome(None, Reason.AGREEMENT))
    assert (moment(game).turn, moment(game).phase) == (2, "over")


def test_invalid_input_is_refused() -> None:
    with pytest.raises(MalformedError):
        line("nonsense")
    with pytest.raises(IllegalTokenError):
        line(START, ["a1-a5"])
    with pytest.raises(MalformedError):
        line(START, ["hop"])


def test_a_moment_tells_what_its_choices_cause_at_once() -> None:
    def told(position: str, *tokens: str) -> dict[str, tuple[list[str], str | None, list[str], list[list[str]]]]:
        return {
            each.token: ([effect.kind for effect in each.effects], each.scorer, each.next, each.lines)
            for each in moment(seated(position, *tokens)).consequences
        }

    tumulus = "S4/2S2/5/1F3/2S1F b3TS DRCG - wofm 0-0 F"
    assert told(tumulus)["b2-b3"] == (["activated", "banished"], None, [], [])
    assert "b2-b1" not in told(tumulus)
    assert told(tumulus.replace("TS", "AD"))["b2-b3"] == (["activated"], None, ["c4"], [])
    assert told("F1S1S/5/5/5/2F1F - DRMD - wofm 0-0 F")["a5-out"] == ([], "forest", [], [])
    line = "5/3S1/1SF2/5/F1F2 - DRMD - wofm 1-0 S"
    assert told(line, "d4-d3") == {"Tc3": ([], "sea", [], [["b3", "c3", "d3"]])}
    assert told(line, "d4-d3", "Tc3") == {}


def test_a_moment_tells_which_transformations_a_choice_makes_possible() -> None:
    def offered(position: str, token: str) -> list[Opportunity]:
        return next(each for each in moment(seated(position)).consequences if each.token == token).transformations

    line = "5/3S1/1SF2/5/F1F2 - DRMD - wofm 1-0 S"
    assert offered(line, "d4-d3") == [Opportunity("c3", scores=True, wins=False)]
    assert offered(line.replace("1-0", "1-2"), "d4-d3") == [Opportunity("c3", scores=True, wins=True)]
    assert offered(line.replace(" - DRMD", " c3CG DRMD"), "d4-d3") == [Opportunity("c3", scores=False, wins=False)]


def test_a_moment_tells_that_a_third_activation_is_ignored() -> None:
    game = seated("S4/5/5/1F3/4F b3MD,c3CS DRAD - wofm 0-0 F", "b2-b3", "b3-c3", "c3-b3", "b3-c3")
    assert {each.token: each.ignored for each in moment(game).consequences} == {"c3-b3": True}
