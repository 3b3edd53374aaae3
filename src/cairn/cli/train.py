"""``cairn train``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain
from cairn.messages import t


def train(
    settings: Annotated[Path, typer.Argument(metavar="SETTINGS.toml", help="cli.train.settings")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="cli.train.folder")],
) -> None:
    """Train the network evaluation."""
    from cairn.arena import ArenaError
    from cairn.training.display import TerminalDisplay
    from cairn.training.generations import train as run
    from cairn.training.settings import TrainingError, read_settings

    try:
        with TerminalDisplay() as display:
            generations = run(folder, read_settings(settings), display)
        from cairn.training.plots import plot_run

        picture = folder / "plot.svg"
        plot_run(generations, picture)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("matplotlib", "numpy", "torch"):
            raise
        complain(t("cli.train.missing", package=error.name), 2)
    except (TrainingError, ArenaError, OSError, ValueError) as error:
        complain(error, 2)
    except KeyboardInterrupt:
        complain(t("cli.train.stopped"), 130)
    accepted = [each.number for each in generations if each.accepted]
    if accepted:
        typer.echo(t("cli.train.best", file=folder / "best.bin", generation=accepted[-1]))
    else:
        typer.echo(t("cli.train.none"))
    typer.echo(t("cli.train.plot", file=picture))
