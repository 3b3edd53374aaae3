"""Sentences about the review of a game, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cairn import FOREST, SEA, Record, Tribe
from cairn.cli.sentences import name
from cairn.engine.review import CERTAIN, Claim, Review
from cairn.messages import t
from cairn.story import clause

SHOWN_TOKENS: Final = 5
"""How many tokens of a better line to show."""


def judged(review: Review) -> Iterator[str]:
    """The inaccuracies and mistakes, each with the better line and, below it, the reason."""
    for each in review.decisions:
        if each.judgement:
            better = " ".join(each.better[:SHOWN_TOKENS])
            place = f"{each.turn:4} {each.tribe.letter} {f'{each.token}{each.judgement.sign}':12}"
            before, after = f"{each.before / CERTAIN:.2f}", f"{each.after / CERTAIN:.2f}"
            yield f"{place} {t('cli.analyse.better', before=before, after=after, tokens=better)}"
            if each.claim:
                yield f"{'':20}{why(each.claim)}"


def why(claim: Claim) -> str:
    """Why a decision was a mistake, as a sentence."""
    event = clause(claim.event)
    if claim.kind in ("scores", "reaches"):
        event = t(f"story.why.{claim.kind}", event=event, tribe=claim.tribe.value)
    if claim.cause:
        event = t("story.why.cause", cause=clause(claim.cause), event=event)
    return t(
        "story.sentence", text=t(f"story.why.{'missed' if claim.missed else 'refuted'}", n=claim.turns, event=event)
    )


def ledger(review: Review) -> Iterator[str]:
    """The account, one term per line."""
    terms: list[tuple[str, int]] = [
        (t("cli.ledger.start"), review.values[0]),
        (t("cli.ledger.decisions", tribe="forest"), review.ledger[FOREST]),
        (t("cli.ledger.decisions", tribe="sea"), review.ledger[SEA]),
        (t("cli.ledger.luck"), review.luck),
        (t("cli.ledger.search"), review.search),
    ]
    if review.ending:
        terms.append((t("cli.ledger.ending"), review.ending))
    for number, (text, value) in enumerate(terms):
        yield f"{signed(value) if number else points(value):>9}  {text}"
    if review.result is not None and review.adjusted_result is not None:
        yield f"{points(review.result):>9}  {t('cli.ledger.result')}"
        yield f"{points(review.adjusted_result):>9}  {t('cli.ledger.adjusted')}"


def verdicts(record: Record, review: Review) -> Iterator[str]:
    """A summary for each player, one per line."""
    for tribe in Tribe:
        player, headers = review.players[tribe], record.headers.get(tribe.value.capitalize())
        yield t(
            "cli.analyse.verdict",
            who=f"{name(tribe)} ({headers})" if headers else name(tribe),
            decisions=player.decisions,
            inaccuracies=player.inaccuracies,
            mistakes=player.mistakes,
            blunders=player.blunders,
            loss=f"{player.mean_loss / CERTAIN:.3f}",
        )
        if player.decisions:
            yield t(
                "cli.analyse.level",
                accuracy=round(100 * player.accuracy / CERTAIN),
                level=player.level_by_loss,
            )


def points(value: int) -> str:
    """A value with all its digits, so that the terms add up."""
    return f"{value / CERTAIN:.6f}"


def signed(value: int) -> str:
    """The same with a sign."""
    return f"{value / CERTAIN:+.6f}"
