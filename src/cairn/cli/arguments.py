"""Arguments shared by several commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Position = Annotated[str, typer.Argument(metavar="POSITION", help="cli.arg.position", show_default=False)]
Tokens = Annotated[list[str] | None, typer.Argument(metavar="TOKENS", help="cli.arg.tokens", show_default=False)]
DataFolder = Annotated[Path | None, typer.Option(metavar="FOLDER", help="cli.arg.data")]
DatabaseUrl = Annotated[str | None, typer.Option(metavar="URL", envvar="CAIRN_DATABASE", help="cli.arg.database")]
