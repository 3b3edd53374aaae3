"""``cairn verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cairn.fairness import Verdict


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.cairn...", help="Game records.", show_default=False)],
) -> None:
    """Check the deal and the draws of a game against its proof.

    Exit code: 0 if all games are verified, 1 if anything is wrong, 2 if anything cannot be verified.
    """
    from cairn.fairness import Verdict

    verdicts = {_verdict(path) for path in files}
    if Verdict.WRONG in verdicts:
        raise typer.Exit(1)
    if Verdict.OPEN in verdicts:
        raise typer.Exit(2)


def _verdict(path: Path) -> Verdict:
    """Check one record and print the findings."""
    from cairn import MalformedError, fairness, read_record

    try:
        findings = fairness.verify(read_record(path.read_bytes()))
    except MalformedError as error:
        for fault in error.faults:
            typer.echo(f"{path}: {fault}", err=True)
        verdict = fairness.Verdict.OPEN
    except OSError as error:
        typer.echo(f"{path}: {error.strerror or error}", err=True)
        verdict = fairness.Verdict.OPEN
    else:
        for finding in findings:
            typer.echo(f"{path}: {finding.verdict.value}: {finding.sentence}")
        verdict = fairness.overall(findings)
    ending = {
        fairness.Verdict.RIGHT: "verified",
        fairness.Verdict.WRONG: "does not match its proof",
        fairness.Verdict.OPEN: "cannot be verified",
    }
    typer.echo(f"{path}: {ending[verdict]}")
    return verdict
