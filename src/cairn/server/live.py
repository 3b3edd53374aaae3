"""A game in memory: what replaying its log gives, and what may be done next."""

from __future__ import annotations

import datetime
from typing import Final, Literal

from cairn.game import Game
from cairn.server.chance import Chance
from cairn.server.events import Event, GameEnded, TokenPlayed, TokensUndone, TurnConfirmed
from cairn.server.models import DeciderName, Seat, Step, TribeName, UndoOffer
from cairn.server.steps import step, steps
from cairn.server.storage import Head, Standing, StoredGame
from cairn.vocabulary import FOREST, TRIBES, Draw, Outcome, Phase, Reason, Tribe

DRAWN: Final[DeciderName] = "chance"


class LiveGame:
    """The state of a game. Its methods change the state and return the events that say so; who calls them stores those.

    ``revision`` and ``changed`` move when that is done: :meth:`advance`.
    """

    def __init__(self, head: Head) -> None:
        self.head: Final = head
        self.game: Final = Game(head.start)
        self.steps: Final[list[Step]] = []
        self.held: Tribe | None = None
        """The tribe whose finished turn waits to be confirmed."""
        self.revision = 0
        """How many events are stored."""
        self.changed = head.created
        """When the last one was."""

    @classmethod
    def replay(cls, stored: StoredGame) -> LiveGame:
        """The state that a log leads to."""
        live = cls(stored.head)
        # Tokens that were taken back need not be told, so first find those that were not.
        tokens: list[str] = []
        for event in stored.events:
            match event:
                case TokenPlayed(token):
                    tokens.append(token)
                case TokensUndone(count):
                    del tokens[-count:]
                case TurnConfirmed() | GameEnded():
                    pass
        live.steps.extend(steps(live.game, tokens))
        match stored.events[-1:]:
            case (TokenPlayed(hold=True),):
                live.held = tribe_named(live.steps[-1].active)
            case (GameEnded() as end,):
                live.declare(end)
        live.advance(len(stored.events), stored.changed)
        return live

    def advance(self, events: int, at: datetime.datetime) -> None:
        """So many more events are stored."""
        self.revision += events
        self.changed = at

    def play(self, token: str, *, hold: bool, chance: Chance) -> list[Event]:
        """Play a token, and draw what it needs; :class:`~cairn.CairnError` if it cannot be played.

        With ``hold`` a turn that it ends waits to be confirmed, unless a draw made it final anyway.
        """
        told = step(self.game, token)
        self.steps.append(told)
        draws = self.draw(chance)
        ends_turn = not draws and self.game.phase is Phase.ACTION
        self.held = tribe_named(told.active) if hold and ends_turn else None
        return [TokenPlayed(told.token, hold=self.held is not None), *draws]

    def draw(self, chance: Chance) -> list[Event]:
        """Draw as long as chance decides."""
        events: list[Event] = []
        while self.game.phase is Phase.DRAW:
            number = sum(1 for each in self.steps if each.by == DRAWN)
            tile = chance.draw(self.head.seed, number, self.game.board.setup.deck.draws())
            self.steps.append(step(self.game, Draw(tile)))
            events.append(TokenPlayed(self.steps[-1].token))
        return events

    def undo(self, count: int) -> list[Event]:
        """Take the last tokens back."""
        for _ in range(count):
            self.game.pop()
        del self.steps[-count:]
        self.held = None
        return [TokensUndone(count)]

    def confirm(self) -> list[Event]:
        """The held turn is finished."""
        self.held = None
        return [TurnConfirmed()]

    def declare(self, end: GameEnded) -> list[Event]:
        """The game ends by something that the board does not show."""
        self.game.end(Outcome(tribe_named(end.winner) if end.winner else None, Reason(end.reason)))
        return [end]

    def seat(self, tribe: Tribe) -> Seat:
        """Who plays that tribe."""
        return self.head.seats.forest if tribe is FOREST else self.head.seats.sea

    @property
    def persons(self) -> list[Tribe]:
        """The tribes that persons play."""
        return [tribe for tribe in TRIBES if self.seat(tribe).kind == "person"]

    @property
    def computer_level(self) -> int | None:
        """The level of the computer, if it is to decide now."""
        decider = self.game.decider
        return self.seat(decider).level if isinstance(decider, Tribe) and self.held is None else None

    def undoable(self, scope: Literal["step", "turn"]) -> int:
        """How many tokens an undo would take back; 0 if there is nothing to undo.

        A step goes back to the last decision of a person, whatever the computer decided since. A turn goes back to the
        start of a person's turn: the running one, or the last one before it. Nothing goes back past a drawn tile.
        """
        if self.game.declared:
            return 0
        persons = {tribe.value for tribe in self.persons}
        for back, each in enumerate(reversed(self.steps), start=1):
            if each.by == DRAWN:
                break
            if scope == "step" and each.by in persons:
                return back
            if scope == "turn" and each.phase == "action" and each.active in persons:
                return back
        return 0

    @property
    def undo_offer(self) -> UndoOffer:
        """What can be taken back now."""
        return UndoOffer(step=self.undoable("step") > 0, turn=self.undoable("turn") > 0)

    def standing(self, events: int, at: datetime.datetime) -> Standing:
        """Where the game stands, once so many more events are stored."""
        outcome, decider = self.game.outcome, self.game.decider
        return Standing(
            revision=self.revision + events,
            changed=at,
            turns=self.steps[-1].turn if self.steps else 0,
            position=self.game.board.text,
            decider=None if decider is None else decider.value,
            winner=outcome.winner.value if outcome and outcome.winner else None,
            reason=outcome.reason.value if outcome else None,
            waits_for_computer=self.computer_level is not None,
        )


def tribe_named(name: TribeName | str) -> Tribe:
    """The tribe of that name."""
    return Tribe(name)
