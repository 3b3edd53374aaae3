"""``cairn show``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.arguments import Position, Tokens
from cairn.cli.screen import complain, console, print_board
from cairn.messages import reason_of, t


def show(
    position: Position,
    tokens: Tokens = None,
    flip: Annotated[bool, typer.Option("--flip", help="cli.show.flip")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="cli.show.svg")] = None,
) -> None:
    """Draw a position and list its legal tokens."""
    import cairn
    from cairn import svg as drawing
    from cairn import terminal
    from cairn.cli import sentences
    from cairn.cli.faults import error_text

    try:
        game = cairn.Game(position, tokens or ())
    except cairn.CairnError as error:
        complain(error_text(error), 2)
    below = cairn.SEA if flip else cairn.FOREST
    screen = console()
    print_board(screen, game, below)
    screen.print()
    screen.print(sentences.ending(game) if game.outcome else sentences.question(game))
    if game.legal_moves:
        screen.print(terminal.tokens(game.legal_moves))
    if svg is not None:
        _, last = game.last_turn
        try:
            svg.write_text(drawing.board(game.board.setup, orientation=below, last=last), encoding="utf-8")
        except OSError as error:
            complain(f"{svg}: {reason_of(error)}", 1)
        screen.print(t("cli.show.written", path=svg))
