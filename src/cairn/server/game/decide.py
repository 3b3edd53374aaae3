"""Executes commands on a game, or refuses them. Nothing here stores or sends anything."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Final

from cairn.server.errors import Refusal, refused_token
from cairn.server.game.chance import Chance
from cairn.server.game.clocks import LAG_CAP, Flag, RealTime, milliseconds
from cairn.server.game.commands import Answer, Claim, Command, Confirm, Offer, Play, Resign, Reveal, Undo
from cairn.server.game.events import Event, GameEnded, LinkRevealed, OfferMade
from cairn.server.game.state import GameState
from cairn.vocabulary import CairnError, Tribe

GRACE: Final = datetime.timedelta(seconds=60)
"""How long a player may be away from a real-time game before the opponent can claim the win."""
UNLIMITED_GRACE: Final = datetime.timedelta(days=3)
"""How long a player may take to decide in a game without a clock before the opponent can claim the win."""
RATED_GRACE: Final = datetime.timedelta(days=14)
"""How long a player may take to decide in a rated game without a clock. Only earlier versions allowed such games."""
MOST_TAKEBACKS: Final = 3
"""How many times a player can ask for a takeback in one turn."""
MOST_UNDOS: Final = 20
"""How many times a player can undo their own tokens in one turn of an online game."""


@dataclasses.dataclass(frozen=True, slots=True)
class Context:
    """Everything that a decision depends on besides the game and the command."""

    at: datetime.datetime
    chance: Chance
    away_since: datetime.datetime | None = None
    """When the other player left the table; ``None`` if that player is present."""
    down: datetime.timedelta = datetime.timedelta()
    """How long the server has been down since the last decision."""


def decide(state: GameState, command: Command, tribe: Tribe | None, context: Context) -> list[Event]:
    """Execute the command on the state and return the events to store.

    Raises :class:`Refusal` and changes nothing if the command is not allowed. ``tribe`` is the tribe that the command
    is for; in a local game it may be ``None``.
    """
    match command:
        case Play():
            return _play(state, command, context)
        case Undo():
            return _undo(state, command, tribe, context)
        case Confirm():
            return _confirm(state, command, tribe, context)
        case Reveal():
            return _reveal(state, command, tribe, context)
        case _:
            return _decide_between_players(state, command, tribe, context)


def _decide_between_players(
    state: GameState, command: Offer | Answer | Resign | Claim, tribe: Tribe | None, context: Context
) -> list[Event]:
    # The sender must have seen the current board. An answer depends only on the offer, which is checked later.
    seen = command.revision
    if seen is not None and (seen > state.revision if isinstance(command, Answer) else state.game.is_stale(seen)):
        raise stale()
    if state.header.online is None:
        raise Refusal(409, "local-game", "Only online games support this.")
    assert tribe is not None  # noqa: S101  # acting_tribe returns a tribe in every online game
    require_running(state)
    match command:
        case Offer(what="draw"):
            return _offer_draw(state, tribe, context)
        case Offer(scope=scope):
            return _offer_takeback(state, tribe, state.game.takeback(tribe.value, scope == "turn"))
        case Answer():
            return _answer(state, command, tribe, context)
        case Resign():
            return state.declare(GameEnded(tribe.enemy.value, "resignation"), context.at)
        case Claim():
            return _claim(state, tribe, context)


def fallen_flag(
    state: GameState, at: datetime.datetime, command: Command | None = None, tribe: Tribe | None = None
) -> Flag | None:
    """The loss on time, if there is one. ``tribe`` is the sender of ``command``, if there is a command.

    If the tribe to move sends the command, the lag that it reports is compensated. Otherwise a token from that tribe
    may be in flight, so the maximum lag is compensated.
    """
    if state.clock is None or state.game.is_over:
        return None
    lag = LAG_CAP
    if command is not None and tribe is state.to_move:
        lag = command.lag if isinstance(command, Play | Confirm | Reveal) else 0
        if state.undos and isinstance(command, Play | Confirm) and _has_undone(state, tribe):
            lag = 0
    return state.clock.flag(milliseconds(at), lag)


def end_by_time(state: GameState, flag: Flag, at: datetime.datetime) -> list[Event]:
    """End the game with a loss for the player whose flag fell."""
    return state.declare(GameEnded(flag.loser.enemy.value, "time"), at)


def end_if_abandoned(state: GameState, at: datetime.datetime, down: datetime.timedelta) -> list[Event]:
    """End a rated game without a clock if its decider is long overdue. Returns no events if the game continues.

    ``down`` is how long the server has been down since the last decision.
    """
    online, loser = state.header.online, state.to_move
    if online is None or not online.rated or state.clock or loser not in state.persons:
        return []
    if at - state.board_changed - down < RATED_GRACE:
        return []
    return state.declare(GameEnded(loser.enemy.value, "abandoned"), at)


def require_running(state: GameState) -> None:
    """Refuse if the game is over."""
    if state.game.is_over:
        raise _refusal("game-over")


def stale() -> Refusal:
    """The refusal for a command that refers to an old revision."""
    return _refusal("stale-revision")


def _play(state: GameState, play: Play, context: Context) -> list[Event]:
    """Play a token, if its tribe has to decide now and is played by a person."""
    if state.owed:
        raise _draw_waits()
    if refused := state.game.refuse_play(play.tribe, play.revision):
        raise _refusal(*refused, f"has to decide, not {play.tribe.capitalize()}")
    undone = state.undos and _has_undone(state, Tribe(play.tribe))
    lag = state.clock.compensated(play.lag) if state.clock and not undone else 0
    try:
        return state.play(play.token, hold=play.hold, chance=context.chance, at=context.at, lag=lag)
    except CairnError as error:
        raise refused_token(error) from None


def _has_undone(state: GameState, tribe: Tribe | None) -> bool:
    """Whether the tribe has undone a token in this turn.

    If it has, its lag is charged for the rest of the turn. Otherwise a player could think for free by reporting lag,
    undoing the token and playing it again.
    """
    return tribe is not None and state.undos[tribe, state.turn] > 0


def _undo(state: GameState, undo: Undo, tribe: Tribe | None, context: Context) -> list[Event]:
    """Take back a step or a turn, if that is possible without the other player's consent."""
    whole_turn = undo.scope == "turn"
    if refused := state.game.refuse_undo(tribe.value if tribe else None, whole_turn, undo.revision):
        raise _refusal(*refused)
    count = state.game.undoable(whole_turn)
    if state.header.online and tribe and state.undos[tribe, state.steps[-count].turn] >= MOST_UNDOS:
        raise Refusal(409, "too-many-undos", f"You can undo only {MOST_UNDOS} times per turn.")
    return state.undo(count, context.at, by=tribe)


def _confirm(state: GameState, confirm: Confirm, tribe: Tribe | None, context: Context) -> list[Event]:
    if refused := state.game.refuse_confirm(tribe.value if tribe else None, confirm.revision):
        raise _refusal(*refused, "has to confirm")
    undone = state.undos and _has_undone(state, tribe)
    lag = state.clock.compensated(confirm.lag) if state.clock and not undone else 0
    return state.confirm(context.chance, context.at, lag)


def _reveal(state: GameState, reveal: Reveal, tribe: Tribe | None, context: Context) -> list[Event]:
    """Add a player's link to a game with sealed draws, if the starting position or a draw is waiting for it."""
    require_running(state)
    if tribe is None or tribe not in state.owed:
        raise Refusal(409, "no-link-due", "No draw is waiting for a link from you.")
    lag = state.clock.compensated(reveal.lag) if state.clock and state.to_move is tribe else 0
    try:
        return state.reveal(LinkRevealed(tribe.value, reveal.link, lag), context.chance, context.at)
    except ValueError:
        raise Refusal(422, "wrong-link", "This is not your next link: its hash is not the link before it.") from None


def _draw_waits() -> Refusal:
    """The refusal of a token or a takeback while a draw is waiting for links. One link may already be known."""
    return Refusal(409, "draw-waits", "You cannot do this while the draw is waiting for links from the players.")


def _offer_draw(state: GameState, tribe: Tribe, context: Context) -> list[Event]:
    _require_person(state, tribe.enemy)
    theirs = state.offers.get(tribe.enemy)
    if theirs and theirs.what == "draw":
        return _agree_to_draw(state, context)
    if state.offers_made[tribe, "draw", state.turn]:
        raise Refusal(409, "offered-already", "You can offer a draw only once per turn.")
    return state.offer(OfferMade(tribe.value, "draw", turn=state.turn))


def _offer_takeback(state: GameState, tribe: Tribe, tokens: int) -> list[Event]:
    _require_person(state, tribe.enemy)
    if state.owed:
        raise _draw_waits()
    if not tokens:
        raise _refusal("nothing-to-undo")
    if state.offers_made[tribe, "takeback", state.turn] >= MOST_TAKEBACKS:
        raise Refusal(409, "offered-already", f"You can ask for a takeback only {MOST_TAKEBACKS} times per turn.")
    return state.offer(OfferMade(tribe.value, "takeback", tokens, turn=state.turn))


def _answer(state: GameState, command: Answer, tribe: Tribe, context: Context) -> list[Event]:
    by = tribe if command.answer == "withdraw" else tribe.enemy
    offer = state.offers.get(by)
    if offer is None:
        raise Refusal(409, "no-offer", "This offer no longer exists.")
    if command.revision < offer.revision:
        raise stale()
    if command.answer != "accept":
        return state.end_offer(by)
    if offer.what == "draw":
        return _agree_to_draw(state, context)
    if state.owed:
        raise _draw_waits()
    return state.undo(offer.tokens, context.at)


def _agree_to_draw(state: GameState, context: Context) -> list[Event]:
    return state.declare(GameEnded(None, "agreement"), context.at)


def _claim(state: GameState, tribe: Tribe, context: Context) -> list[Event]:
    _require_person(state, tribe.enemy)
    if state.to_move is not tribe.enemy:
        raise Refusal(409, "your-decision", "You cannot claim the win while it is your turn to decide.")
    if state.clock is None:  # without a clock, only a decision counts; being at the table is not enough
        if context.at - state.board_changed - context.down < UNLIMITED_GRACE:
            sentence = f"You cannot claim the win yet: your opponent has {UNLIMITED_GRACE.days} days to decide."
            raise Refusal(409, "not-abandoned", sentence)
    elif not isinstance(state.clock.control, RealTime):
        sentence = "You cannot claim the win in a correspondence game. Wait until the clock runs out."
        raise Refusal(409, "not-abandoned", sentence)
    elif context.away_since is None:
        raise Refusal(409, "not-abandoned", "You cannot claim the win while your opponent is at the table.")
    elif context.at - max(context.away_since, state.changed) < GRACE:
        sentence = "You cannot claim the win yet: your opponent has not been away for long enough."
        raise Refusal(409, "not-abandoned", sentence)
    return state.declare(GameEnded(tribe.value, "abandoned"), context.at)


def _require_person(state: GameState, tribe: Tribe) -> None:
    if tribe not in state.persons:
        raise Refusal(409, "computer-opponent", "The computer does not answer offers.")


_SENTENCES: Final = {
    "stale-revision": "The game has moved on in the meantime.",
    "game-over": "The game is over.",
    "turn-held": "{tribe} has to confirm first.",
    "wrong-turn": "{tribe} {what}.",
    "computer-decides": "The computer decides for {tribe}.",
    "takeback-needed": "It is your opponent's turn to decide. Ask for a takeback instead.",
    "nothing-to-undo": "There is nothing to take back.",
    "nothing-to-confirm": "There is nothing to confirm.",
}


def _refusal(kind: str, tribe: str | None = None, what: str = "") -> Refusal:
    """A refusal of this kind. In the sentence for ``wrong-turn``, ``what`` describes what ``tribe`` has to do."""
    return Refusal(409, kind, _SENTENCES[kind].format(tribe=(tribe or "").capitalize(), what=what))
