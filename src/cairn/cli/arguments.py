"""Arguments shared by several commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Position = Annotated[
    str, typer.Argument(metavar="POSITION", help="A position: seven fields, in quotation marks.", show_default=False)
]
Tokens = Annotated[
    list[str] | None, typer.Argument(metavar="TOKENS", help="Tokens to play from the position.", show_default=False)
]
DataFolder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="The server's data folder, if not the default.")
]
DatabaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", envvar="CAIRN_DATABASE", help="The server's database: postgresql://…")
]
