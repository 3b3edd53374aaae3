"""A game in memory: what replaying its log gives, and what may be done next."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Collection, Sequence
from typing import Final, Literal, TypeAlias

from cairn.fairness import Proof
from cairn.game import Game
from cairn.server.chance import Chance
from cairn.server.clocks import Clock
from cairn.server.events import (
    ClockPaused,
    Event,
    GameEnded,
    OfferGone,
    OfferMade,
    TokenPlayed,
    TokensUndone,
    TurnConfirmed,
)
from cairn.server.models import DeciderName, Seat, SeatPlayer, Step, TribeName, UndoBarrier, UndoOffer
from cairn.server.online_storage import RatedResult
from cairn.server.steps import step, steps
from cairn.server.storage import Head, Standing, StoredGame
from cairn.vocabulary import FOREST, TRIBES, Draw, Outcome, Phase, Reason, Tribe, Variant

DRAWN: Final[DeciderName] = "chance"
Scope: TypeAlias = Literal["step", "turn"]


class LiveGame:
    """The state of a game. Its methods change the state and return the events that say so; who calls them stores those.

    ``revision`` and ``changed`` move when that is done: :meth:`advance`.
    """

    def __init__(self, head: Head) -> None:
        self.head: Final = head
        self.persons: Final = tuple(tribe for tribe in TRIBES if self.seat(tribe).kind == "person")
        """The tribes that persons play."""
        self.game: Final = Game(head.start)
        self.steps: Final[list[Step]] = []
        self.held: Tribe | None = None
        """The tribe that has to confirm what it did: its turn is finished, or a tile is to be drawn."""
        self.revision = 0
        """How many events are stored."""
        self.settled = 0
        """The revision since which nothing happened, but that clocks paused: who has seen it may decide."""
        self.changed = head.created
        """When the last one was."""
        self.clock: Clock | None = None
        """Of an online game with a limit."""
        self.offers: Final[dict[Tribe, OfferMade]] = {}
        """What each player asks of the other."""
        self.last_draw_offer: Final[dict[Tribe, int]] = {}
        """In which turn each last offered a draw."""
        self.commands: Final[dict[str, int]] = {}
        """Commands that were done, by their keys, and the revisions that they led to."""
        self.people: dict[TribeName, SeatPlayer] | None = None
        """The players of an online game, if somebody has looked them up; whether they are at the table is not in it."""
        if head.online and head.online.control:
            computer = next((tribe for tribe in TRIBES if self.seat(tribe).kind == "computer"), None)
            self.clock = Clock.start(head.online.control, self.game.decider, milliseconds(head.created), computer)
        self._proof: Final = _proof_of(head)
        self._key: Final = self._proof.key if self._proof else head.seed

    @classmethod
    def replay(cls, stored: StoredGame) -> LiveGame:
        """The state that a log leads to."""
        live = cls(stored.head)
        if stored.head.online:
            live.follow(stored.events, stored.times)
        else:
            live._replay_local(stored.events)
        live.changed = stored.changed
        return live

    def follow(self, events: Sequence[Event], times: Sequence[datetime.datetime]) -> int:
        """Let events happen that are stored already. How many of the steps before them still stand."""
        kept = len(self.steps)
        for event, at in zip(events, times, strict=True):
            self._apply(event, at)
            self.advance([event], at, event.command)
            kept = min(kept, len(self.steps))
        return kept

    def advance(self, events: Sequence[Event], at: datetime.datetime, command: str | None = None) -> None:
        """These events are stored."""
        self.revision += len(events)
        if not all(isinstance(event, ClockPaused) for event in events):
            self.settled = self.revision
        self.changed = at
        if command:
            self.commands[command] = self.revision

    # --- Changing

    def play(self, token: str, *, hold: bool, chance: Chance, at: datetime.datetime, lag: int = 0) -> list[Event]:
        """Play a token, and draw what it needs; :class:`~cairn.CairnError` if it cannot be played.

        With ``hold`` a draw waits to be confirmed, and so does the end of one's own turn.
        """
        told = self._push(token)
        own = told.by == told.active
        self._settle(told, hold and (own or self.game.phase is Phase.DRAW), at, lag)
        return [TokenPlayed(told.token, hold=self.held is not None, lag=lag), *self.draw(chance, at)]

    def draw(self, chance: Chance, at: datetime.datetime) -> list[Event]:
        """Draw as long as chance decides, and nobody has to confirm that."""
        events: list[Event] = []
        while self.game.phase is Phase.DRAW and self.held is None:
            number = sum(1 for each in self.steps if each.by == DRAWN)
            tile = chance.draw(self._key, number, self.game.board.setup.deck.draws())
            drawn = TokenPlayed(str(Draw(tile)))
            self._apply(drawn, at)
            events.append(drawn)
        return events

    def undo(self, count: int, at: datetime.datetime) -> list[Event]:
        """Take the last tokens back."""
        for _ in range(count):
            self.game.pop()
        del self.steps[-count:]
        self.held = None
        self.offers.clear()
        if self.clock:
            self.clock = self.clock.undone(milliseconds(at), self.game.decider)
        return [TokensUndone(count)]

    def confirm(self, chance: Chance, at: datetime.datetime, lag: int = 0) -> list[Event]:
        """What was held stands, and what it needs is drawn."""
        confirmed = TurnConfirmed(lag)
        self._apply(confirmed, at)
        return [confirmed, *self.draw(chance, at)]

    def declare(self, end: GameEnded, at: datetime.datetime) -> list[Event]:
        """The game ends by something that the board does not show."""
        self.game.end(Outcome(tribe_named(end.winner) if end.winner else None, Reason(end.reason)))
        self.held = None
        self.offers.clear()
        if self.clock:
            self.clock = self.clock.stopped(milliseconds(at))
        return [end]

    def offer(self, offer: OfferMade) -> list[Event]:
        """A player asks the other for something."""
        tribe = tribe_named(offer.tribe)
        self.offers[tribe] = offer
        if offer.what == "draw":
            self.last_draw_offer[tribe] = self.turn
        return [offer]

    def end_offer(self, tribe: Tribe) -> list[Event]:
        """An offer is declined or withdrawn."""
        del self.offers[tribe]
        return [OfferGone(tribe.value)]

    def pause(self, paused: ClockPaused, at: datetime.datetime) -> list[Event]:
        """The server was down."""
        if self.clock:
            now = milliseconds(at)
            self.clock = self.clock.paused(now - paused.milliseconds).resumed(now)
        return [paused]

    # --- Looking

    def seat(self, tribe: Tribe) -> Seat:
        """Who plays that tribe."""
        return self.head.seats.forest if tribe is FOREST else self.head.seats.sea

    @property
    def computer_level(self) -> int | None:
        """The level of the computer, if it is to decide now."""
        decider = self.game.decider
        return self.seat(decider).level if isinstance(decider, Tribe) and self.held is None else None

    @property
    def turn(self) -> int:
        """The number of the running turn, from 1; of the last one, once the game is over on the board."""
        begins = self.game.board.phase is Phase.ACTION and not self.game.is_repetition
        return self.steps[-1].turn + begins if self.steps else 1

    @property
    def asked(self) -> Tribe | None:
        """Who decides, or has something to confirm; ``None`` when the game is over."""
        decider = self.game.decider
        return self.held or (decider if isinstance(decider, Tribe) else None)

    @property
    def proof(self) -> Proof | None:
        """What the draws of an online game follow from: with the seed once the game is over, and never before."""
        if self._proof is None:
            return None
        return self._proof if self.game.outcome is not None else self._proof.hidden()

    @property
    def deadline(self) -> int | None:
        """When somebody's time is up, in milliseconds."""
        return self.clock.deadline() if self.clock and self.game.outcome is None else None

    def undoable(self, scope: Scope) -> int:
        """How many tokens can be taken back without asking anybody; 0 if there is nothing to undo.

        A step goes back to the last decision of a person, whatever the computer decided since. A turn goes back to the
        start of a person's turn: the running one, or the last one before it. Nothing goes back past a drawn tile. In
        an online game only who is to decide takes back, and only their own decisions; when it is over, nobody does.
        """
        back = self._back(scope)
        return back if isinstance(back, int) else 0

    def takeback(self, tribe: Tribe, scope: Scope) -> int:
        """How many tokens a takeback by consent would take back: also decisions of the other, but no drawn tile."""
        back = "over" if self.game.outcome is not None else self._back_to(scope, [tribe])
        return back if isinstance(back, int) else 0

    @property
    def undo_offer(self) -> UndoOffer:
        """What can be taken back now, or why nothing can."""
        step = self._back("step")
        if not isinstance(step, int):  # a turn begins with a decision: where none can be taken back, no turn can
            return _undo_offer(step, step)
        turn = step if self.steps[-step].phase == "action" else self._back("turn")  # a turn's first decision is both
        return _undo_offer(None, None if isinstance(turn, int) else turn)

    def standing(self, events: int, at: datetime.datetime) -> Standing:
        """Where the game stands, once so many more events are stored."""
        outcome, asked = self.game.outcome, self.asked
        return Standing(
            revision=self.revision + events,
            changed=at,
            turns=self.steps[-1].turn if self.steps else 0,
            position=self.game.board.text,
            decider=asked.value if asked else None,
            winner=outcome.winner.value if outcome and outcome.winner else None,
            reason=outcome.reason.value if outcome else None,
            waits_for_computer=self.computer_level is not None,
            deadline=self.deadline,
            result=self._rated_result(outcome),
        )

    # --- Inside

    def _replay_local(self, events: Sequence[Event]) -> None:
        """Tokens that were taken back need not be told where no clock ran, so first find those that were not."""
        tokens: list[str] = []
        for event in events:
            match event:
                case TokenPlayed(token):
                    tokens.append(token)
                case TokensUndone(count):
                    del tokens[-count:]
        self.steps.extend(steps(self.game, tokens))
        match events[-1:]:
            case (TokenPlayed(hold=True),):
                self.held = self._holder(self.steps[-1])
            case (GameEnded() as end,):
                self.declare(end, self.head.created)
        for number, event in enumerate(events, start=1):
            if event.command:
                self.commands[event.command] = number
        self.revision = self.settled = len(events)

    def _apply(self, event: Event, at: datetime.datetime) -> None:
        """Let an event of the log happen again."""
        match event:
            case TokenPlayed(token, hold, lag):
                self._settle(self._push(token), hold, at, lag)
            case TokensUndone(count):
                self.undo(count, at)
            case TurnConfirmed(lag):
                self._confirmed(at, lag)
            case GameEnded():
                self.declare(event, at)
            case OfferMade():
                self.offer(event)
            case OfferGone(tribe):
                self.end_offer(tribe_named(tribe))
            case ClockPaused():
                self.pause(event, at)

    def _push(self, token: str) -> Step:
        """Play a token; :meth:`_settle` follows."""
        told = step(self.game, token, turn=self.turn)
        self.steps.append(told)
        return told

    def _settle(self, told: Step, hold: bool, at: datetime.datetime, lag: int) -> None:
        """Let clocks and offers follow a token, which waits to be confirmed if ``hold`` says so."""
        self.held = self._holder(told) if hold else None
        for tribe, offer in list(self.offers.items()):
            # A takeback is of the tokens that stood there; a draw can be accepted until the other decides.
            if offer.what == "takeback" or told.by not in (tribe.value, DRAWN):
                del self.offers[tribe]
        if self.game.outcome is not None:
            self.offers.clear()
        if self.clock:
            self.clock = self._clock_after(self.clock, told, milliseconds(at), lag)

    def _holder(self, told: Step) -> Tribe | None:
        """Who can confirm a token: a draw, whoever decided it; the end of a turn, whose turn it was."""
        if self.game.phase is Phase.DRAW:
            return tribe_named(told.by)
        return tribe_named(told.active) if self._turn_ended else None

    def _confirmed(self, at: datetime.datetime, lag: int) -> None:
        if self.clock:
            ended_by = self.held if self._turn_ended else None
            self.clock = self.clock.decided(milliseconds(at), self.game.decider, turn_ended_by=ended_by, lag=lag)
        self.held = None

    @property
    def _turn_ended(self) -> bool:
        """Whether the last token ended a turn, and the game goes on."""
        return self.game.phase is Phase.ACTION

    def _clock_after(self, clock: Clock, told: Step, at: int, lag: int) -> Clock:
        if self.game.outcome is not None:
            return clock.stopped(at)
        if self.held:
            return clock.decided(at, self.held, lag=lag)
        ended_by = tribe_named(told.active) if self._turn_ended else None
        return clock.decided(at, self.game.decider, turn_ended_by=ended_by, lag=lag)

    def _back(self, scope: Scope) -> int | UndoBarrier:
        """As :meth:`undoable` has it, or why there is nothing to undo."""
        if self.head.online is None:
            return "over" if self.game.declared else self._back_to(scope, self.persons)
        if self.game.outcome is not None or self.asked is None:
            return "over"
        if not self.head.online.rated and len(self.persons) == 1:
            return self._back_to(scope, self.persons)
        if self.asked not in self.persons:
            return "other"
        return self._back_to(scope, [self.asked], own_only=True)

    def _back_to(self, scope: Scope, tribes: Collection[Tribe], *, own_only: bool = False) -> int | UndoBarrier:
        """How many tokens lie behind the last decision of one of the tribes, or the start of one of their turns."""
        names = {tribe.value for tribe in tribes}
        for back, each in enumerate(reversed(self.steps), start=1):
            if each.by == DRAWN:
                return "drawn"
            if own_only and each.by not in names:
                return "other"
            if scope == "step" and each.by in names:
                return back
            if scope == "turn" and each.phase == "action" and each.active in names:
                return back
        return "nothing"

    def _rated_result(self, outcome: Outcome | None) -> RatedResult | None:
        online, variant = self.head.online, self.head.variant
        if outcome is None or online is None or variant is None or not online.rated:
            return None
        score = 0.5 if outcome.winner is None else float(outcome.winner is FOREST)
        return RatedResult(self.head.id, variant, online.seats["forest"].player, online.seats["sea"].player, score)


@functools.cache  # there are not many
def _undo_offer(no_step: UndoBarrier | None, no_turn: UndoBarrier | None) -> UndoOffer:
    return UndoOffer(step=no_step is None, turn=no_turn is None, no_step=no_step, no_turn=no_turn)


def tribe_named(name: TribeName | str) -> Tribe:
    """The tribe of that name."""
    return Tribe(name)


def milliseconds(at: datetime.datetime) -> int:
    """A time as clocks have it."""
    return int(at.timestamp() * 1000)


def _proof_of(head: Head) -> Proof | None:
    online = head.online
    if online is None or head.variant is None:
        return None
    return Proof(
        commitment=online.commitment,
        seed=head.seed,
        forest_number=online.forest_number,
        sea_number=online.sea_number,
        game=head.id,
        variant=Variant(head.variant),
        first=tribe_named(online.first) if online.first else None,
        tossed=tribe_named(online.tossed) if online.tossed else None,
    )
