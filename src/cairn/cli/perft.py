"""``cairn perft``."""

from __future__ import annotations

from typing import Annotated

import typer

from cairn.cli.arguments import Position
from cairn.cli.screen import complain


def perft(
    position: Position,
    depth: Annotated[
        str, typer.Argument(metavar="DEPTH", help="How many tokens deep, from 0 to 99.", show_default=False)
    ],
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first token.")] = False,
) -> None:
    """Count the token sequences of a length.

    Programs that know the rules count the same. Ctrl-C ends a count that takes too long.
    """
    from cairn import Board, CairnError, engine
    from cairn.engine.counting import DEEPEST
    from cairn.engine.numbers import read_number

    number = read_number(depth, 0, DEEPEST)
    if number is None:
        complain(f"DEPTH is a whole number from 0 to {DEEPEST}, not {depth[:40]!r}", 2)
    try:
        board = Board(position)
    except CairnError as error:
        complain(error, 2)
    try:
        if not divide:
            typer.echo(engine.perft(board, number))
            return
        total = 0
        for token, count in engine.divide(board, number):
            typer.echo(f"{token} {count}")
            total += count
        typer.echo(f"total {total if number else 1}")
    except KeyboardInterrupt:
        complain("stopped before the count was done", 130)
