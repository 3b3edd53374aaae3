"""All commands."""

from __future__ import annotations

from typing import Annotated

import typer

from cairn.cli import (
    admin,
    analyse,
    arena,
    backup,
    bot,
    check,
    engine,
    perft,
    play,
    restore,
    serve,
    show,
    solve,
    verify,
    verify_database,
)

app = typer.Typer(
    name="cairn",
    help="Cairn, the board game of two tribes and their megaliths.",
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
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Cairn, the board game of two tribes and their megaliths."""


app.command("play")(play.play)
app.command("serve")(serve.serve)
app.command("admin")(admin.admin)
app.command("backup")(backup.backup)
app.command("restore")(restore.restore)
app.command("verify-database")(verify_database.verify_database)
app.command("show")(show.show)
app.command("analyse")(analyse.analyse)
app.command("check")(check.check)
app.command("verify")(verify.verify)
# Report -1 as an invalid depth, not as an unknown option.
app.command("perft", context_settings={"ignore_unknown_options": True})(perft.perft)
app.command("solve")(solve.solve)
app.command("engine")(engine.engine)
app.command("arena")(arena.arena)
app.command("bot")(bot.bot)
