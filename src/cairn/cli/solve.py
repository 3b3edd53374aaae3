"""``cairn solve``."""

from __future__ import annotations

from typing import Annotated

import typer

from cairn.cli.arguments import Position, Tokens
from cairn.cli.screen import complain


def solve(
    position: Position,
    tokens: Tokens = None,
    turns: Annotated[
        int,
        typer.Option("--turns", help="The number of turns to look ahead, counting both tribes.", min=1, metavar="N"),
    ] = 3,
    nodes: Annotated[int | None, typer.Option("--nodes", help="The node limit.", min=1, metavar="N")] = None,
) -> None:
    """Find a forced win within a number of turns.

    A win is forced if it works against every choice of the other tribe and every possible draw.
    """
    import cairn
    from cairn.cli import sentences
    from cairn.engine import solver

    try:
        solution = solver.solve(cairn.Game(position, tokens or ()), turns, nodes)
    except (cairn.CairnError, ValueError) as error:
        complain(error, 2)
    within = "in this turn" if solution.turns == 1 else f"within {solution.turns} turns"
    if solution.winner is not None:
        typer.echo(f"{sentences.name(solution.winner)} wins {within}, and cannot force a faster win.")
        typer.echo(f"line: {' '.join(map(str, solution.line))}")
    elif solution.result is solver.SolverResult.NOT_WITHIN:
        typer.echo(f"Nobody can force a win {within}.")
    else:
        settled = f"nobody can force a win {within}" if solution.turns else "nothing is proven"
        typer.echo(f"Unknown: {settled}, and the node limit was reached.")
    typer.echo(f"nodes: {solution.nodes}")
