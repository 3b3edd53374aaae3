"""What all routes share."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from cairn.server.authority import Authority
from cairn.server.models import Problem

PROBLEMS: Final[dict[int | str, dict[str, object]]] = {
    "4XX": {"model": Problem, "description": "The request was refused, and why."},
    "5XX": {"model": Problem, "description": "Nothing could be stored; what was confirmed before is safe."},
}


def _authority(connection: HTTPConnection) -> Authority:
    authority = connection.app.state.authority
    assert isinstance(authority, Authority)  # noqa: S101  # the application put it there
    return authority


Decides: TypeAlias = Annotated[Authority, Depends(_authority)]
"""The authority of this server."""
GameId: TypeAlias = Annotated[str, Path(description="The id of a game.", max_length=100)]
