"""An online game without a server. It executes and logs commands as the authority does, but stores nothing."""

from __future__ import annotations

import datetime
import random
from typing import Final

from cairn.server.errors import Refusal
from cairn.server.game.chance import SecretChance
from cairn.server.game.clocks import LAG_CAP, RealTime, TimeControl, milliseconds
from cairn.server.game.commands import Answer, Command, Confirm, Offer, Play, Undo
from cairn.server.game.decide import Context, decide
from cairn.server.game.events import ClockPaused, Event, keyed
from cairn.server.game.header import GameHeader, OnlineTerms, SeatHolder
from cairn.server.game.log import LogPart, StoredGame
from cairn.server.game.names import OfferName, TribeName
from cairn.server.game.seats import Seat, Seats
from cairn.server.game.state import GameState
from cairn.vocabulary import FOREST, TRIBES, Tribe

BEGAN: Final = datetime.datetime(2026, 11, 15, 12, 0, tzinfo=datetime.UTC)
BLITZ: Final = RealTime(60_000, 2_000)


def online_header(
    start: str, control: TimeControl = BLITZ, *, rated: bool = False, sea: Seat | None = None
) -> GameHeader:
    """The header of an online game between two people, or against the computer."""
    holders: dict[TribeName, SeatHolder] = {"forest": SeatHolder("f"), "sea": SeatHolder("s")}
    terms = OnlineTerms(control, rated, b"", b"", b"", None, holders)
    seats = Seats(Seat("person"), sea or Seat("person"))
    return GameHeader("id", BEGAN, None, start, seats, bytes(32), online=terms)


class PlainGame:
    """A game, its log and its clock. Time passes only when the caller advances it."""

    def __init__(self, header: GameHeader) -> None:
        self.state: Final = GameState(header)
        self.events: Final[list[Event]] = []
        self.times: Final[list[datetime.datetime]] = []
        self.now = header.created

    @property
    def revision(self) -> int:
        return self.state.revision

    def wait(self, seconds: float) -> None:
        self.now += datetime.timedelta(seconds=seconds)

    def do(self, command: Command, tribe: Tribe) -> list[Event]:
        """Execute the command and log its events. A refused command has no effect."""
        events = decide(self.state, command, tribe, Context(self.now, SecretChance()))
        self._log(keyed(events, f"{tribe.value} {command.id}" if command.id else None))
        return events

    def refusal(self, command: Command, tribe: Tribe) -> str:
        """Execute a command that must be refused, and return the kind of refusal."""
        try:
            self.do(command, tribe)
        except Refusal as refusal:
            return refusal.kind
        raise AssertionError(f"expected a refusal of {command}")

    def play(self, *tokens: str, hold: bool = False, revision: int | None = None) -> None:
        """Play tokens for the current decider."""
        for token in tokens:
            decider = self.state.game.decider
            assert isinstance(decider, Tribe)
            tribe: TribeName = "forest" if decider is FOREST else "sea"
            seen = self.revision if revision is None else revision
            self.do(Play(revision=seen, tribe=tribe, token=token, hold=hold), decider)

    def play_computer(self, token: str) -> None:
        """Play a token for the computer."""
        lag = LAG_CAP if self.state.clock else 0
        self._log(self.state.play(token, hold=False, chance=SecretChance(), at=self.now, lag=lag))

    def pause(self, seconds: float) -> None:
        """Simulate downtime."""
        self.wait(seconds)
        self._log(self.state.pause(ClockPaused(round(seconds * 1_000)), self.now))

    def stored(self) -> StoredGame:
        return StoredGame(self.state.header, LogPart(tuple(self.events), tuple(self.times)), self.now, deleted=False)

    def _log(self, events: list[Event]) -> None:
        self.events.extend(events)
        self.times.extend([self.now] * len(events))
        self.state.advance(events, self.now, events[-1].command)


def play_at_random(game: PlainGame, rng: random.Random, commands: int) -> None:
    """Execute random commands and simulate downtime. Some tokens are held."""
    for number in range(commands):
        if game.state.game.outcome is not None:
            return
        game.wait(rng.choice((0, 0.4, 1.5)))
        clock = game.state.clock
        if clock and clock.flag(milliseconds(game.now)):
            return
        if rng.random() < 0.03:
            game.pause(5)
        try:
            if game.state.computer_level is not None and rng.random() < 0.8:
                game.play_computer(str(rng.choice(game.state.game.legal_moves)))
            else:
                game.do(_random_command(game, rng, f"c{number}"), rng.choice(_likely(game)))
        except Refusal:
            continue


def _likely(game: PlainGame) -> tuple[Tribe, ...]:
    """Both tribes, weighted towards the decider."""
    to_move = game.state.to_move
    return (*TRIBES, *([to_move] * 3 if to_move else []))


def _random_command(game: PlainGame, rng: random.Random, command_id: str) -> Command:
    state, revision = game.state, game.revision
    kind = rng.choice(("play", "play", "play", "confirm", "undo", "offer", "answer"))
    if kind == "play" and state.held is None:
        token = str(rng.choice(state.game.legal_moves))
        tribe: TribeName = "forest" if state.game.decider is FOREST else "sea"
        hold = rng.random() < 0.4
        return Play(revision=revision, tribe=tribe, token=token, hold=hold, id=command_id, lag=rng.choice((0, 250)))
    if kind == "undo":
        return Undo(revision=revision, scope=rng.choice(("step", "turn")), id=command_id)
    if kind == "offer":
        what: OfferName = "draw" if rng.random() < 0.3 else "takeback"
        return Offer(revision=revision, what=what, scope=rng.choice(("step", "turn")), id=command_id)
    if kind == "answer":
        ends_game = any(offer.what == "draw" for offer in state.offers.values())
        if not ends_game and rng.random() < 0.4:
            return Answer(revision=revision, answer="accept", id=command_id)
        return Answer(revision=revision, answer=rng.choice(("decline", "withdraw")), id=command_id)
    return Confirm(revision=revision, id=command_id, lag=rng.choice((0, 250)))
