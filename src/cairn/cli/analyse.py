"""``cairn analyse``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.screen import complain, console
from cairn.messages import reason_of, t

if TYPE_CHECKING:
    from cairn import Record

USUAL_NODES = 200_000


def analyse(
    file: Annotated[Path, typer.Argument(metavar="FILE.cairn", help="cli.arg.record", show_default=False)],
    nodes: Annotated[
        int | None,
        typer.Option(help="cli.analyse.nodes", min=1, metavar="N"),
    ] = None,
    movetime: Annotated[
        int | None,
        typer.Option(help="cli.analyse.movetime", min=1, metavar="MS"),
    ] = None,
    output: Annotated[Path | None, typer.Option(metavar="FILE.cairn", help="cli.analyse.output")] = None,
) -> None:
    """Analyse a game: find the mistakes and the better choices."""
    from cairn import write_record
    from cairn.cli import sentences
    from cairn.cli.plot import plot
    from cairn.engine import Limit, NativeEngine
    from cairn.engine.analysis import analyse_game, annotate

    if nodes is not None and movetime is not None:
        complain(t("cli.not-both", one="--nodes", other="--movetime"), 2)
    record = _read(file)
    if output is not None:
        _require_writable(output)
    limit = Limit(movetime_ms=movetime) if movetime is not None else Limit(nodes=nodes or USUAL_NODES)
    screen = console()
    count = len(record.game.tokens)
    with NativeEngine() as engine, screen.status(t("cli.analyse.running")) as status:
        found = analyse_game(
            record.game,
            engine,
            limit,
            lambda done: status.update(t("cli.analyse.progress", done=done, count=count)),
        )
    for line in sentences.judged(found):
        screen.print(line)
    screen.print(plot(found.course, unicode=screen.encoding.lower().startswith("utf")))
    screen.print()
    for line in sentences.verdicts(record, found):
        screen.print(line)
    if output is not None:
        annotated = annotate(record, found, f"Cairn, {limit.words}")
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
