"""``cairn analyse``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.screen import complain, console

if TYPE_CHECKING:
    from cairn import Record

USUAL_NODES = 200_000


def analyse(
    file: Annotated[Path, typer.Argument(metavar="FILE.cairn", help="A game record.", show_default=False)],
    nodes: Annotated[
        int | None,
        typer.Option(help=f"Nodes to search for each moment; the default is {USUAL_NODES}.", min=1, metavar="N"),
    ] = None,
    movetime: Annotated[
        int | None,
        typer.Option(help="Milliseconds to search for each moment, instead of --nodes.", min=1, metavar="MS"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE.cairn", help="Write the record with marks and comments to this file.")
    ] = None,
) -> None:
    """Analyse a game: find the mistakes and the better choices."""
    from cairn import write_record
    from cairn.cli import sentences
    from cairn.cli.plot import plot
    from cairn.engine import Limit, NativeEngine
    from cairn.engine.analysis import analyse_game, annotate

    if nodes is not None and movetime is not None:
        complain("use either --nodes or --movetime, not both", 2)
    record = _read(file)
    if output is not None:
        _require_writable(output)
    limit = Limit(movetime_ms=movetime) if movetime is not None else Limit(nodes=nodes or USUAL_NODES)
    screen = console()
    count = len(record.game.tokens)
    with NativeEngine() as engine, screen.status("Analysing ...") as status:
        found = analyse_game(
            record.game, engine, limit, lambda done: status.update(f"Analysing token {done} of {count} ...")
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
            complain(f"{output}: {error.strerror or error}", 1)
        screen.print(f"Written to {output}.")


def _read(path: Path) -> Record:
    from cairn import MalformedError, read_record

    try:
        return read_record(path.read_bytes())
    except MalformedError as error:
        complain("; ".join(f"{path}: {fault}" for fault in error.faults), 1)
    except OSError as error:
        complain(f"{path}: {error.strerror or error}", 1)


def _require_writable(path: Path) -> None:
    """Before the analysis, check that the file can be written."""
    try:
        existed = path.exists()
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        complain(f"{path}: {error.strerror or error}", 1)
