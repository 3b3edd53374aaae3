"""``cairn play``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.screen import console
from cairn.vocabulary import Tribe, Variant

if TYPE_CHECKING:
    from cairn.engine import Engine

PERSON = "person"
RANDOM = "random"
USUAL_LEVEL = "3"


def play(
    variant: Annotated[Variant, typer.Option(help="Which megaliths are in the game.")] = Variant.BEGINNER,
    seed: Annotated[int | None, typer.Option(help="Shuffle and draw the same way again.", min=0)] = None,
    tribe: Annotated[
        Tribe | None, typer.Option(help="Your tribe: it sits below [default: forest].", show_default=False)
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar=f"LEVEL|{RANDOM}|{PERSON}",
            help="The computer at a level from 1 to 10, or playing anything; or another person at this terminal "
            f"[default: {USUAL_LEVEL} if you choose a tribe, else {PERSON}].",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play a game in the terminal."""
    from cairn import Game
    from cairn.cli.table import Left, Table

    engine = _opponent(against or (USUAL_LEVEL if tribe else PERSON), seed)
    below = tribe or Tribe.FOREST
    engines = {below.enemy: engine} if engine else {}
    table = Table(console(), Game.start(variant, seed), engines, below, variant.value, seed)
    table.say("Type help to see what you can say.")
    try:
        table.play()
    except (Left, EOFError, KeyboardInterrupt):
        table.say("\nGoodbye.")


def _opponent(name: str, seed: int | None) -> Engine | None:
    from cairn.engine import open_engine

    if name == PERSON:
        return None
    setting = "" if seed is None else f",seed={seed}"
    try:
        return open_engine(f"{RANDOM if name == RANDOM else f'level:{name}'}{setting}")
    except ValueError:
        raise typer.BadParameter(
            f"{name!r} is neither a level from 1 to 10, nor {RANDOM}, nor {PERSON}", param_hint="--against"
        ) from None
