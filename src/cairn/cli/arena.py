"""``cairn arena``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain, require_posix
from cairn.messages import t


def arena(  # noqa: PLR0913, PLR0917  # each one is an option
    players: Annotated[list[str], typer.Argument(metavar="A B [C...]", help="cli.arena.players")],
    movetime: Annotated[int | None, typer.Option(min=1, metavar="MS", help="cli.arena.movetime")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="cli.arena.nodes")] = None,
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="cli.arena.depth")] = None,
    pairs: Annotated[int | None, typer.Option(min=1, metavar="N", help="cli.arena.pairs")] = None,
    games: Annotated[int | None, typer.Option(min=2, metavar="N", help="cli.arena.games")] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="cli.arena.seed")] = 1,
    opening_plies: Annotated[int, typer.Option(min=0, metavar="K", help="cli.arena.opening")] = 0,
    longest: Annotated[int, typer.Option(min=1, metavar="TOKENS", help="cli.arena.longest")] = 2_000,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="cli.arena.sprt"),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="cli.arena.jobs"),
    ] = None,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help="cli.arena.ray")] = None,
    journal: Annotated[Path | None, typer.Option(metavar="FILE.jsonl", help="cli.arena.journal")] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE.cairn", help="cli.arena.record")] = None,
) -> None:
    """Let engines play each other and estimate their strength.

    The two games in a pair have the same start, with sides swapped. With --nodes or --depth, games are reproducible.
    Run the same command again to resume.
    """
    import functools
    import os

    require_posix()
    from cairn.arena import ArenaError, ArenaSettings, Sprt, display, play_here, play_on_ray, run, sentences
    from cairn.arena.settings import limit_for, pairs_for
    from cairn.arena.tournament import default_journal

    try:
        settings = ArenaSettings(
            players=tuple(players),
            limit=limit_for(players, movetime, nodes, depth),
            seed=seed,
            pairs=pairs_for(pairs, games),
            opening_plies=opening_plies,
            longest=longest,
            sprt=Sprt(*sprt) if sprt else None,
        )
        path = journal or default_journal(settings)
        record = record or path.with_suffix(".cairn")
        if ray is not None:
            pool = functools.partial(play_on_ray, jobs=jobs, address=ray)
        else:
            pool = functools.partial(play_here, jobs=jobs or os.cpu_count() or 1)
        with display.progress(settings) as show:
            standings = run(settings, path, record, pool, show)
    except (ArenaError, ValueError) as error:
        complain(error, 2)
    except KeyboardInterrupt:
        complain(t("cli.arena.stopped"), 130)
    typer.echo(sentences.summary(standings))
    typer.echo(t("cli.arena.files", record=record, journal=path))
