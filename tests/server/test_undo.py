"""Undo, and turns and draws that are on hold until their player confirms them."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterable
from typing import Any

import pytest

from cairn.server.errors import Refusal
from cairn.server.game.chance import SecretChance
from cairn.server.game.clocks import LAG_CAP, RealTime
from cairn.server.game.commands import Confirm, Resign, Undo
from cairn.server.game.decide import Context, decide, end_by_time, fallen_flag
from cairn.server.game.events import Event, TokenPlayed, TokensUndone, TurnConfirmed
from cairn.server.game.header import GameHeader, OnlineTerms, SeatHolder
from cairn.server.game.log import LogPart, StoredGame
from cairn.server.game.names import TribeName
from cairn.server.game.seats import Seat, Seats
from cairn.server.game.state import GameState
from cairn.server.game.undo import UndoOffer
from cairn.server.messages.views import moment
from cairn.server.settings import Settings
from cairn.vocabulary import FOREST, SEA, Tribe
from harness.server.client import AGAINST_COMPUTER, CHAIN, LEAVES, PERSONS, START, Client, choices, tokens, updated
from harness.server.processes import running

pytestmark = pytest.mark.anyio

BOTH = {"step": True, "turn": True, "no_step": None, "no_turn": None}
SILVER = "S3S/5/1FS2/3F1/F4 d3SS,a4CG DRMD (ADCSPSSA) wofm 0-0 F"
"""A position in which Source of Silver replaces a megalith after d2-d3; then Forest may transform c3."""
PUSHED_OUT = "S3S/5/5/1F3/F1S2 b3FC,d3CG DRMD (ADCSPSSA) wofm 0-0 F"
"""A position in which Forest can move Sea's shaman off the field after b2-b3, so that Sea builds in Forest's turn."""

TIMES = tuple(datetime.datetime(2026, 11, 15, 12, 0, second, tzinfo=datetime.UTC) for second in range(10))


def none(why: str) -> dict[str, Any]:
    return {"step": False, "turn": False, "no_step": why, "no_turn": why}


def offered(state: GameState) -> UndoOffer:
    return moment(state.game, state, state.changed).undo


class Fixed(SecretChance):
    """Gives every game the same seed."""

    def new_seed(self) -> bytes:
        return bytes(32)


async def test_tokens_can_be_undone_one_by_one_at_one_screen(client: Client) -> None:
    game = await client.begin(position=START)
    assert game["now"]["undo"] == none("nothing")
    start = game
    for token in ("a1-a2", "a5-b4"):
        game = updated(game, await client.play(game, token))
    assert game["now"]["undo"] == BOTH
    game = updated(game, await client.undo(game))
    assert (tokens(game), game["revision"], game["now"]["decider"]) == (["a1-a2"], 3, "sea")
    game = updated(game, await client.undo(game))
    assert game["now"] == start["now"]
    assert (await client.view(game))["steps"] == []


async def test_undo_takes_back_a_step_within_a_turn_or_the_whole_turn(client: Client) -> None:
    game = await client.begin(position=CHAIN)
    for token in ("a1-c3", "d5-d4"):
        game = updated(game, await client.play(game, token))
    step = updated(game, await client.undo(game))
    assert tokens(step) == ["a1-c3"]
    game = updated(step, await client.play(step, "d5-d4"))
    game = updated(game, await client.undo(game, "turn"))
    assert tokens(game) == []


async def test_undo_at_the_start_of_a_turn_takes_back_the_previous_turn(client: Client) -> None:
    game = await client.begin(position=START)
    for token in ("a1-a2", "a5-b4"):
        game = updated(game, await client.play(game, token))
    game = updated(game, await client.undo(game, "turn"))
    assert tokens(game) == ["a1-a2"]


@pytest.mark.parametrize("scope", ["step", "turn"])
async def test_undo_takes_back_the_computers_reply_too(client: Client, scope: str) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=START)
    game = await client.until_asked(updated(game, await client.play(game, "a1-a2")))
    assert len(game["steps"]) >= 2
    assert game["now"]["undo"] == BOTH
    game = updated(game, await client.undo(game, scope))
    assert tokens(game) == []
    assert game["now"]["decider"] == "forest"
    assert choices(game)


async def test_undo_does_not_go_back_past_a_drawn_tile(client: Client) -> None:
    game = await client.begin(position=LEAVES)
    game = updated(game, await client.play(game, "a5-out"))
    assert game["now"]["undo"] == BOTH
    game = updated(game, await client.play(game, "=DR"))
    assert game["now"]["undo"] == none("drawn")
    assert (await client.undo(game, status=409))["kind"] == "nothing-to-undo"
    assert (await client.undo(game, "turn", status=409))["kind"] == "nothing-to-undo"
    after = updated(game, await client.play(game, choices(game)[0]))
    assert after["now"]["undo"] == BOTH
    back = updated(after, await client.undo(after, "turn"))
    assert tokens(back) == tokens(game)
    assert back["now"]["undo"] == none("drawn")


async def test_the_last_turn_of_a_finished_game_can_be_undone(client: Client) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=LEAVES.replace("0-0", "2-0"))
    game = updated(game, await client.play(game, "a5-out"))
    game = updated(game, await client.play(game, "=DR"))
    assert game["now"]["outcome"]["winner"] == "forest"
    assert game["now"]["undo"] == BOTH
    game = updated(game, await client.undo(game, "turn"))
    assert game["now"]["outcome"] is None
    assert game["steps"] == []


async def test_a_held_turn_waits_for_confirmation(client: Client) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=START)
    game = updated(game, await client.play(game, "a1-a2", hold=True))
    assert (game["now"]["held"], game["now"]["choices"], game["now"]["decider"]) == ("forest", [], "sea")
    assert game["now"]["undo"] == BOTH
    await asyncio.sleep(0.2)
    assert (await client.view(game))["revision"] == 1, "the computer did not wait"
    game = updated(game, await client.confirm(game))
    assert game["now"]["held"] is None
    game = await client.until_asked(game)
    assert tokens(game)[0] == "a1-a2"
    assert len(game["steps"]) >= 2


async def test_a_held_turn_can_be_undone(client: Client) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=START)
    game = updated(game, await client.play(game, "a1-a2", hold=True))
    game = updated(game, await client.undo(game))
    assert (game["now"]["held"], tokens(game), game["now"]["decider"]) == (None, [], "forest")
    assert (await client.confirm(game, status=409))["kind"] == "nothing-to-confirm"


async def test_nobody_can_play_while_a_turn_is_held(client: Client) -> None:
    game = await client.begin(position=START)
    game = updated(game, await client.play(game, "a1-a2", hold=True))
    assert (await client.play(game, "a5-b4", status=409))["kind"] == "turn-held"
    game = updated(game, await client.confirm(game))
    await client.play(game, "a5-b4")


async def test_only_the_end_of_a_turn_is_held(client: Client) -> None:
    game = await client.begin(position=CHAIN)
    game = updated(game, await client.play(game, "a1-c3", hold=True))
    assert game["now"]["held"] is None
    assert choices(game)


async def test_a_turn_that_the_opponent_ends_is_not_held(client: Client) -> None:
    game = await client.begin(position=CHAIN)
    for token in ("a1-c3", "d5-d4"):
        game = updated(game, await client.play(game, token))
    assert (game["now"]["active"], game["now"]["decider"]) == ("forest", "sea")
    while game["now"]["active"] == "forest":
        assert game["now"]["held"] is None
        game = updated(game, await client.play(game, choices(game)[0], hold=game["now"]["decider"] == "sea"))
    assert game["now"]["held"] is None
    assert choices(game)


async def built_and_held(client: Client, token: str = "=DR", seats: Any = PERSONS) -> dict[str, Any]:
    """Return a game in which Forest has left the field and built a megalith, and the draw is held."""
    game = await client.begin(seats, position=LEAVES)
    game = updated(game, await client.play(game, "a5-out", hold=True))
    assert game["now"]["held"] is None  # Forest must first choose what to build
    game = updated(game, await client.play(game, token, hold=True))
    now = game["now"]
    assert (tokens(game), now["phase"], now["decider"], now["held"]) == (["a5-out", token], "draw", "chance", "forest")
    assert (now["choices"], now["undo"]) == ([], BOTH)
    return game


async def test_a_held_draw_waits_for_confirmation(client: Client) -> None:
    game = await built_and_held(client, seats=AGAINST_COMPUTER)
    await asyncio.sleep(0.1)
    assert (await client.view(game))["revision"] == 2, "the draw or the computer did not wait"
    assert (await client.get("/games"))["games"][0]["decider"] == "forest"
    body = {"revision": 2, "tribe": "forest", "token": "?AD"}
    assert (await client.post(f"/games/{game['id']}/tokens", body, status=409))["kind"] == "turn-held"
    game = updated(game, await client.confirm(game))
    assert (game["steps"][2]["by"], game["now"]["held"], game["revision"]) == ("chance", None, 4)
    assert game["now"]["decider"] == "sea"
    game = await client.until_asked(game)
    assert len(game["steps"]) >= 4, "the computer did not continue after the draw"


async def test_a_held_draw_can_be_undone(client: Client) -> None:
    game = await built_and_held(client)
    turn = updated(game, await client.undo(game, "turn"))
    assert (turn["now"]["held"], tokens(turn), turn["now"]["phase"]) == (None, [], "action")
    game = await built_and_held(client)
    game = updated(game, await client.undo(game))
    assert (game["now"]["held"], tokens(game), game["now"]["phase"]) == (None, ["a5-out"], "build")
    assert choices(game) == ["=DR", "=MD"]
    assert (await client.confirm(game, status=409))["kind"] == "nothing-to-confirm"
    game = updated(game, await client.play(game, "=MD"))
    assert tokens(game)[2].startswith("?")  # without hold, the draw follows immediately
    assert (game["now"]["held"], game["now"]["undo"]) == (None, none("drawn"))


async def test_undoing_a_build_does_not_change_the_draw(settings: Settings) -> None:
    async with running(settings, chance=Fixed()) as client:
        drawn = set()
        for tried in ([], ["=DR"], ["=DR", "=MD", "=DR"]):
            game = updated(game := await client.begin(position=LEAVES), await client.play(game, "a5-out"))
            for token in tried:
                game = updated(game, await client.play(game, token, hold=True))
                game = updated(game, await client.undo(game))
            game = updated(game, await client.play(game, "=MD", hold=True))
            game = updated(game, await client.confirm(game))
            drawn.add(tokens(game)[2])
        assert len(drawn) == 1


async def test_a_turn_continues_after_a_held_draw_in_the_middle(client: Client) -> None:
    game = await client.begin(position=SILVER)
    for token in ("d2-d3", "a4=MD"):
        game = updated(game, await client.play(game, token, hold=True))
    assert (game["now"]["held"], game["now"]["phase"]) == ("forest", "draw")
    back = updated(game, await client.undo(game))
    assert tokens(back) == ["d2-d3"]
    game = updated(back, await client.play(back, "d3=DR", hold=True))
    game = updated(game, await client.confirm(game))
    assert (game["now"]["held"], game["now"]["phase"], choices(game)) == (None, "transform", ["Tc3", "pass"])
    game = updated(game, await client.play(game, "Tc3", hold=True))
    assert game["now"]["held"] is None
    game = updated(game, await client.play(game, choices(game)[0], hold=True))
    game = updated(game, await client.confirm(game))
    assert [step["by"] for step in game["steps"]] == ["forest", "forest", "chance", "forest", "forest", "chance"]
    assert (game["now"]["active"], game["now"]["held"]) == ("sea", None)


async def test_the_decider_confirms_a_draw_in_the_opponents_turn(client: Client) -> None:
    game = await client.begin(position=PUSHED_OUT)
    for token in ("b2-b3", "c1-out", "=DR"):
        game = updated(game, await client.play(game, token, hold=game["now"]["decider"] == "sea"))
    assert (game["now"]["active"], game["now"]["held"]) == ("forest", "sea")
    game = updated(game, await client.confirm(game))
    assert (game["steps"][3]["by"], game["now"]["held"]) == ("chance", None)


async def test_a_held_draw_survives_a_restart(settings: Settings) -> None:
    async with running(settings) as client:
        game = await client.view(await built_and_held(client, seats=AGAINST_COMPUTER))
    async with running(settings) as client:
        assert await client.view(game) == game
        await asyncio.sleep(0.1)
        assert (await client.view(game))["revision"] == 2, "a tile was drawn after the restart"
        game = updated(game, await client.confirm(game))
    async with running(settings) as client:
        after = await client.until_asked(game)
        assert after["steps"][:3] == game["steps"]


def online(start: str, seats: Any = PERSONS, *, rated: bool = False) -> GameHeader:
    """Return the header of an online game with clocks."""
    players: dict[TribeName, SeatHolder] = {"forest": SeatHolder("f"), "sea": SeatHolder("s")}
    terms = OnlineTerms(RealTime(60_000, 2_000), rated, b"", b"", b"", None, players)
    taken = Seats(Seat(**seats["forest"]), Seat(**seats["sea"]))
    return GameHeader("id", TIMES[0], None, start, taken, bytes(32), online=terms)


def replayed(state: GameState, log: Iterable[Event], times: Iterable[datetime.datetime]) -> GameState:
    """Replay a log in a game with the same header; return the resulting state."""
    part = LogPart(tuple(log), tuple(times))
    return GameState.replay(StoredGame(state.header, part, part.times[-1], False))


@pytest.mark.parametrize("rated", [True, False])
@pytest.mark.parametrize("computer", ["forest", "sea"])
def test_the_computers_tokens_can_be_undone_only_in_unrated_games(computer: str, rated: bool) -> None:
    """Forest decides twice in its turn, and then Sea decides. One of the two players is the computer."""
    chance = SecretChance()
    live = GameState(online(CHAIN, {**PERSONS, computer: {"kind": "computer", "level": 3}}, rated=rated))
    tokens = ["a1-c3"] if computer == "forest" else ["a1-c3", "d5-d4"]
    for at, token in enumerate(tokens, start=1):
        live.play(token, hold=False, chance=chance, at=TIMES[at])
    assert live.computer_level == 3
    context, person = Context(TIMES[5], chance), SEA if computer == "forest" else FOREST
    if rated:
        assert (offered(live).no_step, offered(live).no_turn) == ("other", "other")
        with pytest.raises(Refusal) as refused:
            decide(live, Undo(revision=0), person, context)
        assert (refused.value.status, len(live.steps)) == (409, len(tokens))
    elif computer == "sea":
        (undone,) = decide(live, Undo(revision=0), person, context)
        assert isinstance(undone, TokensUndone)
        assert (undone.tokens, undone.by) == (1, person.value)


def test_the_clock_runs_for_the_player_whose_draw_is_on_hold() -> None:
    chance, live = SecretChance(), GameState(online(LEAVES))
    events: list[Event] = []
    times: list[datetime.datetime] = []
    for at, token in ((1, "a5-out"), (3, "=DR")):
        events += live.play(token, hold=True, chance=chance, at=TIMES[at])
        times.append(TIMES[at])
    assert live.clock is not None
    assert (live.clock.running, live.clock.forest, live.to_move) == (FOREST, 57_000, FOREST)
    confirmed = live.confirm(chance, TIMES[7])
    assert confirmed[0] == TurnConfirmed()
    # The increment is added only once.
    assert (live.clock.running, live.clock.forest, live.clock.sea) == (SEA, 55_000, 60_000)
    again = replayed(live, (*events, *confirmed), (*times, TIMES[7], TIMES[7]))
    assert again.clock == live.clock


def test_the_lag_of_a_confirmation_is_forgiven_like_that_of_a_token() -> None:
    chance, live = SecretChance(), GameState(online(START))
    events = live.play("a1-a2", hold=True, chance=chance, at=TIMES[0])
    late = TIMES[0] + datetime.timedelta(seconds=60, milliseconds=LAG_CAP - 1)
    confirm = Confirm(revision=0, lag=5_000)
    assert fallen_flag(live, late, Confirm(revision=0), FOREST)  # if no lag is reported, the flag has fallen
    assert fallen_flag(live, late, confirm, FOREST) is None
    events += decide(live, confirm, FOREST, Context(late, chance))
    assert events[1:] == [TurnConfirmed(lag=LAG_CAP)]
    assert live.clock is not None
    assert (live.clock.running, live.clock.forest) == (SEA, 2_001)
    again = replayed(live, events, (TIMES[0], late))
    assert again.clock == live.clock


def test_the_game_can_end_while_a_draw_is_held_but_the_opponent_cannot_interfere() -> None:
    chance = SecretChance()
    for end in ("time", "resignation"):
        live = GameState(online(LEAVES))
        events = [
            event for token in ("a5-out", "=DR") for event in live.play(token, hold=True, chance=chance, at=TIMES[1])
        ]
        context = Context(TIMES[2], chance)
        for refused in (Confirm(revision=0), Undo(revision=0)):
            with pytest.raises(Refusal):
                decide(live, refused, SEA, context)
        assert live.to_move is FOREST
        late = TIMES[2] + datetime.timedelta(minutes=2)
        if end == "time":
            flag = fallen_flag(live, late)
            assert flag is not None
            events += end_by_time(live, flag, late)
        else:
            events += decide(live, Resign(), FOREST, context)
        assert (live.held, live.draw(chance, late), offered(live).no_step) == (None, [], "over")
        assert live.game.outcome is not None
        assert (live.game.outcome.winner, live.game.outcome.reason.value) == (SEA, end)
        again = replayed(live, events, (TIMES[1], TIMES[1], late))
        assert (again.steps, again.game.outcome) == (live.steps, live.game.outcome)


@pytest.mark.parametrize(
    ("start", "tokens", "held", "left"),
    [
        (LEAVES, ["a5-out", "=DR", "?AD", "c5-b4"], SEA, (60_000, 59_000)),
        (CHAIN, ["a1-c3", "d5-d4", "c3~c4"], FOREST, (58_000, 59_000)),
    ],
    ids=["a draw that was not held", "a turn that the opponent ended"],
)
def test_a_log_from_before_draws_could_be_held_replays_to_the_same_state(
    start: str, tokens: list[str], held: Tribe, left: tuple[int, int]
) -> None:
    log = (*(TokenPlayed(token) for token in tokens[:-1]), TokenPlayed(tokens[-1], hold=True))
    times = TIMES[1 : len(log) + 1]
    live = replayed(GameState(online(start)), log, times)
    assert live.clock is not None
    assert (live.held, live.clock.running) == (held, held)
    assert (live.clock.forest, live.clock.sea) == left


async def test_the_end_of_the_game_is_not_held(client: Client) -> None:
    game = await client.begin(position=LEAVES.replace("0-0", "2-0"), tokens=["a5-out"])
    game = updated(game, await client.play(game, "=DR", hold=True))
    assert game["now"]["outcome"] is not None
    assert game["now"]["held"] is None
