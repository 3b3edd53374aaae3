"""All commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Final

import typer

from cairn.cli import (
    admin,
    analyse,
    arena,
    backup,
    benchmark,
    bot,
    check,
    engine,
    explore,
    export,
    perft,
    play,
    rebuild_explorer,
    report,
    restore,
    serve,
    show,
    solve,
    train,
    verify,
    verify_database,
)
from cairn.cli.translated import Command, Group

app = typer.Typer(
    name="cairn",
    cls=Group,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        import cairn

        typer.echo(f"cairn {cairn.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="cli.version")
    ] = False,
    lang: Annotated[str | None, typer.Option("--lang", metavar="en|fr|de|ru", help="cli.lang")] = None,
) -> None:
    """Cairn, the board game of two tribes and their megaliths. The group has already read ``--lang``."""


_COMMANDS: Final[Mapping[str, Callable[..., None]]] = {
    "play": play.play,
    "serve": serve.serve,
    "admin": admin.admin,
    "backup": backup.backup,
    "restore": restore.restore,
    "verify-database": verify_database.verify_database,
    "rebuild-explorer": rebuild_explorer.rebuild_explorer,
    "show": show.show,
    "analyse": analyse.analyse,
    "check": check.check,
    "verify": verify.verify,
    "perft": perft.perft,
    "solve": solve.solve,
    "explore": explore.explore,
    "engine": engine.engine,
    "arena": arena.arena,
    "benchmark": benchmark.benchmark,
    "train": train.train,
    "report": report.report,
    "export": export.export,
    "bot": bot.bot,
}
for _name, _command in _COMMANDS.items():
    # Otherwise, for perft, a depth of -1 would be reported as an unknown option.
    _settings = {"ignore_unknown_options": True} if _name == "perft" else None
    app.command(_name, cls=Command, help=f"cli.{_name}", context_settings=_settings)(_command)
