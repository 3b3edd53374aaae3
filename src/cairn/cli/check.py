"""``cairn check``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.cairn...", help="Game records.", show_default=False)],
) -> None:
    """Replay game records and report their errors."""
    from cairn import MalformedError, read_record
    from cairn.cli import sentences

    wrong = False
    for path in files:
        try:
            record = read_record(path.read_bytes())
        except MalformedError as error:
            faults = [str(fault) for fault in error.faults]
        except OSError as error:
            faults = [error.strerror or str(error)]
        else:
            typer.echo(f"{path}: OK, {sentences.summary(record)}")
            continue
        wrong = True
        for fault in faults:
            typer.echo(f"{path}: {fault}", err=True)
    if wrong:
        raise typer.Exit(1)
