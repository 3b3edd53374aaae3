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
        str, typer.Option(metavar="beginner|standard|expert", help="The megaliths in the game.")
    ] = "beginner",
    seed: Annotated[int | None, typer.Option(help="Seed for the deal and the draws.", min=0, metavar="N")] = None,
    tribe: Annotated[str, typer.Option(metavar="forest|sea", help="Your tribe, shown at the bottom.")] = "forest",
    against: Annotated[
        str,
        typer.Option(
            metavar=f"LEVEL|{RANDOM}|{PERSON}",
            help="The computer at a level from 1 to 10, random moves, or another person (same as --two).",
        ),
    ] = USUAL_LEVEL,
    two: Annotated[bool, typer.Option("--two", help="For two people at this terminal.")] = False,
) -> None:
    """Play in the terminal, against the computer or a person."""
    from cairn import Game
    from cairn.cli.terminal_game import Quit, TerminalGame

    if two and against not in (USUAL_LEVEL, PERSON):
        raise typer.BadParameter(f"--two is for two people, so --against {against} is not possible", param_hint="--two")
    chosen, below = choice(Variant, variant, "--variant"), choice(Tribe, tribe, "--tribe")
    opponent = PERSON if two else against
    engine = _opponent(opponent, seed)
    engines = {below.enemy: engine} if engine else {}
    session = TerminalGame(console(), Game.start(chosen, seed), engines, below, chosen.value, seed)
    session.say(_welcome(opponent, below))
    session.say("Type help for a list of commands.")
    try:
        session.play()
    except (Quit, EOFError, KeyboardInterrupt):
        session.say("\nGoodbye.")


def _welcome(opponent: str, below: Tribe) -> str:
    """Introduce the players and explain how to choose others."""
    from cairn.cli import sentences

    if opponent == PERSON:
        return "Two people play. To play the computer: cairn play --against LEVEL (1 to 10)."
    how = "with random moves" if opponent == RANDOM else f"at level {opponent}"
    return (
        f"You are {sentences.name(below)}, against the computer {how}.\n"
        "For two people: cairn play --two. For another level: cairn play --against LEVEL (1 to 10)."
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
            f"{name!r} is not a level from 1 to 10, {RANDOM} or {PERSON}", param_hint="--against"
        ) from None
