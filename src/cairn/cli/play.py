"""``cairn play``."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from cairn.cli.screen import console
from cairn.vocabulary import Tribe, Variant


class Opponent(enum.Enum):
    """Who plays the other tribe."""

    PERSON = "person"
    RANDOM = "random"


def play(
    variant: Annotated[Variant, typer.Option(help="Which megaliths are in the game.")] = Variant.BEGINNER,
    seed: Annotated[int | None, typer.Option(help="Shuffle and draw the same way again.", min=0)] = None,
    tribe: Annotated[Tribe, typer.Option(help="Your tribe: it sits below.")] = Tribe.FOREST,
    against: Annotated[Opponent, typer.Option(help="Another person at this terminal, or the computer.")] = (
        Opponent.PERSON
    ),
) -> None:
    """Play a game in the terminal."""
    from cairn import Game
    from cairn.cli.table import PERSON, RANDOM, Left, Table

    screen = console()
    other = PERSON if against is Opponent.PERSON else RANDOM
    players = {each: PERSON if each is tribe else other for each in Tribe}
    table = Table(screen, Game.start(variant, seed), players, tribe, variant.value, seed)
    table.say("Type help to see what you can say.")
    try:
        table.play()
    except (Left, EOFError, KeyboardInterrupt):
        table.say("\nGoodbye.")
