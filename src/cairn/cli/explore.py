"""``cairn explore``."""

from __future__ import annotations

from typing import Annotated

import typer

from cairn.cli.arguments import Position, Tokens
from cairn.cli.screen import choice, complain
from cairn.messages import t


def explore(
    position: Position,
    tokens: Tokens = None,
    variant: Annotated[
        str | None,
        typer.Option("--variant", metavar="beginner|standard|expert", help="cli.explore.variant", show_default=False),
    ] = None,
    any_megaliths: Annotated[bool, typer.Option("--any-megaliths", help="cli.explore.any-megaliths")] = False,
) -> None:
    """List what the engine played at a moment in games against itself, and how it scored."""
    import cairn
    from cairn import explorer
    from cairn.cli.faults import error_text

    chosen = None if variant is None else choice(cairn.Variant, variant, "--variant")
    try:
        board = cairn.Board(position, tokens or ())
    except cairn.CairnError as error:
        complain(error_text(error), 2)
    found = explorer.released().explore(board, chosen, any_megaliths=any_megaliths)
    if not found.tokens:
        typer.echo(t("cli.explore.unknown"))
        return
    typer.echo(t("cli.explore.games", n=found.results.games))
    for each in found.tokens:
        shares = [
            round(100 * number / each.games) for number in (each.results.won, each.results.drawn, each.results.lost)
        ]
        line = t("cli.explore.token", n=each.games, forest=shares[0], drawn=shares[1], sea=shares[2])
        typer.echo(f"{each.token!s:<10} {line}")
