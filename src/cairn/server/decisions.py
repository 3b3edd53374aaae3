"""What a command does to a game, or why it is refused. Nothing here stores or tells anything."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Final

from cairn.server.chance import Chance
from cairn.server.clocks import LAG_CAP, Flag, RealTime
from cairn.server.errors import Refusal, refused_token
from cairn.server.events import Event, GameEnded, OfferMade
from cairn.server.live import LiveGame, milliseconds, tribe_named
from cairn.server.models import Confirm, Play, Undo
from cairn.server.online_models import Answer, Claim, Command, Offer, Resign
from cairn.vocabulary import TRIBES, CairnError, Tribe

GRACE: Final = datetime.timedelta(seconds=60)
"""After so long away from the table a real-time game can be claimed."""
UNLIMITED_GRACE: Final = datetime.timedelta(days=3)
"""After so long without any decision a game without a clock can be claimed."""


@dataclasses.dataclass(frozen=True, slots=True)
class Moment:
    """What a decision depends on, beside the game and the command."""

    at: datetime.datetime
    chance: Chance
    away_since: datetime.datetime | None = None
    """Since when the other player is not at the table; ``None`` if they are."""


def decide(live: LiveGame, command: Command, tribe: Tribe | None, moment: Moment) -> list[Event]:
    """Change the game as the command says; :class:`Refusal` if it may not, and then nothing is changed.

    ``tribe`` is whom the command is for; in a local game it may be nobody in particular.
    """
    if command.revision is not None and not live.settled <= command.revision <= live.revision:
        raise stale()
    match command:
        case Play():
            return _play(live, command, moment)
        case Undo():
            return _undo(live, command, tribe, moment)
        case Confirm():
            return _confirm(live, command, tribe, moment)
        case _:
            return _decide_between_players(live, command, tribe, moment)


def _decide_between_players(
    live: LiveGame, command: Offer | Answer | Resign | Claim, tribe: Tribe | None, moment: Moment
) -> list[Event]:
    if live.head.online is None:
        raise Refusal(409, "local-game", "This is only for games between players at different places.")
    assert tribe is not None  # noqa: S101  # a command in an online game is for somebody
    require_running(live)
    match command:
        case Offer(what="draw"):
            return _offer_draw(live, tribe, moment)
        case Offer(scope=scope):
            return _offer_takeback(live, tribe, live.takeback(tribe, scope))
        case Answer(answer="withdraw"):
            return _end_offer(live, tribe)
        case Answer(answer=answer):
            return _answer(live, tribe, moment, accepted=answer == "accept")
        case Resign():
            return live.declare(GameEnded(tribe.enemy.value, "resignation"), moment.at)
        case Claim():
            return _claim(live, tribe, moment)


def fallen_flag(live: LiveGame, at: datetime.datetime, lag: int) -> Flag | None:
    """Whose time is up."""
    if live.clock is None or live.game.outcome is not None:
        return None
    return live.clock.flag(milliseconds(at), lag)


def end_by_time(live: LiveGame, flag: Flag, at: datetime.datetime) -> list[Event]:
    """Whose time is up has lost."""
    return live.declare(GameEnded(flag.loser.enemy.value, "time"), at)


def lag_of(command: Command) -> int:
    """What is forgiven of the time until a command came. A timer waits for as much as can be."""
    return command.lag if isinstance(command, Play | Confirm) else 0


def require_running(live: LiveGame) -> None:
    """That the game goes on."""
    if live.game.outcome is not None:
        raise Refusal(409, "game-over", "The game is over.")


def stale() -> Refusal:
    """The refusal of whoever has not seen the last of a game."""
    return Refusal(409, "stale-revision", "The game has gone on meanwhile.")


def _play(live: LiveGame, play: Play, moment: Moment) -> list[Event]:
    _require_decision(live, tribe_named(play.tribe))
    try:
        return live.play(play.token, hold=play.hold, chance=moment.chance, at=moment.at, lag=_forgiven(live, play.lag))
    except CairnError as error:
        raise refused_token(error) from None


def _undo(live: LiveGame, undo: Undo, tribe: Tribe | None, moment: Moment) -> list[Event]:
    """In an online game, whoever is not to decide has to ask for a takeback."""
    if live.head.online:
        require_running(live)
        if len(live.persons) == len(TRIBES) and tribe is not live.asked:
            raise Refusal(409, "takeback-needed", "It is the other's decision now: ask for a takeback.")
    count = live.undoable(undo.scope)
    if not count:
        raise _nothing_to_undo()
    return live.undo(count, moment.at)


def _confirm(live: LiveGame, confirm: Confirm, tribe: Tribe | None, moment: Moment) -> list[Event]:
    if live.held is None:
        raise Refusal(409, "nothing-to-confirm", "No turn and no draw waits to be confirmed.")
    if live.head.online and tribe is not live.held:
        raise Refusal(409, "wrong-turn", f"It is for {_name(live.held)} to confirm.")
    return live.confirm(moment.chance, moment.at, _forgiven(live, confirm.lag))


def _forgiven(live: LiveGame, lag: int) -> int:
    """What the log says of the way of a decision."""
    return min(lag, LAG_CAP) if live.clock and isinstance(live.clock.control, RealTime) else 0


def _end_offer(live: LiveGame, tribe: Tribe) -> list[Event]:
    if tribe not in live.offers:
        raise _no_offer()
    return live.end_offer(tribe)


def _require_decision(live: LiveGame, tribe: Tribe) -> None:
    """That a person may decide for the tribe now."""
    require_running(live)
    if live.held is not None:
        raise Refusal(409, "turn-held", f"{_name(live.held)} has to confirm first.")
    if live.game.decider is not tribe:
        decider = live.game.decider
        assert isinstance(decider, Tribe)  # noqa: S101  # a draw is made at once, or held
        raise Refusal(409, "wrong-turn", f"{_name(decider)} is to decide, not {_name(tribe)}.")
    if live.seat(tribe).kind == "computer":
        raise Refusal(409, "computer-decides", f"The computer decides for {_name(tribe)}.")


def _offer_draw(live: LiveGame, tribe: Tribe, moment: Moment) -> list[Event]:
    _require_person(live, tribe.enemy)
    theirs = live.offers.get(tribe.enemy)
    if theirs and theirs.what == "draw":
        return _answer(live, tribe, moment, accepted=True)
    if live.last_draw_offer.get(tribe) == live.turn:
        raise Refusal(409, "offered-already", "One can offer a draw once in each turn.")
    return live.offer(OfferMade(tribe.value, "draw"))


def _offer_takeback(live: LiveGame, tribe: Tribe, tokens: int) -> list[Event]:
    _require_person(live, tribe.enemy)
    if not tokens:
        raise _nothing_to_undo()
    return live.offer(OfferMade(tribe.value, "takeback", tokens))


def _answer(live: LiveGame, tribe: Tribe, moment: Moment, *, accepted: bool) -> list[Event]:
    offer = live.offers.get(tribe.enemy)
    if offer is None:
        raise _no_offer()
    if not accepted:
        return _end_offer(live, tribe.enemy)
    if offer.what == "draw":
        return live.declare(GameEnded(None, "agreement"), moment.at)
    return live.undo(offer.tokens, moment.at)


def _claim(live: LiveGame, tribe: Tribe, moment: Moment) -> list[Event]:
    _require_person(live, tribe.enemy)
    too_early = Refusal(409, "not-abandoned", "The other player has not been away for long enough.")
    if live.asked is not tribe.enemy:
        raise Refusal(409, "your-decision", "It is your decision: the game can go on.")
    if moment.away_since is None:
        raise Refusal(409, "not-abandoned", "The other player is at the table.")
    if live.clock is None:
        if moment.at - live.changed < UNLIMITED_GRACE:
            raise too_early
    elif isinstance(live.clock.control, RealTime):
        if moment.at - max(moment.away_since, live.changed) < GRACE:
            raise too_early
    else:
        raise Refusal(409, "not-abandoned", "In correspondence the clock decides.")
    return live.declare(GameEnded(tribe.value, "abandoned"), moment.at)


def _require_person(live: LiveGame, tribe: Tribe) -> None:
    if live.seat(tribe).kind == "computer":
        raise Refusal(409, "computer-opponent", "The computer cannot be asked for this.")


def _nothing_to_undo() -> Refusal:
    return Refusal(409, "nothing-to-undo", "There is nothing that can be taken back.")


def _no_offer() -> Refusal:
    return Refusal(409, "no-offer", "There is no such offer any more.")


def _name(tribe: Tribe) -> str:
    return tribe.value.capitalize()
