"""How a game comes to be: dealt, set up by hand, or taken over from a record."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Final, get_args

from cairn.board import Board
from cairn.game import Game
from cairn.record import read_record
from cairn.server.chance import Chance
from cairn.server.errors import Refusal, malformed, refused_token
from cairn.server.events import Event, GameEnded, TokenPlayed
from cairn.server.live import LiveGame, tribe_named
from cairn.server.models import NewGame, Seat, SeatPlayer, Seats, TribeName, VariantName
from cairn.server.names import one_line
from cairn.server.online_storage import Online
from cairn.server.steps import steps
from cairn.vocabulary import CairnError, MalformedError, Variant

MOST_TOKENS: Final = 5_000
LONGEST_NAME: Final = 60
COMPUTER: Final = re.compile("level ([1-9]|10)")
"""How records name the computer."""
VARIANTS: Final[tuple[VariantName, ...]] = get_args(VariantName)


@dataclasses.dataclass(frozen=True, slots=True)
class Creation:
    """A game that is to begin."""

    seats: Seats
    variant: VariantName | None
    start: str
    tokens: Sequence[str] = ()
    """Played already."""
    end: GameEnded | None = None
    seed: bytes | None = dataclasses.field(default=None, repr=False)
    """The secret that it was dealt by."""
    online: Online | None = None
    id: str | None = None
    """If it is fixed already."""
    people: dict[TribeName, SeatPlayer] | None = None
    """Who plays online, if it is known already."""

    def play_on(self, live: LiveGame, chance: Chance) -> list[Event]:
        """Bring the new game where it is to begin."""
        live.steps.extend(steps(live.game, self.tokens))
        events: list[Event] = [TokenPlayed(each.token) for each in live.steps]
        at = live.head.created
        return [*events, *(live.declare(self.end, at) if self.end else live.draw(chance, at))]


def created_from_wish(wish: NewGame, chance: Chance) -> Creation:
    """The game that somebody wishes for; :class:`Refusal` says why there is none."""
    seats = Seats(forest=_cleaned(wish.seats.forest), sea=_cleaned(wish.seats.sea))
    if seats.forest.kind == seats.sea.kind == "computer":
        raise Refusal(422, "no-person", "At least one tribe is played by a person.")
    if wish.position is None:
        if wish.tokens:
            raise Refusal(422, "malformed", "Tokens can be played only from a position that is given.")
        seed = chance.new_seed()
        first = tribe_named(wish.first) if wish.first else None
        return Creation(seats, wish.variant, chance.deal(seed, Variant(wish.variant), first), seed=seed)
    try:
        start = Board(wish.position).text
    except MalformedError as error:
        raise malformed(error, "This is no position") from None
    try:
        Game(start, wish.tokens)
    except CairnError as error:
        raise refused_token(error) from None
    return Creation(seats, None, start, wish.tokens)


def created_from_record(text: str) -> Creation:
    """The game that a record tells. An unfinished one goes on: at one screen, or against the level it was played with.

    Its comments and marks are not kept.
    """
    try:
        record = read_record(text)
    except MalformedError as error:
        raise malformed(error, "This is no record") from None
    tokens = [str(token) for token in record.game.tokens]
    if len(tokens) > MOST_TOKENS:
        raise Refusal(422, "malformed", f"This record has {len(tokens)} tokens; up to {MOST_TOKENS} can be read.")
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
    """Seats of persons, one of them given to the computer; where it had both, somebody has to play."""
    if forest and not sea:
        return seats.model_copy(update={"forest": Seat(kind="computer", level=forest)})
    if sea and not forest:
        return seats.model_copy(update={"sea": Seat(kind="computer", level=sea)})
    return seats


def _cleaned(seat: Seat) -> Seat:
    """The seat with a name that can be shown and written in one line, if it has any."""
    if seat.name is None:
        return seat
    return seat.model_copy(update={"name": one_line(seat.name) or None})
