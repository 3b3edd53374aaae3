"""The state of one game, derived from its log. No I/O; times are passed as arguments."""

from __future__ import annotations

import collections
import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

from cairn.fairness import UNKNOWN_START, Proof
from cairn.server.game.chance import Chance, Seal
from cairn.server.game.clocks import LAG_CAP, Clock, milliseconds
from cairn.server.game.events import (
    BoardEvent,
    ClockPaused,
    Event,
    GameEnded,
    LinkRevealed,
    OfferGone,
    OfferMade,
    StartDealt,
    TokenPlayed,
    TokensUndone,
    TurnConfirmed,
)
from cairn.server.game.header import GameHeader
from cairn.server.game.log import GameProjection, LogPart, RatedResult, StoredGame, can_skip, standing_tokens
from cairn.server.game.names import TribeName, tribe_name
from cairn.server.game.seated_game import SeatedGame, Step
from cairn.server.game.seats import SeatPlayer
from cairn.vocabulary import CHANCE, FOREST, SEA, TRIBES, Decider, Outcome, Phase, Reason, Tribe


class OpenOffer(NamedTuple):
    """An offer that the other player can answer."""

    what: str
    """``draw`` or ``takeback``."""
    tokens: int
    """The number of tokens that a takeback would undo."""
    revision: int
    """The revision of the offer. An answer with an earlier revision is stale: its sender had not seen the offer."""


class GameState:
    """A game in memory.

    Methods that change the game return the events to store. After storing them, the caller calls
    :meth:`advance`, which updates ``revision`` and ``changed``.
    """

    def __init__(self, header: GameHeader) -> None:
        self.header: Final = header
        self.persons: Final = tuple(tribe for tribe in TRIBES if header.seats.of(tribe).kind == "person")
        """The tribes played by people."""
        self.start = header.start
        """The starting position. With sealed draws, it is unknown until both players have revealed their first link."""
        self.game = SeatedGame(header.start, header.seats, header.online)
        self.steps: Final[list[Step]] = []
        self.board_changed = header.created
        """The time of the last event that changed the board, the held turn or the held draw."""
        self.changed = header.created
        """The time of the last event."""
        self.paused = 0
        """How long the clocks have been paused so far, in milliseconds."""
        self.clock_revision = 0
        """The revision of the last decision that affected the clocks. Revealing a link counts as a decision."""
        self.clock: Clock | None = None
        """``None`` in a game without a time limit."""
        self.paid: Final[dict[Tribe, int]] = dict.fromkeys(TRIBES, 0)
        """The last turn that earned each tribe its increment. A turn earns it only once, even if it is played again."""
        self.offers: Final[dict[Tribe, OpenOffer]] = {}
        """Each player's open offer."""
        self.offers_made: Final[collections.Counter[tuple[Tribe, str, int]]] = collections.Counter()
        """The number of offers made, by tribe, kind and turn number. A takeback does not reset it."""
        self.undos: Final[collections.Counter[tuple[Tribe, int]]] = collections.Counter()
        """How many times each tribe has undone its own tokens, by the number of the current turn after the undo."""
        self.commands: Final[dict[str, int]] = {}
        """The revision that each executed command led to, by idempotency key."""
        self.players: dict[TribeName, SeatPlayer] | None = None
        """The players of an online game, once they have been loaded. Their ``online`` field is not kept up to date."""
        self._proof: Final = header.proof
        self._seal: Final = Seal(self._proof) if self._proof and self._proof.is_sealed else None
        self._key: Final = None if self._seal else self._proof.key if self._proof else header.seed
        """The key for all draws; ``None`` if the draws are sealed, because each draw then has its own key."""
        if header.online and header.online.control:
            computer = next((tribe for tribe in TRIBES if tribe not in self.persons), None)
            decider = self._awaited(self.game.decider)
            self.clock = Clock.start(header.online.control, decider, milliseconds(header.created), computer)

    @classmethod
    def replay(cls, stored: StoredGame) -> GameState:
        """Return the state after all events in a log."""
        state = cls(stored.header)
        done = state._restore(stored.log)
        state.follow(LogPart(stored.log.events[done:], stored.log.times[done:]))
        state.changed = stored.changed
        return state

    def follow(self, log: LogPart) -> int:
        """Apply stored events. Returns how many of the previous steps remain."""
        kept = len(self.steps)
        for event, at in zip(log.events, log.times, strict=True):
            self._apply(event, at)
            self.advance([event], at, event.command)
            kept = min(kept, len(self.steps))
        return kept

    def advance(self, events: Sequence[Event], at: datetime.datetime, command: str | None = None) -> None:
        """Record that these events have been stored."""
        changed_board = any(isinstance(event, BoardEvent) for event in events)
        self.game.advance(len(events), changed_board)
        if changed_board:
            self.board_changed, self.clock_revision = at, self.revision
        self.changed = at
        if command:
            self.commands[command] = self.revision

    # --- Changes

    def play(self, token: str, *, hold: bool, chance: Chance, at: datetime.datetime, lag: int = 0) -> list[Event]:
        """Play a token and draw the tile if one is due. Raises :class:`~cairn.CairnError` if the token is refused.

        With ``hold``, a draw and the end of the player's own turn wait for a confirmation.
        """
        played, *draws = self.game.play(token, chance.draw_key(self._key) if self._key else None, hold=hold)
        self._add(played, CHANCE if draws else self.game.decider, at, lag)
        event = TokenPlayed(played.token, hold=self.held is not None, lag=lag)
        if self._seal:
            return [event, *self.draw(chance, at)]
        return [event, *self._add_draws(draws, at)] if draws else [event]

    def draw(self, chance: Chance, at: datetime.datetime) -> list[Event]:
        """Draw tiles while chance decides and no confirmation or link is pending."""
        if self.owed:
            return []
        key = self._seal.key if self._seal else self._key or b""
        return self._add_draws(self.game.draw(chance.draw_key(key)), at)

    def reveal(self, revealed: LinkRevealed, chance: Chance, at: datetime.datetime) -> list[Event]:
        """Add a player's link, then deal or draw if none is missing. Raises ``ValueError`` if the link is wrong."""
        self._apply_sealed(revealed, at)
        if self.owed:
            return [revealed]
        if self._seal and self.start == UNKNOWN_START:
            dealt = StartDealt(self._seal.deal(chance))
            self._apply_sealed(dealt, at)
            return [revealed, dealt]
        return [revealed, *self.draw(chance, at)]

    def undo(self, count: int, at: datetime.datetime, by: Tribe | None = None) -> list[Event]:
        """Take back the last tokens. ``by`` is the tribe that undid its own tokens; ``None`` if both players agreed."""
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
        """Confirm the held turn or draw, and draw the tile if one is due."""
        self._after_confirmation(at, lag)
        return [TurnConfirmed(lag), *self.draw(chance, at)]

    def declare(self, end: GameEnded, at: datetime.datetime) -> list[Event]:
        """End the game off the board, for example by resignation."""
        self.game.end(Outcome(Tribe(end.winner) if end.winner else None, Reason(end.reason)))
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
        self._count(paused)
        return [paused]

    # --- Queries

    @property
    def revision(self) -> int:
        """The number of stored events."""
        return self.game.revision

    @property
    def held(self) -> Tribe | None:
        """The tribe that has to confirm its completed turn or the next tile draw."""
        return self.game.held

    @property
    def computer_level(self) -> int | None:
        """The computer's level, if the computer has to decide now."""
        return self.game.computer_level or None

    @property
    def turn(self) -> int:
        """The number of the current turn, starting at 1. If the game has ended on the board, this is the last turn."""
        return self.game.turn

    @property
    def to_move(self) -> Tribe | None:
        """The tribe that has to decide, to confirm or to reveal a link; ``None`` when the game is over."""
        return self.owed[0] if self.owed else self.game.to_move

    @property
    def owed(self) -> Sequence[Tribe]:
        """In a game with sealed draws, the tribes that have to reveal a link. The clock of the first one is running."""
        if self._seal is None or self.game.is_over:
            return ()
        if self.start == UNKNOWN_START:
            return self._seal.owed_for_start()
        if self.game.phase is Phase.DRAW and not self.held:
            return self._seal.owed_for_draw(Tribe(self.steps[-1].by), self.start, self.game.text)
        return ()

    @property
    def proof(self) -> Proof | None:
        """The values that determine an online game's draws. The seed is included only after the game has ended."""
        proof = self._seal.proof if self._seal else self._proof
        return proof if proof is None or self.game.is_over else proof.hidden()

    @property
    def deadline(self) -> int | None:
        """When the running clock reaches zero, in milliseconds."""
        return self.clock.deadline() if self.clock and not self.game.is_over else None

    @property
    def clock_check(self) -> int | None:
        """When to check whether a flag has fallen: at the deadline plus the maximum lag compensation."""
        return None if self.deadline is None else self.deadline + LAG_CAP

    def projection(self, events: int, at: datetime.datetime) -> GameProjection:
        """The projection after ``events`` more events have been stored."""
        outcome, to_move = self.game.outcome, self.to_move
        return GameProjection(
            revision=self.revision + events,
            changed=at,
            turns=self.steps[-1].turn if self.steps else 0,
            position=self.game.text,
            decider=tribe_name(to_move) if to_move else None,
            winner=tribe_name(outcome.winner) if outcome and outcome.winner else None,
            reason=outcome.reason.value if outcome else None,
            waits_for_computer=self.computer_level is not None,
            deadline=self.deadline,
            result=RatedResult.of(self.header, outcome) if outcome else None,
        )

    # --- Internals

    def _restore(self, log: LogPart) -> int:
        """Restore the state after the last undo in the log. Returns how many events no longer have to be applied.

        Only tokens that were not taken back are played. The events record the lasting effects of the other tokens.
        """
        last = max((number for number, event in enumerate(log.events) if isinstance(event, TokensUndone)), default=-1)
        events = log.events[: last + 1]
        if self.header.online and not can_skip(events):
            return 0
        self._follow_sealed(events)
        self.steps.extend(self.game.follow_all(standing_tokens(events)))
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
        """Count offers and undos, which are limited per turn, and add up the pauses."""
        match event:
            case ClockPaused(milliseconds=pause):
                self.paused += pause
            case OfferMade(tribe, what, turn=turn):
                self.offers_made[Tribe(tribe), what, turn or self.turn] += 1
            case TokensUndone(by=str(tribe), turn=int(turn)):
                self.undos[Tribe(tribe), turn] += 1

    def _apply(self, event: Event, at: datetime.datetime) -> None:
        """Apply one event from the log."""
        match event:
            case TokenPlayed(token, hold, lag):
                self._add(self.game.follow(token, hold=hold), self.game.decider, at, lag)
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
            case LinkRevealed() | StartDealt():
                self._apply_sealed(event, at)

    def _follow_sealed(self, events: Sequence[Event]) -> None:
        """Apply only the links and the starting position, without changing the clock."""
        for event in events:
            match event:
                case LinkRevealed(tribe, link) if self._seal:
                    self._seal.add(Tribe(tribe), link)
                case StartDealt(start):
                    revision, self.start = self.revision, start
                    self.game = SeatedGame(start, self.header.seats, self.header.online)
                    self.game.advance(revision, changed_board=True)

    def _apply_sealed(self, event: LinkRevealed | StartDealt, at: datetime.datetime) -> None:
        self._follow_sealed([event])
        if self.clock and isinstance(event, StartDealt):
            self.clock = self.clock.decided(milliseconds(at), self.game.decider)
        elif self.clock and isinstance(event, LinkRevealed) and self.clock.running is Tribe(event.tribe):
            self.clock = self.clock.decided(milliseconds(at), self._awaited(CHANCE), lag=event.lag)
            self.clock_revision = self.revision + 1

    def _awaited(self, decider: Decider) -> Decider:
        """The first tribe that owes a link, if there is one; otherwise the decider."""
        return self.owed[0] if self.owed else decider

    def _add(self, step: Step, decider: Decider, at: datetime.datetime, lag: int = 0) -> None:
        """Add a step that has been played. ``decider`` decides next."""
        self.steps.append(step)
        for tribe, offer in list(self.offers.items()):
            # A takeback request refers to the tokens before it. A draw offer stays open until the other player decides.
            if offer.what == "takeback" or step.by not in (tribe.value, "chance"):
                del self.offers[tribe]
        if decider is None:
            self.offers.clear()
        if self.clock:
            self.clock = self._clock_after(self.clock, step, decider, milliseconds(at), lag)

    def _add_draws(self, draws: Sequence[Step], at: datetime.datetime) -> list[Event]:
        """Add the tiles that were drawn one after another."""
        for number, step in enumerate(draws, start=1):
            self._add(step, CHANCE if number < len(draws) else self.game.decider, at)
        return [TokenPlayed(step.token) for step in draws]

    def _take_back(self, count: int, at: datetime.datetime) -> None:
        if not self.game.take_back(count):
            raise ValueError(f"cannot take back {count} tokens: only {len(self.steps)} have been played")
        del self.steps[-count:]
        self.offers.clear()
        if self.clock:
            self.clock = self.clock.undone(milliseconds(at), self.game.decider)

    def _after_confirmation(self, at: datetime.datetime, lag: int) -> None:
        held = self.held
        self.game.follow_confirmation()
        if self.clock:
            ended_by = self._pay(held)
            decider = self._awaited(self.game.decider)
            self.clock = self.clock.decided(milliseconds(at), decider, turn_ended_by=ended_by, lag=lag)

    def _clock_after(self, clock: Clock, step: Step, decider: Decider, at: int, lag: int) -> Clock:
        if decider is None:
            return clock.stopped(at)
        if held := self.held:
            return clock.decided(at, held, lag=lag)
        ended_by = self._pay(Tribe(step.active)) if decider is not CHANCE else None
        return clock.decided(at, self.owed[0] if self.owed else decider, turn_ended_by=ended_by, lag=lag)

    def _pay(self, tribe: Tribe | None) -> Tribe | None:
        """Return the tribe if it has just ended a turn that had not yet earned it an increment; otherwise ``None``."""
        turn = self.steps[-1].turn
        if tribe is None or self.game.phase is not Phase.ACTION or self.paid[tribe] >= turn:
            return None
        self.paid[tribe] = turn
        return tribe
