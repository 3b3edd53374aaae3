"""Terminal helpers shared by several commands."""

from __future__ import annotations

import enum
import sys
from typing import TYPE_CHECKING, NoReturn, TypeVar

import typer

from cairn.messages import t

if TYPE_CHECKING:
    from rich.console import Console

    from cairn import Game, Token, Tribe

Chosen = TypeVar("Chosen", bound=enum.Enum)


def choice(kind: type[Chosen], text: str, option: str) -> Chosen:
    """The member whose value is ``text``, ignoring case. If there is none, the command ends with an error."""
    for member in kind:
        if member.value == text.lower():
            return member
    values = ", ".join(member.value for member in kind)
    raise typer.BadParameter(t("cli.bad-choice", value=text, choices=values), param_hint=option)


def console() -> Console:
    """The terminal."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False)


def complain(sentence: object, code: int) -> NoReturn:
    """Print an error and exit with the given code."""
    typer.echo(f"cairn: {sentence}", err=True)
    raise typer.Exit(code)


def require_posix() -> None:
    """On Windows, end the command with an error."""
    if sys.platform == "win32":
        complain(t("cli.needs-posix"), 1)


def print_board(screen: Console, game: Game, below: Tribe) -> None:
    """Draw the board, with the current or last turn marked."""
    from cairn import terminal

    _, last = game.last_turn
    last = last or _turn_before(game)
    unicode = screen.encoding.lower().startswith("utf")
    screen.print(terminal.board(game.board.setup, orientation=below, last=last, unicode=unicode))


def _turn_before(game: Game) -> tuple[Token, ...]:
    """The tokens of the turn that just ended."""
    if not game.tokens:
        return ()
    before = game.board.copy()
    last = before.pop()
    return (*before.turn_tokens, last)
