"""``cairn benchmark``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.screen import complain, console
from cairn.messages import t

if TYPE_CHECKING:
    from cairn.benchmark import LadderResult, PositionsResult


def benchmark(  # noqa: PLR0913, PLR0917  # each one is an option
    engine: Annotated[str, typer.Argument(metavar="ENGINE", help="cli.benchmark.engine", show_default=False)],
    movetime: Annotated[int | None, typer.Option(min=1, metavar="MS", help="cli.arena.movetime")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="cli.arena.nodes")] = None,
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="cli.arena.depth")] = None,
    positions: Annotated[bool, typer.Option(help="cli.benchmark.positions")] = True,
    pairs: Annotated[int, typer.Option(min=0, metavar="N", help="cli.benchmark.pairs")] = 10,
    jobs: Annotated[int | None, typer.Option(min=1, metavar="N", help="cli.benchmark.jobs")] = None,
    journal: Annotated[Path | None, typer.Option(metavar="FILE.jsonl", help="cli.arena.journal")] = None,
) -> None:
    """Measure an engine: 1,000 proven positions, and games against the ten levels."""
    import functools
    import os

    from cairn.arena import ArenaError, display, play_here, run
    from cairn.arena.settings import limit_for
    from cairn.arena.tournament import default_journal
    from cairn.benchmark import ladder_settings, result_of, solve_all
    from cairn.engine import EngineError

    jobs = jobs or os.cpu_count() or 1
    try:
        limit = limit_for([engine], movetime, nodes, depth)
        if positions:
            with console().status("") as status:
                found = solve_all(engine, limit, jobs, lambda done: status.update(str(done)))
            _print_positions(found)
        if pairs:
            settings = ladder_settings(engine, limit, pairs)
            path = journal or default_journal(settings)
            with display.progress(settings) as show:
                standings = run(
                    settings, path, path.with_suffix(".cairn"), functools.partial(play_here, jobs=jobs), show
                )
            _print_ladder(result_of(standings))
    except (ArenaError, EngineError, ValueError) as error:
        complain(error, 2)
    except KeyboardInterrupt:
        complain(t("cli.arena.stopped"), 130)


def _print_positions(found: PositionsResult) -> None:
    solved, (low, high) = sum(found.solved.values()), found.interval
    percents = {"percent": 100 * found.score, "low": 100 * low, "high": 100 * high}
    told = {name: f"{value:.1f}" for name, value in percents.items()}
    typer.echo(t("cli.benchmark.solved", solved=solved, n=len(found.solved), **told))
    for kind, (right, count) in found.by_kind().items():
        goal, _, turns = kind.partition(" in ")
        typer.echo(t("cli.benchmark.kind", goal=goal, turns=turns, solved=right, n=count))


def _print_ladder(found: LadderResult) -> None:
    for level, (points, games) in found.scores.items():
        typer.echo(t("cli.benchmark.level", level=level, points=f"{points:g}", n=games))
    if math.isinf(found.elo):
        typer.echo(t("cli.benchmark.bound", how="won" if found.elo > 0 else "lost", elo=f"{found.margin:.0f}"))
    else:
        typer.echo(t("cli.benchmark.elo", elo=f"{found.elo:.0f}", margin=f"{found.margin:.0f}"))
