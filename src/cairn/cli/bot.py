"""``cairn bot``."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import choice, complain
from cairn.messages import reason_of, t


class AcceptedChallenges(enum.Enum):
    """The challenges that a bot accepts."""

    RATED = "rated"
    ANY = "any"
    NONE = "none"


def bot(
    server: Annotated[str, typer.Argument(metavar="SERVER", help="cli.bot.server", show_default=False)],
    token_file: Annotated[Path, typer.Option(metavar="FILE", help="cli.bot.token-file", show_default=False)],
    engine: Annotated[str | None, typer.Option(metavar="COMMAND", help="cli.bot.engine")] = None,
    level: Annotated[int | None, typer.Option(min=1, max=10, metavar="N", help="cli.bot.level")] = None,
    accept: Annotated[str, typer.Option(metavar="rated|any|none", help="cli.bot.accept")] = "any",
    games: Annotated[int | None, typer.Option(min=1, metavar="N", help="cli.bot.games")] = None,
    ponder: Annotated[bool, typer.Option(help="cli.bot.ponder")] = True,
) -> None:
    """Let an engine play on a server.

    Ctrl+C stops the bot. Start it again to continue its unfinished games.
    """
    accepted = choice(AcceptedChallenges, accept, "--accept")
    if engine is not None and level is not None:
        complain(t("cli.not-both", one="--engine", other="--level"), 2)
    try:
        from cairn.bot import Bot, BotError, BotOptions, Server, Thinker
    except ModuleNotFoundError as error:
        complain(t("cli.needs-package", package=error.name, extra="bot"), 1)
    from cairn.engine import EngineError, open_engine

    text = f"cmd:{engine}" if engine is not None else f"level:{level}" if level else "full"
    try:
        there = Server(server, _token(token_file))
        thinker = Thinker(lambda: open_engine(text), ponders=ponder and not level)
    except (ValueError, EngineError) as error:
        complain(error, 1)
    if not there.is_private:
        _log(t("cli.bot.insecure"))
    _end_on_terminate()
    try:
        with thinker:
            Bot(there, thinker, BotOptions(accepted.value, games), _log).run()
    except BotError as error:
        complain(error, 1)
    except KeyboardInterrupt:
        pass  # the bot has logged that it stopped


def _token(path: Path) -> str:
    """Read the token, and warn if other users can read the file."""
    import os

    try:
        text = path.read_text(encoding="utf-8").strip()
        if os.name == "posix" and path.stat().st_mode & 0o077:
            _log(t("cli.bot.readable", path=path))
    except OSError as error:
        complain(f"{path}: {reason_of(error)}", 1)
    except ValueError:
        complain(t("cli.bot.not-text", path=path), 1)
    return text


def _log(sentence: str) -> None:
    """Print a line with the current time."""
    import datetime

    typer.echo(f"{datetime.datetime.now().astimezone():%H:%M:%S} {sentence}")


def _end_on_terminate() -> None:
    """Treat SIGTERM like Ctrl+C."""
    import signal

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
