"""Build all messages about games, so that secrets are stripped in one place.

A seed leaves the server only through ``GameState.proof``, which contains it only after the end of the game.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Collection, Iterable
from typing import Final

from cairn.board import Board
from cairn.fairness import UNKNOWN_START, Proof
from cairn.server.game.choices import Consequence, Opportunity, describe
from cairn.server.game.clocks import Clock, Correspondence, RealTime, TimeControl, milliseconds
from cairn.server.game.names import TRIBE_NAMES, OfferName, tribe_name
from cairn.server.game.seated_game import SeatedGame
from cairn.server.game.state import GameState, OpenOffer
from cairn.server.game.undo import undo_offer
from cairn.server.messages.games import (
    ClockView,
    Control,
    CorrespondenceControl,
    GameSummary,
    GameView,
    LineView,
    MomentView,
    OfferView,
    OutcomeView,
    Players,
    ProofView,
    RealTimeControl,
    Update,
)
from cairn.server.storage.games.listing import ListedGame
from cairn.story import effects_of
from cairn.vocabulary import Outcome, Reason, Setup, Token, Tribe

MOST_CONTROLS: Final = 1_024
"""How many time controls to cache as messages. Every token's update contains one."""


def game_view(
    state: GameState, at: datetime.datetime, you: Collection[Tribe] = (), present: Collection[Tribe] = ()
) -> GameView:
    """The whole game, without secrets. ``you`` lists the tribes that the recipient acts for."""
    header, online = state.header, state.header.online
    return GameView(
        id=header.id,
        created=header.created,
        changed=state.changed,
        variant=header.variant,
        seats=header.seats,
        start=state.start,
        revision=state.revision,
        steps=state.steps,
        now=moment(state.game, state, at),
        kind="online" if online else "local",
        rated=online.rated if online else False,
        players=players(state, present),
        proof=proof_view(state.proof),
        you=[tribe_name(tribe) for tribe in you],
    )


def update_view(
    state: GameState, base: int, kept: int, at: datetime.datetime, present: Collection[Tribe] = ()
) -> Update:
    """The changes since revision ``base``. The first ``kept`` steps of that revision are unchanged."""
    over = state.game.is_over
    return Update(
        game=state.header.id,
        base=base,
        revision=state.revision,
        kept=kept,
        steps=state.steps[kept:],
        now=moment(state.game, state, at),
        players=players(state, present) if over else None,
        proof=proof_view(state.proof) if over else None,
        start=state.start if state.header.sealed else None,
    )


def moment(game: SeatedGame, state: GameState | None = None, at: datetime.datetime | None = None) -> MomentView:
    """The current state of a game. Without a ``state``, the game is only a line, with no clocks, offers or undo.

    There are choices only if a person decides and no turn is held.
    """
    position, turn, active, phase, decider, power, focus, next_wins, choices, ahead, held, *barriers = game.now()
    outcome = game.outcome
    if state and state.owed and state.start == UNKNOWN_START:  # nobody can decide yet
        phase, decider, choices, ahead, barriers = "draw", "chance", [], [], ["nothing", "nothing"]
    return MomentView(
        position=position,
        turn=turn,
        active=active,
        phase=phase,
        decider=decider,
        power=power,
        focus=focus,
        next_wins=next_wins,
        choices=describe(choices),
        consequences=[
            Consequence(
                token, effects_of(effects), scorer, first, lines, [Opportunity(*each) for each in transformed], ignored
            )
            for token, effects, scorer, first, lines, transformed, ignored in ahead
        ],
        held=held,
        undo=undo_offer(*barriers) if state else undo_offer("nothing", "nothing"),
        outcome=outcome_view(outcome) if outcome else None,
        clock=clock_view(state.clock, milliseconds(at)) if state and state.clock and at else None,
        offers=[_offer_view(tribe, offer) for tribe, offer in state.offers.items()] if state else [],
        owed=[tribe_name(tribe) for tribe in state.owed] if state else [],
    )


def line(position: str | Setup | Board, tokens: Iterable[Token | str] = ()) -> LineView:
    """A position, and the tokens played from it.

    Raises :class:`~cairn.MalformedError` with every fault in the position, or the error for the first token that cannot
    be played.
    """
    game = SeatedGame(position)
    steps = game.follow_all(tokens)
    return LineView(start=game.start_text, steps=steps, now=moment(game))


def outcome_view(outcome: Outcome) -> OutcomeView:
    """How a game ended."""
    winner = tribe_name(outcome.winner) if outcome.winner else None
    return OutcomeView(winner=winner, reason=outcome.reason.value, rule=outcome.reason.rule)


def clock_view(clock: Clock, at: int) -> ClockView | None:
    """The clocks at a given millisecond."""
    control = control_view(clock.control)
    if control is None:
        return None
    forest, sea = clock.times(at)
    running = tribe_name(clock.running) if clock.running else None
    return ClockView(control=control, forest=forest, sea=sea, running=running, at=at)


@functools.lru_cache(MOST_CONTROLS)
def control_view(control: TimeControl) -> Control | None:
    """A time control as a message."""
    match control:
        case RealTime(initial, increment):
            return RealTimeControl(initial=initial, increment=increment)
        case Correspondence(days):
            return CorrespondenceControl(days=days)
        case None:
            return None


def control_of(view: Control | None) -> TimeControl:
    """The time control in a message."""
    match view:
        case RealTimeControl():
            return RealTime(view.initial, view.increment)
        case CorrespondenceControl():
            return Correspondence(view.days)
        case None:
            return None


def players(state: GameState, present: Collection[Tribe]) -> Players | None:
    """The players of an online game, and whether each of them is at the table. The computer always is."""
    if state.players is None:
        return None
    at_table = {tribe.value for tribe in present}
    forest, sea = (
        dataclasses.replace(player, online=name in at_table or player.kind == "level")
        for name, player in ((name, state.players[name]) for name in TRIBE_NAMES)
    )
    return Players(forest=forest, sea=sea)


def proof_view(proof: Proof | None) -> ProofView | None:
    """The values that determine the draws. The seed is included only if the proof contains it."""
    if proof is None:
        return None
    return ProofView(
        commitment=proof.commitment.hex(),
        forest_number=proof.forest_number.hex(),
        sea_number=proof.sea_number.hex(),
        first=tribe_name(proof.first) if proof.first else None,
        tossed=tribe_name(proof.tossed) if proof.tossed else None,
        version=proof.version,
        seed=proof.seed.hex() if proof.seed is not None else None,
        forest_link=proof.forest_links[-1].hex() if proof.forest_links else None,
        sea_link=proof.sea_links[-1].hex() if proof.sea_links else None,
    )


def summary(listed: ListedGame) -> GameSummary:
    """A game in a list, as a message."""
    projection = listed.projection
    outcome = None
    if projection.reason is not None:
        winner = Tribe(projection.winner) if projection.winner else None
        outcome = outcome_view(Outcome(winner, Reason(projection.reason)))
    return GameSummary(
        id=listed.id,
        created=listed.created,
        changed=projection.changed,
        variant=listed.variant,
        seats=listed.seats,
        turns=projection.turns,
        position=projection.position,
        decider=projection.decider,
        outcome=outcome,
        kind=listed.kind,
        rated=listed.rated,
        you=list(listed.you),
    )


def _offer_view(tribe: Tribe, offer: OpenOffer) -> OfferView:
    what: OfferName = "draw" if offer.what == "draw" else "takeback"
    return OfferView(by=tribe_name(tribe), what=what, tokens=offer.tokens)
