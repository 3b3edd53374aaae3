"""``cairn perft``."""

from __future__ import annotations

from typing import Annotated

import typer

from cairn.cli.arguments import Position
from cairn.cli.screen import complain


def perft(
    position: Position,
    depth: Annotated[
        str, typer.Argument(metavar="DEPTH", help="The length of the sequences, from 0 to 99.", show_default=False)
    ],
    divide: Annotated[bool, typer.Option("--divide", help="Show the count for each first token.")] = False,
) -> None:
    """Count the legal token sequences of a given length.

    Use it to compare implementations of the rules. Ctrl+C stops a long count.
    """
    from cairn import Board, CairnError, engine
    from cairn.engine.counting import DEEPEST
    from cairn.engine.numbers import read_number

    number = read_number(depth, 0, DEEPEST)
    if number is None:
        complain(f"DEPTH must be a whole number from 0 to {DEEPEST}, not {depth[:40]!r}", 2)
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
        complain("stopped before the count finished", 130)
