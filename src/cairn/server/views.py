"""What leaves the server about a game: the one place where secrets are stripped.

Nothing else makes messages from a game. A seed is told only through ``LiveGame.proof``, which has it when the game is
over and never before.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Collection
from typing import Final

from cairn.fairness import Proof
from cairn.server.clocks import Clock, Correspondence, RealTime, TimeControl
from cairn.server.live import LiveGame, milliseconds
from cairn.server.models import (
    ClockView,
    Control,
    CorrespondenceControl,
    GameSummary,
    GameView,
    Moment,
    OfferName,
    OfferView,
    Outcome,
    Players,
    ProofView,
    RealTimeControl,
    TribeName,
    Update,
)
from cairn.server.steps import moment
from cairn.server.steps import tribe_name as tribe_name
from cairn.server.storage import ListedGame
from cairn.vocabulary import FOREST, SEA, Reason, Tribe

TRIBE_NAMES: Final[tuple[TribeName, TribeName]] = ("forest", "sea")
MOST_CONTROLS: Final = 1_024
"""So many time controls are remembered as messages: each is told with every token."""


def game_view(
    live: LiveGame, at: datetime.datetime, you: Collection[Tribe] = (), present: Collection[Tribe] = ()
) -> GameView:
    """The whole game, as anybody may see it. ``you`` are the tribes that whoever asked acts for."""
    online = live.head.online
    return GameView(
        id=live.head.id,
        created=live.head.created,
        changed=live.changed,
        variant=live.head.variant,
        seats=live.head.seats,
        start=live.head.start,
        revision=live.revision,
        steps=live.steps,
        now=now(live, at),
        kind="online" if online else "local",
        rated=online.rated if online else False,
        players=players(live, present),
        proof=proof_view(live.proof),
        you=[tribe_name(tribe) for tribe in you],
    )


def update(live: LiveGame, base: int, kept: int, at: datetime.datetime, present: Collection[Tribe] = ()) -> Update:
    """What changed since revision ``base``, of whose steps the first ``kept`` still stand."""
    over = live.game.outcome is not None
    return Update(
        game=live.head.id,
        base=base,
        revision=live.revision,
        kept=kept,
        steps=live.steps[kept:],
        now=now(live, at),
        players=players(live, present) if over else None,
        proof=proof_view(live.proof) if over else None,
    )


def now(live: LiveGame, at: datetime.datetime) -> Moment:
    """Where the game stands, and what is asked of the persons."""
    return moment(
        live.game,
        held=live.held,
        undo=live.undo_offer,
        deciders=live.persons,
        turn=live.turn,
        clock=clock_view(live.clock, milliseconds(at)) if live.clock else None,
        offers=[
            OfferView(by=tribe_name(tribe), what=_offer_name(offer.what), tokens=offer.tokens)
            for tribe, offer in live.offers.items()
        ],
    )


def clock_view(clock: Clock, at: int) -> ClockView | None:
    """The clocks at that millisecond."""
    control = control_view(clock.control)
    if control is None:
        return None
    left = [clock.left(tribe, at) or 0 for tribe in (FOREST, SEA)]
    running = tribe_name(clock.running) if clock.running else None
    return ClockView(control=control, forest=left[0], sea=left[1], running=running, at=at)


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


def players(live: LiveGame, present: Collection[Tribe]) -> Players | None:
    """Who plays an online game, and who of them is at the table. The computer always is."""
    if live.people is None:
        return None
    there = {tribe_name(tribe) for tribe in present}
    forest, sea = (
        player.model_copy(update={"online": tribe in there or player.kind == "level"})
        for tribe, player in ((tribe, live.people[tribe]) for tribe in TRIBE_NAMES)
    )
    return Players(forest=forest, sea=sea)


def proof_view(proof: Proof | None) -> ProofView | None:
    """What the draws follow from, as far as it may be told."""
    if proof is None:
        return None
    return ProofView(
        commitment=proof.commitment.hex(),
        forest_number=proof.forest_number.hex(),
        sea_number=proof.sea_number.hex(),
        first=tribe_name(proof.first) if proof.first else None,
        tossed=tribe_name(proof.tossed) if proof.tossed else None,
        seed=proof.seed.hex() if proof.seed is not None else None,
    )


def summary(listed: ListedGame) -> GameSummary:
    """A line of the list of games."""
    standing = listed.standing
    outcome = None
    if standing.reason is not None:
        outcome = Outcome(winner=standing.winner, reason=standing.reason, rule=Reason(standing.reason).rule)
    return GameSummary(
        id=listed.id,
        created=listed.created,
        changed=standing.changed,
        variant=listed.variant,
        seats=listed.seats,
        turns=standing.turns,
        position=standing.position,
        decider=standing.decider,
        outcome=outcome,
        kind=listed.kind,
        rated=listed.rated,
        you=list(listed.you),
    )


def _offer_name(what: str) -> OfferName:
    return "draw" if what == "draw" else "takeback"
