"""``cairn verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cairn.messages import reason_of, t

if TYPE_CHECKING:
    from cairn.fairness import Verdict


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.cairn...", help="cli.arg.records", show_default=False)],
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
    from cairn.cli.faults import fault_text

    try:
        findings = fairness.verify(read_record(path.read_bytes()))
    except MalformedError as error:
        for fault in error.faults:
            typer.echo(f"{path}: {fault_text(fault)}", err=True)
        verdict = fairness.Verdict.OPEN
    except OSError as error:
        typer.echo(f"{path}: {reason_of(error)}", err=True)
        verdict = fairness.Verdict.OPEN
    else:
        for finding in findings:
            verdict_text = t("cli.verify.verdict", verdict=finding.verdict.value)
            typer.echo(f"{path}: {verdict_text}: {finding.sentence}")
        verdict = fairness.overall(findings)
    typer.echo(t("cli.verify.overall", path=path, verdict=verdict.value))
    return verdict
