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
    movetime: Annotated[int | None, typer.Option(min=1, metavar="MS", help="Milliseconds for a token.")] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Tokens tried for a token; reproducible.")
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="How deep to look; reproducible.")] = None,
    pairs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Pairs of games for each two players, 50 unless told.")
    ] = None,
    games: Annotated[int | None, typer.Option(min=2, metavar="N", help="The same in games: an even number.")] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of starts, draws and openings.")] = 1,
    opening_plies: Annotated[int, typer.Option(min=0, metavar="K", help="Begin with K random tokens.")] = 0,
    longest: Annotated[int, typer.Option(min=1, metavar="TOKENS", help="A longer game is a draw.")] = 2_000,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop when A is proved better than B by ELO1, or not even by ELO0."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games at the same time: by default one for each processor.")
    ] = None,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on this Ray cluster.")] = None,
    journal: Annotated[Path | None, typer.Option(metavar="FILE.jsonl", help="Where finished games are kept.")] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE.cairn", help="All games in the end.")] = None,
) -> None:
    """Let engines play each other, and say who is better.

    They play pairs of games from the same starts. The same command again goes on after a break.
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
        complain("stopped; the same command goes on from here", 130)
    typer.echo(sentences.summary(standings))
    typer.echo(f"Games in {record}, journal in {path}.")
