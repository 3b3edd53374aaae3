"""Loading a game skips tokens that were taken back, and ends in the same state as replaying every event."""

from __future__ import annotations

import dataclasses
import datetime
import random
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from cairn.server.game.chance import SecretChance
from cairn.server.game.clocks import Correspondence, RealTime, TimeControl
from cairn.server.game.commands import Undo
from cairn.server.game.events import Event, OfferMade, TokenPlayed, TokensUndone, data_of, event_of
from cairn.server.game.log import LogPart, StoredGame
from cairn.server.game.seated_game import SeatedGame, Step
from cairn.server.game.seats import Seat
from cairn.server.game.state import GameState
from cairn.vocabulary import FOREST, Variant
from harness.server.client import CHAIN, LEAVES, START
from harness.server.plain_game import BEGAN, PlainGame, online_header, play_at_random

SPRING = "S3S/5/5/1F3/4F b3PS DRMD - wofm 0-0 F"
DEALT = SecretChance().deal(bytes(32), Variant.EXPERT, FOREST)
POSITIONS = (START, LEAVES, CHAIN, SPRING, DEALT)
CONTROLS: tuple[TimeControl, ...] = (RealTime(600_000, 2_000), RealTime(20_000, 5_000), Correspondence(1), None)


def everything(state: GameState) -> dict[str, Any]:
    """Return everything in a state, including fields that will be added to the class in the future."""
    parts = {name: value for name, value in vars(state).items() if name not in ("header", "game")}
    game = state.game
    return parts | {
        "tokens": game.tokens,
        "now": game.now(),
        "outcome": game.outcome,
        "revisions": (game.revision, game.board_revision),
        "start": game.start_text,  # together with the tokens, this determines repetitions
    }


def replayed_fully(stored: StoredGame) -> GameState:
    state = GameState(stored.header)
    state.follow(stored.log)
    state.changed = stored.changed
    return state


def from_storage(stored: StoredGame) -> StoredGame:
    """Return the same game, with its events encoded and decoded as in storage."""
    events = tuple(event_of(event.kind, data_of(event)) for event in stored.log.events)
    return dataclasses.replace(stored, log=LogPart(events, stored.log.times))


@pytest.fixture
def pushed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tokens that are played while a game is being replayed."""
    tokens: list[str] = []

    follow = SeatedGame.follow

    def counted(game: SeatedGame, token: str, *, hold: bool = False) -> Step:
        tokens.append(token)
        return follow(game, token, hold=hold)

    monkeypatch.setattr(SeatedGame, "follow", counted)
    return tokens


@hypothesis.given(
    seed=st.integers(0, 2**32),
    position=st.sampled_from(POSITIONS),
    control=st.sampled_from(CONTROLS),
    level=st.booleans(),
    commands=st.integers(1, 200),
)
@hypothesis.settings(max_examples=300, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@pytest.mark.slow
def test_skipping_undone_tokens_leads_to_the_same_state(
    pushed: list[str], seed: int, position: str, control: TimeControl, level: bool, commands: int
) -> None:
    game = PlainGame(online_header(position, control, sea=Seat("computer", 1) if level else None))
    play_at_random(game, random.Random(seed), commands)
    stored = from_storage(game.stored())
    assert stored == game.stored()
    pushed.clear()
    loaded = GameState.replay(stored)
    assert pushed == [step.token for step in loaded.steps], "tokens that were taken back were played"
    hypothesis.event(f"has undone tokens: {any(map(is_undo, game.events))}")
    assert everything(loaded) == everything(replayed_fully(stored))
    assert everything(loaded) == everything(game.state) | {"changed": game.now}


def is_undo(event: Event) -> bool:
    return isinstance(event, TokensUndone)


def test_random_games_contain_every_case_to_compare() -> None:
    """The cases are undone tokens, takebacks, offers between undone tokens, holds and pauses."""
    kinds = set()
    for seed in range(40):
        game = PlainGame(online_header(POSITIONS[seed % len(POSITIONS)]))
        play_at_random(game, random.Random(seed), 150)
        last_undo = max((number for number, event in enumerate(game.events) if is_undo(event)), default=0)
        for number, event in enumerate(game.events):
            kinds.add((event.kind, number < last_undo, getattr(event, "hold", None), getattr(event, "what", None)))
    assert {(kind, before) for kind, before, _, _ in kinds} >= {
        (kind, before) for kind in ("token", "confirm", "offer", "decline", "pause") for before in (True, False)
    }
    assert ("token", True, True, None) in kinds
    assert {what for *_, what in kinds} >= {"draw", "takeback"}


PLAYED: tuple[str, dict[str, object]] = ("token", {"token": "b2-b3", "hold": False})
UNDONE: tuple[str, dict[str, object]] = ("undo", {"tokens": 1})
OFFERED: tuple[str, dict[str, object]] = ("offer", {"tribe": "sea", "what": "draw", "tokens": 0})
OLD_LOG = (PLAYED, UNDONE, PLAYED, UNDONE, PLAYED, UNDONE, PLAYED, OFFERED)
"""A log from version 0.1, in which a turn earned the increment each time that it was played again."""


def old_game() -> StoredGame:
    events = tuple(event_of(kind, data) for kind, data in OLD_LOG)
    times = tuple(BEGAN + datetime.timedelta(seconds=number) for number in range(len(events)))
    return StoredGame(online_header(SPRING), LogPart(events, times), times[-1], deleted=False)


def test_a_log_from_an_earlier_version_gives_the_same_times_as_before(pushed: list[str]) -> None:
    state = GameState.replay(old_game())
    assert state.clock is not None
    assert (state.clock.forest, state.clock.sea) == (60_000 + 4 * 2_000 - 6_000, 60_000)
    assert pushed == ["b2-b3"] * 4  # the log has to be replayed fully
    assert everything(state) == everything(replayed_fully(old_game()))


def test_a_game_from_an_earlier_version_follows_the_new_rules_from_now_on() -> None:
    old = old_game()
    game = PlainGame(old.header)
    game.state.follow(old.log)
    game.events.extend(old.log.events)
    game.times.extend(old.log.times)
    game.now = old.changed
    clock = game.state.clock
    assert clock is not None
    for _ in range(3):
        game.do(Undo(revision=game.revision), FOREST)
        game.play("b2-b3")
    assert game.state.clock is not None
    assert game.state.clock.forest == 61_000  # one second passed, and the turn had already earned its increment
    assert everything(GameState.replay(game.stored())) == everything(game.state)


def test_an_undo_in_a_local_game_stores_only_the_number_of_tokens() -> None:
    header = dataclasses.replace(online_header(START), online=None)
    state = GameState(header)
    state.play("a1-a2", hold=False, chance=SecretChance(), at=BEGAN)
    assert [data_of(event) for event in state.undo(1, BEGAN)] == [{"tokens": 1}]
    assert TokenPlayed("a1-a2") == event_of("token", {"token": "a1-a2", "hold": False})
    assert OfferMade("sea", "draw") == event_of("offer", {"tribe": "sea", "what": "draw", "tokens": 0})
