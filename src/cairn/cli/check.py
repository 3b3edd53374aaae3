"""``cairn check``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.messages import reason_of


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.cairn...", help="cli.arg.records", show_default=False)],
) -> None:
    """Replay game records and report their errors."""
    from cairn import MalformedError, read_record
    from cairn.cli import sentences
    from cairn.cli.faults import fault_text

    wrong = False
    for path in files:
        try:
            record = read_record(path.read_bytes())
        except MalformedError as error:
            faults = [fault_text(fault) for fault in error.faults]
        except OSError as error:
            faults = [reason_of(error)]
        else:
            typer.echo(sentences.summary(path, record))
            continue
        wrong = True
        for fault in faults:
            typer.echo(f"{path}: {fault}", err=True)
    if wrong:
        raise typer.Exit(1)
