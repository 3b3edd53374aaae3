"""``cairn arena``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def arena(  # noqa: PLR0913, PLR0917  # each one is an option
    players: Annotated[
        list[str], typer.Argument(metavar="A B [C...]", help="Engines: full, level:4, random, 'cmd:./other'.")
    ],
    movetime: Annotated[int | None, typer.Option(min=1, metavar="MS", help="Milliseconds per token.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="Nodes per token; reproducible.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="Search depth; reproducible.")] = None,
    pairs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Pairs of games per pairing; the default is 50.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Games per pairing, instead of --pairs; must be even.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed for starts, draws and openings.")] = 1,
    opening_plies: Annotated[int, typer.Option(min=0, metavar="K", help="Begin each game with K random tokens.")] = 0,
    longest: Annotated[int, typer.Option(min=1, metavar="TOKENS", help="Longer games are drawn.")] = 2_000,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop early with an SPRT: is A better than B by ELO1, not just ELO0?"),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Games to play in parallel; the default is one per CPU core."),
    ] = None,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on the Ray cluster at this address.")] = None,
    journal: Annotated[Path | None, typer.Option(metavar="FILE.jsonl", help="The file for finished games.")] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE.cairn", help="The file for all game records, written at the end.")
    ] = None,
) -> None:
    """Let engines play each other and estimate their strength.

    The two games in a pair have the same start, with the sides swapped. Run the same command again to resume.
    """
    import functools
    import os

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
        complain("stopped; run the same command again to continue", 130)
    typer.echo(sentences.summary(standings))
    typer.echo(f"Game records: {record}. Journal: {path}.")
