"""``cairn analyse``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.screen import complain, console
from cairn.messages import reason_of, t

if TYPE_CHECKING:
    from cairn import Record


def analyse(
    file: Annotated[Path, typer.Argument(metavar="FILE.cairn", help="cli.arg.record", show_default=False)],
    nodes: Annotated[int | None, typer.Option(help="cli.analyse.nodes", min=1, metavar="N")] = None,
    threads: Annotated[int, typer.Option(help="cli.analyse.threads", min=1, max=64, metavar="N")] = 1,
    output: Annotated[Path | None, typer.Option(metavar="FILE.cairn", help="cli.analyse.output")] = None,
) -> None:
    """Analyse a game: find the mistakes and the better choices."""
    from cairn import write_record
    from cairn.cli import review_sentences as sentences
    from cairn.cli.plot import plot
    from cairn.engine.annotation import annotate
    from cairn.engine.review import CERTAIN, USUAL_NODES, review_game

    record = _read(file)
    if output is not None:
        _require_writable(output)
    screen = console()
    with screen.status(t("cli.analyse.running")) as status:
        review = review_game(
            record.game,
            nodes or USUAL_NODES,
            threads,
            lambda share: status.update(t("cli.analyse.progress", percent=round(100 * share))),
        )
    for line in sentences.judged(review):
        screen.print(line)
    screen.print(plot([value / CERTAIN for value in review.values], unicode=screen.encoding.lower().startswith("utf")))
    screen.print()
    for line in [*sentences.ledger(review), *sentences.verdicts(record, review)]:
        screen.print(line)
    if output is not None:
        annotated = annotate(record, review, f"Cairn, nodes {nodes or USUAL_NODES}")
        try:
            output.write_text(write_record(annotated), encoding="utf-8", newline="\n")
        except OSError as error:
            complain(f"{output}: {reason_of(error)}", 1)
        screen.print(t("cli.analyse.written", path=output))


def _read(path: Path) -> Record:
    from cairn import MalformedError, read_record
    from cairn.cli.faults import fault_text

    try:
        return read_record(path.read_bytes())
    except MalformedError as error:
        complain("; ".join(f"{path}: {fault_text(fault)}" for fault in error.faults), 1)
    except OSError as error:
        complain(f"{path}: {reason_of(error)}", 1)


def _require_writable(path: Path) -> None:
    """Check that the file can be written, so that an error shows up before the analysis."""
    try:
        existed = path.exists()
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        complain(f"{path}: {reason_of(error)}", 1)
