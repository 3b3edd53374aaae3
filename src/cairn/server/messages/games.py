"""Messages about games. The web app's types are generated from these classes."""

from __future__ import annotations

import datetime
from typing import Annotated, Final, Literal, TypeAlias

import pydantic

from cairn.server.game.choices import Choice, Consequence
from cairn.server.game.clocks import LONGEST_INCREMENT, LONGEST_INITIAL, MOST_DAYS
from cairn.server.game.commands import CommandId, TokenText
from cairn.server.game.creation import PositionText
from cairn.server.game.names import DeciderName, GameKind, OfferName, PhaseName, TribeName, VariantName
from cairn.server.game.seated_game import Step
from cairn.server.game.seats import SeatPlayer, Seats
from cairn.server.game.undo import UndoOffer
from cairn.server.messages.base import Message

MOST_LINE_TOKENS: Final = 500
"""The maximum number of tokens in a position query. Even long games have fewer. Records have a higher limit."""


class OutcomeView(Message):
    """How a game ended."""

    winner: TribeName | None
    reason: str
    rule: str


class RealTimeControl(Message):
    """A time for the whole game plus an increment per turn, in milliseconds."""

    kind: Literal["real-time"] = "real-time"
    initial: Annotated[int, pydantic.Field(ge=1_000, le=LONGEST_INITIAL)]
    increment: Annotated[int, pydantic.Field(ge=0, le=LONGEST_INCREMENT)] = 0


class CorrespondenceControl(Message):
    """A number of days per turn."""

    kind: Literal["correspondence"] = "correspondence"
    days: Annotated[int, pydantic.Field(ge=1, le=MOST_DAYS)]


Control: TypeAlias = Annotated[RealTimeControl | CorrespondenceControl, pydantic.Field(discriminator="kind")]


class ClockView(Message):
    """The clocks at a given moment. The clock of the tribe in ``running`` continues to run after that moment."""

    control: Control
    forest: int
    """The remaining time in milliseconds."""
    sea: int
    running: TribeName | None
    at: int
    """The given moment on the server's clock, in milliseconds."""


class OfferView(Message):
    """An open draw offer or takeback request."""

    by: TribeName
    what: OfferName
    tokens: int
    """The number of tokens that a takeback would undo."""


class Players(Message):
    """The players of an online game."""

    forest: SeatPlayer
    sea: SeatPlayer


class ProofView(Message):
    """The values that determine the starting position and all draws. The seed is revealed when the game is over."""

    commitment: str
    forest_number: str
    sea_number: str
    first: TribeName | None
    """The tribe that begins, if the challenge specifies it."""
    tossed: TribeName | None = None
    """The creator's tribe, decided by the toss; ``null`` if the challenge specifies the tribes."""
    version: int = 1
    """How the key is derived from these values; see ``docs/fairness.md``. Version 3 means sealed draws."""
    seed: str | None
    forest_link: str | None = None
    """With sealed draws, once the game has ended: the last link that Forest revealed."""
    sea_link: str | None = None


class MomentView(Message):
    """The current state of a game, and the decider's choices."""

    position: str
    """The position as text with seven fields, even in the middle of a turn."""
    turn: int
    """The number of the current turn, starting at 1."""
    active: TribeName
    phase: PhaseName
    decider: DeciderName | None
    power: str | None
    """In phase ``power``, the code of the megalith whose power is being applied."""
    focus: str | None
    """The space of the megalith whose power is being applied or, in phase ``build``, the space to build on."""
    next_wins: bool = False
    """Whether the decider wins the game with the next point (T6)."""
    choices: list[Choice]
    """All legal choices. Empty while the computer or chance decides, and while a turn is held."""
    consequences: list[Consequence] = []
    """What the choices cause at once, such as an activated megalith. Choices without consequences are not listed."""
    held: TribeName | None
    """The tribe that has to confirm the end of its turn or, in phase ``draw``, the tile draw."""
    undo: UndoOffer
    """What the decider can take back. In an online game, this is what they can take back without asking."""
    outcome: OutcomeView | None
    clock: ClockView | None = None
    """``null`` for a game without a time limit."""
    offers: list[OfferView] = []
    owed: list[TribeName] = []
    """With sealed draws, the tribes that have to reveal a link for the starting position or the next draw. The clock of
    the first tribe in the list is running."""


class GameView(Message):
    """A whole game, without hidden information."""

    id: str
    created: datetime.datetime
    changed: datetime.datetime
    variant: VariantName | None
    """``null`` if the game began in a given position."""
    seats: Seats
    start: str
    """The starting position. With sealed draws, it shows no megaliths until it is dealt."""
    revision: int
    steps: list[Step]
    now: MomentView
    kind: GameKind = "local"
    rated: bool = False
    players: Players | None = None
    """Set only in an online game."""
    proof: ProofView | None = None
    """Set only in an online game."""
    you: list[TribeName] = []
    """The tribes that you may act for."""


class Update(Message):
    """The changes since a revision: keep the first ``kept`` steps, append ``steps``, and replace ``now``."""

    game: str
    base: int
    """The revision that the update applies to. A client at a different revision fetches the whole game."""
    revision: int
    kept: int
    steps: list[Step]
    now: MomentView
    players: Players | None = None
    """If an online game has ended, the players with their new ratings."""
    proof: ProofView | None = None
    """If an online game has ended, the proof with the seed."""
    start: str | None = None
    """With sealed draws, the starting position, which is dealt only after the game has begun."""


class GameSummary(Message):
    """A game in a list."""

    id: str
    created: datetime.datetime
    changed: datetime.datetime
    variant: VariantName | None
    seats: Seats
    turns: int
    position: str
    """The current position."""
    decider: DeciderName | None
    outcome: OutcomeView | None
    kind: GameKind = "local"
    rated: bool = False
    you: list[TribeName] = []
    """Your tribes. Set only for online games in the list of your own games."""


class GameList(Message):
    """A page of games, most recently changed first."""

    games: list[GameSummary]
    total: int
    """The total number of matching games."""


class PositionQuery(Message):
    """A position, and tokens to play from it."""

    position: PositionText
    tokens: Annotated[list[TokenText], pydantic.Field(max_length=MOST_LINE_TOKENS)] = []


class AnalysisQuery(PositionQuery):
    """A moment to analyse."""

    lines: Annotated[int, pydantic.Field(ge=1, le=5)] = 3
    """How many lines to find."""


class AnalysisLine(Message):
    """A line of play that the engine has found."""

    tokens: list[str]
    score: int
    """For the tribe that decides: hundredths of a megalith, or 30,000 minus the number of turns to a proven win."""


class AnalysisView(Message):
    """What the engine has found at a moment."""

    lines: list[AnalysisLine]
    """The best lines, best first."""
    depth: int
    nodes: int


class RecordText(Message):
    """A game record, as in a ``.cairn`` file."""

    text: Annotated[str, pydantic.Field(max_length=1_000_000)]
    id: CommandId | None = None
    """An idempotency key, chosen by the sender. If you upload the same record with the same id again, you get the game
    that already exists, and no second game is created. A deleted game is restored."""


class LineView(Message):
    """A position, and the steps played from it."""

    start: str
    steps: list[Step]
    now: MomentView


class ExplorerQuery(PositionQuery):
    """A moment, and the games in which to look it up."""

    variant: VariantName | None = None
    """``null`` for all variants."""
    rating_from: Annotated[int, pydantic.Field(ge=0, le=4_000)] = 0
    """Count only decisions of players in rating bands that begin at this rating or above."""
    any_megaliths: bool = False
    """At the start of a turn, count positions with any megaliths on the field."""


class ExploredToken(Message):
    """A token that was played at a moment, with the number of games that each tribe won."""

    token: str
    forest: int
    drawn: int
    sea: int
    mean_rating: int | None
    """The mean rating of those who played it, as far as their ratings are known."""


class ExplorationView(Message):
    """What was played at a moment in finished games, the most frequent token first."""

    tokens: list[ExploredToken]


class ExploredMegalith(Message):
    """How often a megalith could be chosen, and the results of the tribes that built it."""

    code: str
    offered: int
    """How often a tribe could choose between it and another one."""
    won: int
    drawn: int
    lost: int


class ExploredStart(Message):
    """The results of the tribe that begins, by the faces of the tiles."""

    faces: str
    """The faces of the move, jump and transformation tiles, as letters."""
    won: int
    drawn: int
    lost: int


class ExplorerSummary(Message):
    """How the megaliths and the starts perform in finished games."""

    games: int
    """The number of games of the variant, at all ratings."""
    megaliths: list[ExploredMegalith]
    starts: list[ExploredStart]
