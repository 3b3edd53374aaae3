"""What leaves the server about a game: the one place where secrets are stripped.

Nothing else makes messages from a game, and nothing here reads a seed.
"""

from __future__ import annotations

from cairn.server.live import LiveGame
from cairn.server.models import GameSummary, GameView, Moment, Outcome, Update
from cairn.server.steps import moment
from cairn.server.storage import ListedGame
from cairn.vocabulary import Reason


def game_view(live: LiveGame) -> GameView:
    """The whole game, as anybody may see it."""
    return GameView(
        id=live.head.id,
        created=live.head.created,
        changed=live.changed,
        variant=live.head.variant,
        seats=live.head.seats,
        start=live.head.start,
        revision=live.revision,
        steps=live.steps,
        now=now(live),
    )


def update(live: LiveGame, base: int, kept: int) -> Update:
    """What changed since revision ``base``, of whose steps the first ``kept`` still stand."""
    return Update(
        game=live.head.id, base=base, revision=live.revision, kept=kept, steps=live.steps[kept:], now=now(live)
    )


def now(live: LiveGame) -> Moment:
    """Where the game stands, and what is asked of the persons."""
    return moment(live.game, held=live.held, undo=live.undo_offer, deciders=live.persons)


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
    )
