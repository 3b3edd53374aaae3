"""``cairn play``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.screen import choice, console
from cairn.vocabulary import Tribe, Variant

if TYPE_CHECKING:
    from cairn.engine import Engine

PERSON = "person"
RANDOM = "random"
USUAL_LEVEL = "1"


def play(
    variant: Annotated[
        str, typer.Option(metavar="beginner|standard|expert", help="Which megaliths are in the game.")
    ] = "beginner",
    seed: Annotated[int | None, typer.Option(help="Shuffle and draw the same way again.", min=0, metavar="N")] = None,
    tribe: Annotated[str, typer.Option(metavar="forest|sea", help="Your tribe: it sits below.")] = "forest",
    against: Annotated[
        str,
        typer.Option(
            metavar=f"LEVEL|{RANDOM}|{PERSON}",
            help="The computer at a level from 1 to 10, or playing anything; or another person, as --two.",
        ),
    ] = USUAL_LEVEL,
    two: Annotated[bool, typer.Option("--two", help="Two people at this terminal.")] = False,
) -> None:
    """Play a game in the terminal, against the computer or each other."""
    from cairn import Game
    from cairn.cli.terminal_game import Quit, TerminalGame

    if two and against not in (USUAL_LEVEL, PERSON):
        raise typer.BadParameter(f"it is for two people, so {against!r} cannot play", param_hint="--two")
    chosen, below = choice(Variant, variant, "--variant"), choice(Tribe, tribe, "--tribe")
    opponent = PERSON if two else against
    engine = _opponent(opponent, seed)
    engines = {below.enemy: engine} if engine else {}
    session = TerminalGame(console(), Game.start(chosen, seed), engines, below, chosen.value, seed)
    session.say(_welcome(opponent, below))
    session.say("Type help to see what you can say.")
    try:
        session.play()
    except (Quit, EOFError, KeyboardInterrupt):
        session.say("\nGoodbye.")


def _welcome(opponent: str, below: Tribe) -> str:
    """Who plays whom, and how to have it otherwise."""
    from cairn.cli import sentences

    if opponent == PERSON:
        return "Two people play. Against the computer: cairn play --against LEVEL, from 1 to 10."
    how = "which plays anything" if opponent == RANDOM else f"at level {opponent}"
    return (
        f"You are {sentences.name(below)}, against the computer {how}.\n"
        "For two people: cairn play --two. Another level, from 1 to 10: cairn play --against LEVEL."
    )


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
