"""Sentences for the terminal: questions for each phase, endings and summaries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cairn import Game, Megalith, Reason, Record, Setup, Tribe
from cairn.messages import megalith_name, megalith_power, reason_key, t


def name(tribe: Tribe) -> str:
    """The name of a tribe."""
    return t("story.tribe", tribe=tribe.value)


def question(game: Game) -> str:
    """The question for the current decision."""
    decider, tile = game.decider, game.board.power
    return t(
        f"cli.ask.{game.phase.name.lower()}",
        tribe=decider.value if isinstance(decider, Tribe) else "",
        megalith=megalith_name(tile) if tile else "",
        space=game.board.focus,
        power=megalith_power(tile) if tile else "",
    )


def power(tile: Megalith) -> str:
    """The name and power of a megalith."""
    return t("cli.power", code=tile.code, megalith=megalith_name(tile), power=megalith_power(tile))


def powers(setup: Setup) -> Iterator[str]:
    """All megaliths in a game with their places: first on the field, then upcoming, then in the deck."""
    standing = {tile: str(space) for space, tile in setup.megaliths.items()}
    waiting = {tile: t("cli.where.upcoming") for tile in setup.upcoming if tile}
    face_down = dict.fromkeys([*sorted(setup.deck.unknown), *setup.deck.known], t("cli.where.deck"))
    for tile, place in (standing | waiting | face_down).items():
        yield f"  {place:4}  {power(tile)}"


def ending(game: Game) -> str:
    """The winner and the reason. The game must be over."""
    outcome = game.outcome
    if outcome is None:
        raise ValueError("the game is not over")
    winner = outcome.winner.value if outcome.winner else "nobody"
    end = t("story.ended", winner=winner)
    reason = t(f"story.ended.{reason_key(outcome.reason.value)}", winner=winner)
    on_the_board = outcome.reason in (Reason.SCORE, Reason.NO_ACTION, Reason.REPETITION)
    rule = f" ({outcome.reason.rule})" if on_the_board else ""
    return t("story.sentence", text=t("story.ended.because", end=end, reason=f"{reason}{rule}"))


def summary(path: Path, record: Record) -> str:
    """A short summary of a record."""
    outcome = record.game.outcome
    reason = t("cli.reason", reason=reason_key(outcome.reason.value) if outcome else "none")
    return t("cli.check.good", path=path, result=record.result, reason=reason, n=len(record.game.tokens))
