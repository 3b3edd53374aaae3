"""Arguments shared by several commands."""

from __future__ import annotations

from typing import Annotated

import typer

Position = Annotated[
    str, typer.Argument(metavar="POSITION", help="A position: seven fields, in quotation marks.", show_default=False)
]
Tokens = Annotated[
    list[str] | None, typer.Argument(metavar="TOKENS", help="Tokens to play from there.", show_default=False)
]
