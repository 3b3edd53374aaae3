"""The messages of the web API. The web client's types are generated from these."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal, TypeAlias

import pydantic

from cairn.server.game.choices import Choice
from cairn.server.game.clocks import LONGEST_INCREMENT, LONGEST_INITIAL, MOST_DAYS
from cairn.server.game.creation import PositionText, TokenList
from cairn.server.game.names import DeciderName, GameKind, OfferName, PhaseName, TribeName, VariantName
from cairn.server.game.seats import SeatPlayer, Seats
from cairn.server.game.steps import Step
from cairn.server.game.undo import UndoOffer
from cairn.server.messages.base import Message


class OutcomeView(Message):
    """How a game ended."""

    winner: TribeName | None
    reason: str
    rule: str


class RealTimeControl(Message):
    """So much time for the game, and some more for each turn, in milliseconds."""

    kind: Literal["real-time"] = "real-time"
    initial: Annotated[int, pydantic.Field(ge=1_000, le=LONGEST_INITIAL)]
    increment: Annotated[int, pydantic.Field(ge=0, le=LONGEST_INCREMENT)] = 0


class CorrespondenceControl(Message):
    """So many days for each turn."""

    kind: Literal["correspondence"] = "correspondence"
    days: Annotated[int, pydantic.Field(ge=1, le=MOST_DAYS)]


Control: TypeAlias = Annotated[RealTimeControl | CorrespondenceControl, pydantic.Field(discriminator="kind")]


class ClockView(Message):
    """The clocks, as they stand at one moment: the running one goes on from there."""

    control: Control
    forest: int
    """Milliseconds left."""
    sea: int
    running: TribeName | None
    at: int
    """The moment, by the server's clock, in milliseconds."""


class OfferView(Message):
    """What a player asks of the other."""

    by: TribeName
    what: OfferName
    tokens: int
    """How many tokens a takeback would take back."""


class Players(Message):
    """The players of an online game."""

    forest: SeatPlayer
    sea: SeatPlayer


class ProofView(Message):
    """What the start and all draws follow from. The seed is told when the game is over."""

    commitment: str
    forest_number: str
    sea_number: str
    first: TribeName | None
    """Who begins, where that was chosen."""
    tossed: TribeName | None = None
    """The tribe that the toss gave to whoever made the challenge; ``null`` where the tribes were chosen."""
    seed: str | None


class Moment(Message):
    """Where a game stands, and what is asked of whom."""

    position: str
    """The seven fields as they stand now, also inside a turn."""
    turn: int
    """The number of the running turn, from 1."""
    active: TribeName
    phase: PhaseName
    decider: DeciderName | None
    power: str | None
    """The code of the megalith whose power is being applied, in phase ``power``."""
    focus: str | None
    """The space where that megalith stands, or where one is to be built."""
    next_wins: bool = False
    """Whether the next point of whoever decides wins the game (T6)."""
    choices: list[Choice]
    """Everything that can be played now; empty while the computer or chance decides, and while a turn is held."""
    held: TribeName | None
    """The tribe that has to confirm what it did: its turn is finished or, in phase ``draw``, a tile is to be drawn."""
    undo: UndoOffer
    """In an online game: what whoever is to decide, or holds the turn, can take back without asking the other."""
    outcome: OutcomeView | None
    clock: ClockView | None = None
    """Of a game with a time limit."""
    offers: list[OfferView] = []
    """What players ask of each other."""


class GameView(Message):
    """A whole game, as anybody may see it. Hidden tiles are not in it."""

    id: str
    created: datetime.datetime
    changed: datetime.datetime
    variant: VariantName | None
    """``None`` for a game from a set-up position."""
    seats: Seats
    start: str
    """The position that it began with."""
    revision: int
    steps: list[Step]
    now: Moment
    kind: GameKind = "local"
    rated: bool = False
    players: Players | None = None
    """Of an online game."""
    proof: ProofView | None = None
    """Of an online game."""
    you: list[TribeName] = []
    """The tribes that whoever asked acts for."""


class Update(Message):
    """What changed: keep the first ``kept`` steps, append ``steps``, and stand at ``now``."""

    game: str
    base: int
    """The revision that this continues; whoever stands at another one fetches the whole game."""
    revision: int
    kept: int
    steps: list[Step]
    now: Moment
    players: Players | None = None
    """When an online game ended: the players with their new ratings."""
    proof: ProofView | None = None
    """When an online game ended: now with the seed."""


class GameSummary(Message):
    """A line of the list of games."""

    id: str
    created: datetime.datetime
    changed: datetime.datetime
    variant: VariantName | None
    seats: Seats
    turns: int
    position: str
    """Where it stands."""
    decider: DeciderName | None
    outcome: OutcomeView | None
    kind: GameKind = "local"
    rated: bool = False
    you: list[TribeName] = []
    """In a list of your games: the tribes of an online game that you play."""


class GameList(Message):
    """Games, the last changed first."""

    games: list[GameSummary]
    total: int
    """How many match, on all pages."""


class PositionQuery(Message):
    """A position, and tokens played since."""

    position: PositionText
    tokens: TokenList = []


class RecordText(Message):
    """A game record, as in a ``.cairn`` file."""

    text: Annotated[str, pydantic.Field(max_length=1_000_000)]


class Line(Message):
    """A position and what was played from there: for live boards."""

    start: str
    steps: list[Step]
    now: Moment
