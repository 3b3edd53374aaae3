"""``cairn solve``."""

from __future__ import annotations

from typing import Annotated

import typer

from cairn.cli.arguments import Position, Tokens
from cairn.cli.screen import complain
from cairn.messages import t


def solve(
    position: Position,
    tokens: Tokens = None,
    turns: Annotated[
        int,
        typer.Option("--turns", help="cli.solve.turns", min=1, metavar="N"),
    ] = 3,
    nodes: Annotated[int | None, typer.Option("--nodes", help="cli.solve.nodes", min=1, metavar="N")] = None,
) -> None:
    """Find a forced win within a number of turns.

    A win is forced if it works against every choice of the other tribe and every possible draw.
    """
    import cairn
    from cairn.cli.faults import error_text
    from cairn.engine import solver

    try:
        solution = solver.solve(cairn.Game(position, tokens or ()), turns, nodes)
    except (cairn.CairnError, ValueError) as error:
        complain(error_text(error), 2)
    if solution.winner is not None:
        typer.echo(t("cli.solve.wins", tribe=solution.winner.value, turns=solution.turns))
        typer.echo(t("cli.solve.line", tokens=" ".join(map(str, solution.line))))
    elif solution.result is solver.SolverResult.NOT_WITHIN:
        typer.echo(t("cli.solve.nobody", turns=solution.turns))
    else:
        typer.echo(t("cli.solve.unknown", turns=solution.turns))
    typer.echo(t("cli.solve.searched", n=solution.nodes))
