"""``cairn perft``."""

from __future__ import annotations

from typing import Annotated

import typer

from cairn.cli.arguments import Position
from cairn.cli.screen import complain
from cairn.messages import t


def perft(
    position: Position,
    depth: Annotated[str, typer.Argument(metavar="DEPTH", help="cli.perft.depth", show_default=False)],
    divide: Annotated[bool, typer.Option("--divide", help="cli.perft.divide")] = False,
) -> None:
    """Count the legal token sequences of a given length.

    The counts help to compare implementations of the rules. Ctrl+C stops a long count.
    """
    from cairn import Board, CairnError, engine
    from cairn.cli.faults import error_text
    from cairn.engine.counting import DEEPEST
    from cairn.engine.numbers import read_number

    number = read_number(depth, 0, DEEPEST)
    if number is None:
        complain(t("cli.perft.bad-depth", max=DEEPEST, depth=depth[:40]), 2)
    try:
        board = Board(position)
    except CairnError as error:
        complain(error_text(error), 2)
    try:
        if not divide:
            typer.echo(engine.perft(board, number))
            return
        total = 0
        for token, count in engine.divide(board, number):
            typer.echo(f"{token} {count}")
            total += count
        typer.echo(t("cli.perft.total", n=total if number else 1))
    except KeyboardInterrupt:
        complain(t("cli.perft.stopped"), 130)
