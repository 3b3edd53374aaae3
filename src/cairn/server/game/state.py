"""The state of one game, derived from its log. No I/O; times are passed as arguments."""

from __future__ import annotations

import collections
import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

from cairn.fairness import Proof
from cairn.game import Game
from cairn.server.game.chance import Chance
from cairn.server.game.clocks import LAG_CAP, Clock, milliseconds
from cairn.server.game.events import (
    BoardEvent,
    ClockPaused,
    Event,
    GameEnded,
    OfferGone,
    OfferMade,
    TokenPlayed,
    TokensUndone,
    TurnConfirmed,
)
from cairn.server.game.header import GameHeader
from cairn.server.game.log import GameProjection, LogPart, RatedResult, StoredGame
from cairn.server.game.names import TribeName, tribe_name
from cairn.server.game.seats import SeatPlayer
from cairn.server.game.steps import Step, play_steps
from cairn.vocabulary import FOREST, SEA, TRIBES, Draw, Outcome, Phase, Reason, Tribe, Variant


class OpenOffer(NamedTuple):
    """An offer that the other player can answer."""

    what: str
    """``draw`` or ``takeback``."""
    tokens: int
    """The number of tokens that a takeback would undo."""
    revision: int
    """The revision of the offer. An answer that names an earlier one is stale: its sender had not seen the offer."""


class GameState:
    """A game in memory.

    Methods that change the game return the events to store. After storing them, the caller calls
    :meth:`advance`, which updates ``revision`` and ``changed``.
    """

    def __init__(self, header: GameHeader) -> None:
        self.header: Final = header
        self.persons: Final = tuple(tribe for tribe in TRIBES if header.seats.of(tribe).kind == "person")
        """The tribes that people play."""
        self.game: Final = Game(header.start)
        self.steps: Final[list[Step]] = []
        self.held: Tribe | None = None
        """The tribe that has to confirm: its turn is complete, or a tile is about to be drawn."""
        self.revision = 0
        """The number of stored events."""
        self.board_revision = 0
        """The last revision that changed the board or ``held``. A command that names it or a later one is not stale."""
        self.board_changed = header.created
        """The time of that revision."""
        self.changed = header.created
        """The time of the last event."""
        self.pause_revision = 0
        """The revision of the last pause."""
        self.clock: Clock | None = None
        """``None`` in a game without a time limit."""
        self.paid: Final[dict[Tribe, int]] = dict.fromkeys(TRIBES, 0)
        """The last turn that earned each tribe its increment. A turn earns it only once, even if it is played again."""
        self.offers: Final[dict[Tribe, OpenOffer]] = {}
        """The open offer of each player."""
        self.offers_made: Final[collections.Counter[tuple[Tribe, str, int]]] = collections.Counter()
        """How often each tribe has made each kind of offer, by turn number. Taking back a turn does not reset it."""
        self.undos: Final[collections.Counter[tuple[Tribe, int]]] = collections.Counter()
        """How often each tribe has undone its own tokens, by the number of the turn that it went back to."""
        self.commands: Final[dict[str, int]] = {}
        """The revision that each executed command led to, by its idempotency key."""
        self.players: dict[TribeName, SeatPlayer] | None = None
        """The players of an online game, once they have been loaded; their ``online`` is not kept up to date."""
        if header.online and header.online.control:
            computer = next((tribe for tribe in TRIBES if tribe not in self.persons), None)
            self.clock = Clock.start(header.online.control, self.game.decider, milliseconds(header.created), computer)
        self._proof: Final = _proof_of(header)
        self._key: Final = self._proof.key if self._proof else header.seed

    @classmethod
    def replay(cls, stored: StoredGame) -> GameState:
        """The state after all events of a log."""
        state = cls(stored.header)
        done = state._restore(stored.log)
        state.follow(LogPart(stored.log.events[done:], stored.log.times[done:]))
        state.changed = stored.changed
        return state

    def follow(self, log: LogPart) -> int:
        """Apply stored events. Returns how many of the previous steps still stand."""
        kept = len(self.steps)
        for event, at in zip(log.events, log.times, strict=True):
            self._apply(event, at)
            self.advance([event], at, event.command)
            kept = min(kept, len(self.steps))
        return kept

    def advance(self, events: Sequence[Event], at: datetime.datetime, command: str | None = None) -> None:
        """Record that these events have been stored."""
        self.revision += len(events)
        if any(isinstance(event, BoardEvent) for event in events):
            self.board_revision, self.board_changed = self.revision, at
        elif events and isinstance(events[0], ClockPaused):
            self.pause_revision = self.revision
        self.changed = at
        if command:
            self.commands[command] = self.revision

    # --- Changes

    def play(
        self, token: str, *, hold: bool, chance: Chance | None, at: datetime.datetime, lag: int = 0
    ) -> list[Event]:
        """Play a token and draw the tiles that it needs; :class:`~cairn.CairnError` if it cannot be played.

        With ``hold``, a draw and the end of the player's own turn wait for a confirmation. Without ``chance``, the
        token comes from the log: its draws are separate events, and the end of any turn waits for a confirmation.
        """
        (step,) = play_steps(self.game, [token], turn=self.turn)
        self.steps.append(step)
        if chance and step.by != step.active and self.game.phase is not Phase.DRAW:
            hold = False
        self.held = self._holder(step) if hold else None
        for tribe, offer in list(self.offers.items()):
            # A takeback refers to the tokens before it. A draw offer stands until the other player decides.
            if offer.what == "takeback" or step.by not in (tribe.value, "chance"):
                del self.offers[tribe]
        if self.game.outcome is not None:
            self.offers.clear()
        if self.clock:
            self.clock = self._clock_after(self.clock, step, milliseconds(at), lag)
        played = TokenPlayed(step.token, hold=self.held is not None, lag=lag)
        return [played, *self.draw(chance, at)] if chance and self.game.phase is Phase.DRAW else [played]

    def draw(self, chance: Chance, at: datetime.datetime) -> list[Event]:
        """Draw tiles while chance decides and no confirmation is pending."""
        events: list[Event] = []
        while self.game.phase is Phase.DRAW and self.held is None:
            number = sum(1 for step in self.steps if step.by == "chance")
            tile = chance.draw(self._key, number, self.game.board.setup.deck.draws())
            drawn = TokenPlayed(str(Draw(tile)))
            self._apply(drawn, at)
            events.append(drawn)
        return events

    def undo(self, count: int, at: datetime.datetime, by: Tribe | None = None) -> list[Event]:
        """Take back the last tokens. ``by`` is a tribe that undoes its own; ``None`` if the other player agreed."""
        self._take_back(count, at)
        if self.header.online is None:
            return [TokensUndone(count)]
        clock, paid = self.clock, self.paid
        undone = TokensUndone(
            count,
            by=by.value if by else None,
            turn=self.turn,
            forest=clock.forest if clock else None,
            sea=clock.sea if clock else None,
            forest_paid=paid[FOREST] if clock else None,
            sea_paid=paid[SEA] if clock else None,
        )
        self._count(undone)
        return [undone]

    def confirm(self, chance: Chance, at: datetime.datetime, lag: int = 0) -> list[Event]:
        """Confirm the held turn or draw, and draw the tiles that it needs."""
        confirmed = TurnConfirmed(lag)
        self._apply(confirmed, at)
        return [confirmed, *self.draw(chance, at)]

    def declare(self, end: GameEnded, at: datetime.datetime) -> list[Event]:
        """End the game for a reason that the board does not show."""
        self.game.end(Outcome(Tribe(end.winner) if end.winner else None, Reason(end.reason)))
        self.held = None
        self.offers.clear()
        if self.clock:
            self.clock = self.clock.stopped(milliseconds(at))
        return [end]

    def offer(self, offer: OfferMade) -> list[Event]:
        """Open an offer to the other player."""
        self.offers[Tribe(offer.tribe)] = OpenOffer(offer.what, offer.tokens, self.revision + 1)
        self._count(offer)
        return [offer]

    def end_offer(self, tribe: Tribe) -> list[Event]:
        """Close an offer that was declined or withdrawn."""
        del self.offers[tribe]
        return [OfferGone(tribe.value)]

    def pause(self, paused: ClockPaused, at: datetime.datetime) -> list[Event]:
        """Give back the time during which the server was down."""
        if self.clock:
            now = milliseconds(at)
            self.clock = self.clock.paused(now - paused.milliseconds).resumed(now)
        return [paused]

    # --- Queries

    @property
    def computer_level(self) -> int | None:
        """The level of the computer, if it has to decide now."""
        decider = self.game.decider
        return self.header.seats.of(decider).level if isinstance(decider, Tribe) and self.held is None else None

    @property
    def turn(self) -> int:
        """The number of the current turn, starting at 1; of the last turn if the game has ended on the board."""
        begins = self.game.board.phase is Phase.ACTION and not self.game.is_repetition
        return self.steps[-1].turn + begins if self.steps else 1

    @property
    def to_move(self) -> Tribe | None:
        """The tribe that has to decide or confirm; ``None`` when the game is over."""
        decider = self.game.decider
        return self.held or (decider if isinstance(decider, Tribe) else None)

    @property
    def proof(self) -> Proof | None:
        """The values that determine an online game's draws. The seed is included only after the game has ended."""
        if self._proof is None:
            return None
        return self._proof if self.game.outcome is not None else self._proof.hidden()

    @property
    def deadline(self) -> int | None:
        """When the running clock reaches zero, in milliseconds."""
        return self.clock.deadline() if self.clock and self.game.outcome is None else None

    @property
    def clock_check(self) -> int | None:
        """When to check whether a flag has fallen: at the deadline, after the largest compensated lag."""
        deadline = self.deadline
        return None if deadline is None else deadline + LAG_CAP

    def projection(self, events: int, at: datetime.datetime) -> GameProjection:
        """The projection after storing this many more events."""
        outcome, to_move = self.game.outcome, self.to_move
        return GameProjection(
            revision=self.revision + events,
            changed=at,
            turns=self.steps[-1].turn if self.steps else 0,
            position=self.game.board.text,
            decider=tribe_name(to_move) if to_move else None,
            winner=tribe_name(outcome.winner) if outcome and outcome.winner else None,
            reason=outcome.reason.value if outcome else None,
            waits_for_computer=self.computer_level is not None,
            deadline=self.deadline,
            result=self._rated_result(outcome) if outcome else None,
        )

    # --- Internals

    def _restore(self, log: LogPart) -> int:
        """Restore the state after the last undo in the log. Returns how many events no longer have to be applied.

        Only tokens that still stand are played. The lasting effects of the others are recorded in the events.
        """
        last = max((number for number, event in enumerate(log.events) if isinstance(event, TokensUndone)), default=-1)
        events = log.events[: last + 1]
        if self.header.online and not _can_skip(events):
            return 0
        self.steps.extend(play_steps(self.game, _standing_tokens(events), turn=1))
        for event, at in zip(events, log.times, strict=False):
            self._count(event)
            self.advance([event], at, event.command)
        if events and isinstance(undone := events[-1], TokensUndone):
            self._restore_clock(undone, self.changed)
        return len(events)

    def _restore_clock(self, undone: TokensUndone, at: datetime.datetime) -> None:
        if self.clock and undone.forest is not None and undone.sea is not None:
            self.clock = self.clock.restored(undone.forest, undone.sea, self.game.decider, milliseconds(at))
            self.paid.update({FOREST: undone.forest_paid or 0, SEA: undone.sea_paid or 0})

    def _count(self, event: Event) -> None:
        """Count an offer or an undo, both of which are limited per turn."""
        match event:
            case OfferMade(tribe, what, turn=turn):
                self.offers_made[Tribe(tribe), what, turn or self.turn] += 1
            case TokensUndone(by=str(tribe), turn=int(turn)):
                self.undos[Tribe(tribe), turn] += 1

    def _apply(self, event: Event, at: datetime.datetime) -> None:
        """Apply one event from the log."""
        match event:
            case TokenPlayed(token, hold, lag):
                self.play(token, hold=hold, chance=None, at=at, lag=lag)
            case TokensUndone(count, turn=turn):
                self._take_back(count, at)
                self._count(event)
                if turn is None:  # in version 0.1, a turn that was played again earned another increment
                    self.paid.update(dict.fromkeys(TRIBES, 0))
            case TurnConfirmed(lag):
                self._after_confirmation(at, lag)
            case GameEnded():
                self.declare(event, at)
            case OfferMade():
                self.offer(event)
            case OfferGone(tribe):
                self.end_offer(Tribe(tribe))
            case ClockPaused():
                self.pause(event, at)

    def _take_back(self, count: int, at: datetime.datetime) -> None:
        for _ in range(count):
            self.game.pop()
        del self.steps[-count:]
        self.held = None
        self.offers.clear()
        if self.clock:
            self.clock = self.clock.undone(milliseconds(at), self.game.decider)

    def _after_confirmation(self, at: datetime.datetime, lag: int) -> None:
        if self.clock:
            ended_by = self._pay(self.held)
            self.clock = self.clock.decided(milliseconds(at), self.game.decider, turn_ended_by=ended_by, lag=lag)
        self.held = None

    def _holder(self, step: Step) -> Tribe | None:
        """The tribe that has to confirm a token: the decider before a draw, the active tribe at the end of its turn."""
        if self.game.phase is Phase.DRAW:
            return Tribe(step.by)
        return Tribe(step.active) if self._turn_ended else None

    @property
    def _turn_ended(self) -> bool:
        """Whether the last token ended a turn but not the game."""
        return self.game.phase is Phase.ACTION

    def _clock_after(self, clock: Clock, step: Step, at: int, lag: int) -> Clock:
        if self.game.outcome is not None:
            return clock.stopped(at)
        if self.held:
            return clock.decided(at, self.held, lag=lag)
        ended_by = self._pay(Tribe(step.active))
        return clock.decided(at, self.game.decider, turn_ended_by=ended_by, lag=lag)

    def _pay(self, tribe: Tribe | None) -> Tribe | None:
        """The tribe, if it has just ended a turn that has not earned it an increment before; otherwise ``None``."""
        turn = self.steps[-1].turn
        if tribe is None or not self._turn_ended or self.paid[tribe] >= turn:
            return None
        self.paid[tribe] = turn
        return tribe

    def _rated_result(self, outcome: Outcome) -> RatedResult | None:
        online, variant = self.header.online, self.header.variant
        if online is None or variant is None or not online.rated:
            return None
        score = 0.5 if outcome.winner is None else float(outcome.winner is FOREST)
        return RatedResult(self.header.id, variant, online.seats["forest"].player, online.seats["sea"].player, score)


def _standing_tokens(events: Sequence[Event]) -> list[str]:
    """The tokens that are not taken back by a later event."""
    standing: list[str] = []
    for event in events:
        match event:
            case TokenPlayed(token):
                standing.append(token)
            case TokensUndone(count):
                del standing[-count:]
    return standing


def _can_skip(events: Sequence[Event]) -> bool:
    """Whether the events record everything that undone tokens leave behind. Logs from version 0.1 do not."""
    return all(event.turn is not None for event in events if isinstance(event, OfferMade | TokensUndone))


def _proof_of(header: GameHeader) -> Proof | None:
    online = header.online
    if online is None or header.variant is None:
        return None
    return Proof(
        commitment=online.commitment,
        seed=header.seed,
        forest_number=online.forest_number,
        sea_number=online.sea_number,
        game=header.id,
        variant=Variant(header.variant),
        first=Tribe(online.first) if online.first else None,
        tossed=Tribe(online.tossed) if online.tossed else None,
        version=online.proof_version,
    )
