"""``cairn bot``."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


class AcceptedChallenges(enum.Enum):
    """Which challenges a bot accepts."""

    RATED = "rated"
    ANY = "any"
    NONE = "none"


def bot(
    server: Annotated[str, typer.Argument(metavar="SERVER", help="Its address.", show_default=False)],
    token_file: Annotated[
        Path, typer.Option(metavar="FILE", help="The token of the bot is in this file.", show_default=False)
    ],
    engine: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="A program that speaks the protocol, to play with.")
    ] = None,
    level: Annotated[
        int | None, typer.Option(min=1, max=10, help="Play at this level; without it, as well as it can.")
    ] = None,
    accept: Annotated[AcceptedChallenges, typer.Option(help="Which challenges to accept.")] = AcceptedChallenges.ANY,
    games: Annotated[int | None, typer.Option(min=1, metavar="N", help="End after so many games.")] = None,
) -> None:
    """Let an engine play on a server. Ctrl+C ends it; its games go on when it is started again."""
    if engine is not None and level is not None:
        complain("--engine and --level do not go together", 2)
    try:
        from cairn.bot import Bot, BotError, Server, Thinker, Wishes
    except ModuleNotFoundError as error:
        complain(f"a bot needs {error.name}: pip install cairn-game[bot]", 1)
    from cairn.engine import EngineError, open_engine

    text = f"cmd:{engine}" if engine is not None else f"level:{level}" if level else "full"
    try:
        there = Server(server, _token(token_file))
        thinker = Thinker(lambda: open_engine(text))
    except (ValueError, EngineError) as error:
        complain(error, 1)
    if not there.is_private:
        _log("WARNING: without https, everybody on the way can read the token of this bot")
    _end_on_terminate()
    try:
        with thinker:
            Bot(there, thinker, Wishes(accept.value, games), _log).run()
    except BotError as error:
        complain(error, 1)
    except KeyboardInterrupt:
        pass  # the bot has said that it ends


def _token(path: Path) -> str:
    """The token in a file that others should not be able to read."""
    import os

    try:
        text = path.read_text(encoding="utf-8").strip()
        if os.name == "posix" and path.stat().st_mode & 0o077:
            _log(f"WARNING: others on this machine can read {path}: chmod 600 {path}")
    except OSError as error:
        complain(f"{path}: {error.strerror or error}", 1)
    except ValueError:
        complain(f"{path} is no text", 1)
    return text


def _log(sentence: str) -> None:
    """One line to an event, with the time."""
    import datetime

    typer.echo(f"{datetime.datetime.now().astimezone():%H:%M:%S} {sentence}")


def _end_on_terminate() -> None:
    """End as cleanly when the system wants it as when a person does."""
    import signal

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
