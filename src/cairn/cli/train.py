"""``cairn train``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from cairn.cli.screen import complain, require_posix
from cairn.messages import t

PACKAGES: Final = ("matplotlib", "numpy", "torch")
"""The packages of the extra ``train``."""


def train(
    settings: Annotated[Path, typer.Argument(metavar="SETTINGS.toml", help="cli.train.settings")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="cli.train.folder")],
) -> None:
    """Train the network evaluation."""
    import importlib.util

    require_posix()
    from cairn.arena import ArenaError
    from cairn.cluster import ClusterError
    from cairn.training.display import TerminalDisplay
    from cairn.training.generations import train as run
    from cairn.training.plots import plot_run
    from cairn.training.settings import TrainingError, read_settings

    # Report a missing package before hours of self-play.
    if missing := next((name for name in PACKAGES if importlib.util.find_spec(name) is None), None):
        complain(t("cli.needs-package", package=missing, extra="train"), 2)
    picture = folder / "plot.svg"
    try:
        with TerminalDisplay() as display:
            generations = run(folder, read_settings(settings), display)
        plot_run(generations, picture)
    except (TrainingError, ArenaError, ClusterError, OSError, ValueError) as error:
        complain(error, 2)
    except KeyboardInterrupt:
        complain(t("cli.arena.stopped"), 130)
    accepted = [each.number for each in generations if each.accepted]
    if accepted:
        typer.echo(t("cli.train.best", file=folder / "best.bin", generation=accepted[-1]))
    else:
        typer.echo(t("cli.train.none"))
    typer.echo(t("cli.train.plot", file=picture))
