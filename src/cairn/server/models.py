"""The messages of the web API. The web client's types are generated from these."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Annotated, Literal, TypeAlias

import pydantic

from cairn.server.clocks import LONGEST_INCREMENT, LONGEST_INITIAL, MOST_DAYS
from cairn.story import Effect
from cairn.story import TribeName as TribeName  # told to the rest of the server from here

DeciderName: TypeAlias = Literal["forest", "sea", "chance"]
PhaseName: TypeAlias = Literal["action", "build", "draw", "power", "transform", "over"]
ActionTileName: TypeAlias = Literal["add", "move", "jump"]
AimName: TypeAlias = Literal["shaman", "megalith"]
VariantName: TypeAlias = Literal["beginner", "standard", "expert"]
LevelNumber: TypeAlias = Annotated[int, pydantic.Field(ge=1, le=10)]
Revision: TypeAlias = Annotated[int, pydantic.Field(ge=0, le=1_000_000)]
PositionText: TypeAlias = Annotated[str, pydantic.Field(max_length=300)]
TokenText: TypeAlias = Annotated[str, pydantic.Field(max_length=20)]
CommandId: TypeAlias = Annotated[str, pydantic.Field(min_length=1, max_length=40)]
Lag: TypeAlias = Annotated[int, pydantic.Field(ge=0, le=60_000)]
GameKind: TypeAlias = Literal["local", "online"]
OfferName: TypeAlias = Literal["draw", "takeback"]
UndoBarrier: TypeAlias = Literal["drawn", "nothing", "other", "over"]


class Message(pydantic.BaseModel):
    """What all messages have in common: nothing unknown is accepted, nothing is changed after it was made."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Choice(Message):
    """A legal token, and how a person can point at it."""

    token: str
    tile: ActionTileName | None
    """The action tile that it uses, in phase ``action``."""
    paths: list[list[str]]
    """The ways to point at it, one *pick* after another: a space (``c3``), ``village:sea``, ``slot:0``, ``tile:jump``,
    ``button:pass`` or ``button:stop``. No path is the beginning of another token's path."""
    power: str | None = None
    """The code of the megalith whose power it applies: in phase ``power`` that of the moment, or the one copied."""
    aim: AimName = "shaman"
    """What is meant where its path names a space that holds both."""


class Outcome(Message):
    """How a game ended."""

    winner: TribeName | None
    reason: str
    rule: str


class UndoOffer(Message):
    """What can be taken back now."""

    step: bool
    """The last decision of a person."""
    turn: bool
    """Everything since the start of the person's running turn, or, at its start, of their turn before."""
    no_step: UndoBarrier | None = None
    """Why the last decision cannot be taken back: a tile was ``drawn`` since, ``nothing`` was decided yet by whoever
    takes back, the ``other`` decided since, the game is ``over``. ``None`` if it can."""
    no_turn: UndoBarrier | None = None
    """Why the turn cannot be."""


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


class SeatPlayer(Message):
    """The player who has a seat."""

    id: str
    kind: Literal["guest", "account", "bot", "level", "deleted"]
    name: str | None
    rating: int | None
    """``None`` before the first rated game."""
    provisional: bool
    """Whether the rating is still rather unsure."""
    online: bool
    """Whether they are at the table now."""


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
    outcome: Outcome | None
    clock: ClockView | None = None
    """Of a game with a time limit."""
    offers: list[OfferView] = []
    """What players ask of each other."""


# No model: games in memory keep hundreds, and this is the smallest object that does.
@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """One token of a game and what it did."""

    __pydantic_config__ = Message.model_config

    token: str
    by: DeciderName
    active: TribeName
    """Whose turn it was."""
    turn: int
    """The number of the turn, from 1."""
    phase: PhaseName
    """The phase in which it was played."""
    effects: tuple[Effect, ...]
    position: str
    """The seven fields after it, also inside a turn."""


class Seat(Message):
    """Who plays a tribe."""

    kind: Literal["person", "computer"]
    level: LevelNumber | None = None
    """Of a computer."""
    name: Annotated[str, pydantic.Field(max_length=60)] | None = None
    """Of a person, if they gave one."""

    @pydantic.model_validator(mode="after")
    def _a_computer_has_a_level(self) -> Seat:
        if (self.kind == "computer") != (self.level is not None):
            raise ValueError("a computer has a level, and a person has none")
        return self


class Seats(Message):
    """Who plays."""

    forest: Seat
    sea: Seat


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


class GameMessage(Message):
    """Over the socket: the whole game, at first and whenever it is simplest."""

    type: Literal["game"] = "game"
    game: GameView


class UpdateMessage(Message):
    """Over the socket: what changed."""

    type: Literal["update"] = "update"
    update: Update
    done: str | None = None  # stays the last field: transport.py writes it into what is JSON already
    """The id of the command that changed it, for whoever sent that by this socket: it needs no other answer."""


class NewGame(Message):
    """What a new game should be."""

    seats: Seats
    variant: VariantName = "beginner"
    first: TribeName | None = None
    """Who begins; ``None`` tosses."""
    position: PositionText | None = None
    """Begin here instead of dealing; ``variant`` and ``first`` are then not used."""
    tokens: Annotated[list[TokenText], pydantic.Field(max_length=5_000)] = []
    """Played already, after ``position``."""


class Play(Message):
    """A token."""

    revision: Revision
    """The revision that the player saw."""
    tribe: TribeName
    """For whom."""
    token: TokenText
    hold: bool = False
    """Wait to be confirmed, if this token ends the own turn, or before a tile is drawn for it."""
    id: CommandId | None = None
    """Made up by the sender: a command that is sent again with the same id is not done again."""
    lag: Lag = 0
    """The way to the server and back, as the player's side measured it, in milliseconds."""


class Undo(Message):
    """Take something back."""

    revision: Revision
    scope: Literal["step", "turn"] = "step"
    tribe: TribeName | None = None
    """For whom, if there can be a doubt."""
    id: CommandId | None = None


class Confirm(Message):
    """The held turn is finished, or the tile may be drawn."""

    revision: Revision
    tribe: TribeName | None = None
    id: CommandId | None = None
    lag: Lag = 0
    """As of a token."""


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
    outcome: Outcome | None
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
    tokens: Annotated[list[TokenText], pydantic.Field(max_length=5_000)] = []


class RecordText(Message):
    """A game record, as in a ``.cairn`` file."""

    text: Annotated[str, pydantic.Field(max_length=1_000_000)]


class Line(Message):
    """A position and what was played from there: for live boards."""

    start: str
    steps: list[Step]
    now: Moment


class FaultView(Message):
    """One thing that is wrong, with a kind for programs, a place, and a sentence for people."""

    kind: str
    field: str
    sentence: str
    details: dict[str, str] = {}
    """What the sentence and the place name, for sentences in other languages."""


class Problem(Message):
    """Why a request was refused."""

    kind: str
    """A stable slug, such as ``stale-revision``; the web client translates by it."""
    sentence: str
    faults: list[FaultView] = []


class Health(Message):
    """The server works."""

    status: Literal["ok"] = "ok"
    version: str
