"""The arguments that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

Position = Annotated[
    str, typer.Argument(metavar="POSITION", help="The seven fields, in quotation marks.", show_default=False)
]
Tokens = Annotated[
    list[str] | None, typer.Argument(metavar="TOKENS", help="What was played since.", show_default=False)
]
