"""Creates games that are dealt, set up by hand, or imported from a record."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Final, NamedTuple, TypeAlias, get_args

from annotated_types import MaxLen

from cairn.board import Board
from cairn.game import Game
from cairn.record import read_record
from cairn.server.errors import Refusal, malformed, refused_token
from cairn.server.game.chance import Chance
from cairn.server.game.commands import TokenText
from cairn.server.game.events import Event, GameEnded, TokenPlayed
from cairn.server.game.header import GameHeader, OnlineTerms
from cairn.server.game.log import GameProjection
from cairn.server.game.names import SCHEMA, TribeName, VariantName
from cairn.server.game.seats import Seat, SeatPlayer, Seats
from cairn.server.game.state import GameState
from cairn.server.text import one_line
from cairn.vocabulary import CairnError, MalformedError, Tribe, Variant

MOST_TOKENS: Final = 5_000
LONGEST_NAME: Final = 60
COMPUTER: Final = re.compile("level ([1-9]|10)")
"""Matches the name that records use for the computer."""
VARIANTS: Final[tuple[VariantName, ...]] = get_args(VariantName)

PositionText: TypeAlias = Annotated[str, MaxLen(300)]
TokenList: TypeAlias = Annotated[list[TokenText], MaxLen(MOST_TOKENS)]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A game to create."""

    __pydantic_config__ = SCHEMA

    seats: Seats
    variant: VariantName = "beginner"
    first: TribeName | None = None
    """The tribe that begins; ``null`` for a random tribe."""
    position: PositionText | None = None
    """The position to begin in, instead of a random one. If it is given, ``variant`` and ``first`` are ignored."""
    tokens: TokenList = dataclasses.field(default_factory=list)
    """Tokens that have already been played from ``position``."""


@dataclasses.dataclass(frozen=True, slots=True)
class Creation:
    """Everything that a new game begins with."""

    seats: Seats
    variant: VariantName | None
    start: str
    tokens: Sequence[str] = ()
    """Tokens that have already been played."""
    end: GameEnded | None = None
    seed: bytes | None = dataclasses.field(default=None, repr=False)
    """The secret that the game was dealt from."""
    online: OnlineTerms | None = None
    id: str | None = None
    """The id, if it has already been chosen."""
    players: dict[TribeName, SeatPlayer] | None = None
    """The players of an online game."""

    def begin(self, new_id: str, owner: str | None, now: Callable[[], datetime.datetime], chance: Chance) -> Beginning:
        """Begin the game now: play its tokens, and draw a tile if a draw is due."""
        header = GameHeader(
            id=self.id or new_id,
            created=now(),
            variant=self.variant,
            start=self.start,
            seats=self.seats,
            seed=self.seed or chance.new_seed(),
            owner=owner,
            online=self.online,
        )
        state, at = GameState(header), header.created
        state.steps.extend(state.game.follow_all(self.tokens))
        events: list[Event] = [TokenPlayed(step.token) for step in state.steps]
        events += state.declare(self.end, at) if self.end else state.draw(chance, at)
        return Beginning(state, events)


class Beginning(NamedTuple):
    """A new game and the events to store."""

    state: GameState
    events: Sequence[Event]

    @property
    def stored(self) -> tuple[GameHeader, Sequence[Event], GameProjection]:
        """The header, events and projection to store."""
        header = self.state.header
        return header, self.events, self.state.projection(len(self.events), header.created)


def created_from_request(request: NewGame, chance: Chance) -> Creation:
    """Deal a game or begin it in the given position. Raises :class:`Refusal` if that is impossible."""
    seats = Seats(forest=_cleaned(request.seats.forest), sea=_cleaned(request.seats.sea))
    if seats.forest.kind == seats.sea.kind == "computer":
        raise Refusal(422, "no-person", "At least one tribe must be played by a person.")
    if request.position is None:
        if request.tokens:
            raise Refusal(422, "malformed", "Expected a position from which to play the tokens.")
        seed = chance.new_seed()
        first = Tribe(request.first) if request.first else None
        return Creation(seats, request.variant, chance.deal(seed, Variant(request.variant), first), seed=seed)
    try:
        start = Board(request.position).text
    except MalformedError as error:
        raise malformed(error, "Not a valid position") from None
    try:
        Game(start, request.tokens)
    except CairnError as error:
        raise refused_token(error) from None
    return Creation(seats, None, start, request.tokens)


def created_from_record(text: str) -> Creation:
    """Import a record. An unfinished game continues against the recorded computer level, or between two people.

    Comments and marks are dropped.
    """
    try:
        record = read_record(text)
    except MalformedError as error:
        raise malformed(error, "Not a valid record") from None
    tokens = [str(token) for token in record.game.tokens]
    if len(tokens) > MOST_TOKENS:
        raise Refusal(422, "malformed", f"This record has {len(tokens)} tokens; the limit is {MOST_TOKENS}.")
    forest, sea = record.headers.get("Forest", ""), record.headers.get("Sea", "")
    seats = Seats(forest=_person(forest), sea=_person(sea))
    if record.game.outcome is None:
        seats = _with_computer(seats, _level(forest), _level(sea))
    variant = next((each for each in VARIANTS if each == record.headers.get("Variant")), None)
    end = None
    if declared := record.game.declared:
        end = GameEnded(declared.winner.value if declared.winner else None, declared.reason.value)
    return Creation(seats, variant, record.game.start_text, tokens, end)


def _person(name: str) -> Seat:
    return _cleaned(Seat(kind="person", name=name[:LONGEST_NAME]))


def _level(name: str) -> int | None:
    found = COMPUTER.fullmatch(name)
    return int(found[1]) if found else None


def _with_computer(seats: Seats, forest: int | None, sea: int | None) -> Seats:
    """Give the computer its recorded seat. If it played both tribes, people take over both seats."""
    if forest and not sea:
        return dataclasses.replace(seats, forest=Seat(kind="computer", level=forest))
    if sea and not forest:
        return dataclasses.replace(seats, sea=Seat(kind="computer", level=sea))
    return seats


def _cleaned(seat: Seat) -> Seat:
    """The seat with its name on one line, or without a name if nothing printable is left."""
    if seat.name is None:
        return seat
    return dataclasses.replace(seat, name=one_line(seat.name) or None)
