"""``cairn play``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.screen import choice, console
from cairn.messages import t
from cairn.vocabulary import Tribe, Variant

if TYPE_CHECKING:
    from cairn.engine import Engine

PERSON = "person"
RANDOM = "random"
USUAL_LEVEL = "1"


def play(
    variant: Annotated[str, typer.Option(metavar="beginner|standard|expert", help="cli.play.variant")] = "beginner",
    seed: Annotated[int | None, typer.Option(help="cli.play.seed", min=0, metavar="N")] = None,
    tribe: Annotated[str, typer.Option(metavar="forest|sea", help="cli.play.tribe")] = "forest",
    against: Annotated[
        str,
        typer.Option(
            metavar=f"LEVEL|{RANDOM}|{PERSON}",
            help="cli.play.against",
        ),
    ] = USUAL_LEVEL,
    two: Annotated[bool, typer.Option("--two", help="cli.play.two")] = False,
) -> None:
    """Play in the terminal, against the computer or a person."""
    from cairn import Game
    from cairn.cli.terminal_game import Quit, TerminalGame

    if two and against not in (USUAL_LEVEL, PERSON):
        raise typer.BadParameter(t("cli.play.two-against", against=against), param_hint="--two")
    chosen, below = choice(Variant, variant, "--variant"), choice(Tribe, tribe, "--tribe")
    opponent = PERSON if two else against
    engine = _opponent(opponent, seed)
    engines = {below.enemy: engine} if engine else {}
    session = TerminalGame(console(), Game.start(chosen, seed), engines, below, chosen.value, seed)
    session.say(_welcome(opponent, below))
    session.say(t("cli.play.type-help"))
    try:
        session.play()
    except (Quit, EOFError, KeyboardInterrupt):
        session.say("\n" + t("cli.play.goodbye"))


def _welcome(opponent: str, below: Tribe) -> str:
    """Introduce the players and explain how to choose another opponent."""
    if opponent == PERSON:
        return t("cli.play.welcome.two")
    how = "random" if opponent == RANDOM else "level"
    return f"{t(f'cli.play.welcome.{how}', tribe=below.value, level=opponent)}\n{t('cli.play.welcome.other')}"


def _opponent(name: str, seed: int | None) -> Engine | None:
    from cairn.engine import open_engine

    if name == PERSON:
        return None
    setting = "" if seed is None else f",seed={seed}"
    try:
        return open_engine(f"{RANDOM if name == RANDOM else f'level:{name}'}{setting}")
    except ValueError:
        raise typer.BadParameter(t("cli.play.bad-opponent", name=name), param_hint="--against") from None
