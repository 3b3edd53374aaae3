"""``cairn report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from cairn.cli.screen import complain, console
from cairn.messages import reason_of, t

PACKAGES: Final = ("numpy", "pyarrow")
"""The packages of the extra ``data``."""
PAGE: Final = "balance.html"
NOTEBOOK: Final = "balance.ipynb"


def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="cli.report.folder", show_default=False)],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="cli.report.games")] = 120_000,
    nodes: Annotated[int, typer.Option(min=1, metavar="N", help="cli.arena.nodes")] = 2_000,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="cli.report.seed")] = 1,
    jobs: Annotated[int | None, typer.Option(min=1, metavar="N", help="cli.arena.jobs")] = None,
    redraw: Annotated[bool, typer.Option("--redraw", help="cli.report.redraw")] = False,
) -> None:
    """Write the balance report: how fair and how varied the game is."""
    import importlib.util
    import os

    # Report a missing package before an hour of self-play.
    if missing := next((name for name in PACKAGES if importlib.util.find_spec(name) is None), None):
        complain(t("cli.needs-package", package=missing, extra="data"), 2)

    from cairn.balance.notebook import write_notebook
    from cairn.balance.page import write_page
    from cairn.balance.run import collect
    from cairn.balance.tables import BalanceError, BalanceSettings, read_facts, write_facts

    page, notebook = folder / PAGE, folder / NOTEBOOK
    try:
        if redraw:
            facts = read_facts(folder)
        else:
            settings = BalanceSettings(games, nodes, seed, shards=min(games, 60))
            with console().status("") as status:
                facts = collect(
                    folder,
                    settings,
                    jobs or os.cpu_count() or 1,
                    lambda step, done, n: status.update(t("cli.report.step", step=step, done=done, n=n)),
                )
            write_facts(folder, facts)
        page.write_text(write_page(facts), encoding="utf-8", newline="\n")
        notebook.write_text(write_notebook(), encoding="utf-8", newline="\n")
    except BalanceError as error:
        complain(error, 1)
    except OSError as error:
        complain(f"{folder}: {reason_of(error)}", 1)
    except KeyboardInterrupt:
        complain(t("cli.arena.stopped"), 130)
    typer.echo(t("cli.report.done", page=page, notebook=notebook))
