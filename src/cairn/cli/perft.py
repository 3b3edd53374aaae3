"""``cairn perft``."""

from __future__ import annotations

from typing import Annotated

import typer

from cairn.cli.screen import complain


def perft(
    position: Annotated[str, typer.Argument(help="The seven fields, in quotation marks.", show_default=False)],
    depth: Annotated[int, typer.Argument(help="How many tokens deep.", min=0, show_default=False)],
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first token.")] = False,
) -> None:
    """Count the token sequences of a length, to compare programs with each other."""
    from cairn import Board, CairnError, engine

    try:
        board = Board(position)
    except CairnError as error:
        complain(error, 2)
    if not divide:
        typer.echo(engine.perft(board, depth))
        return
    total = 0
    for token, count in engine.divide(board, depth):
        typer.echo(f"{token} {count}")
        total += count
    typer.echo(f"total {total if depth else 1}")
