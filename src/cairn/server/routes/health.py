"""Whether the server works: alive, ready, and what it counts."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Final, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

import cairn
from cairn.server import migrations
from cairn.server.errors import Refusal
from cairn.server.metrics import CONTENT_TYPE
from cairn.server.models import Health
from cairn.server.routes.common import PROBLEMS
from cairn.server.storage import StorageError

router: Final = APIRouter(prefix="/api", tags=["server"], responses=PROBLEMS)


class Ready(BaseModel):
    """The server can serve games."""

    status: Literal["ready"] = "ready"
    database: Literal["sqlite", "postgresql"]
    version: str
    """Of the tables."""


@router.get("/health")
async def health() -> Health:
    """Answers as long as the server does."""
    return Health(version=cairn.__version__)


@router.get("/ready")
async def ready(request: Request) -> Ready:
    """Answers when games can be served: the database is there and up to date, and other servers are heard."""
    database, transport = request.app.state.database, request.app.state.transport
    try:
        stored = sa.text(migrations.VERSION)
        version = await database.read(lambda connection: connection.execute(stored).scalar_one_or_none())
    except StorageError as error:
        raise Refusal(503, "not-ready", str(error)) from None
    if version not in (known := migrations.known_versions()) or version != known[-1]:
        raise Refusal(503, "not-ready", "The tables of the database are of another version.")
    if not transport.listening:
        raise Refusal(503, "not-ready", "Other servers are not heard at the moment.")
    return Ready(database="postgresql" if database.shared else "sqlite", version=version)


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """What the server counts; for programs on the same machine, or with the token for it."""
    token: str | None = request.app.state.settings.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    allowed = token is not None and hmac.compare_digest(given.encode(), token.encode())
    if not allowed and not _is_here(request):
        raise Refusal(403, "forbidden", "Only this machine, or who has the token for it, may see this.")
    return Response(request.app.state.metrics.text(), media_type=CONTENT_TYPE)


def _is_here(request: Request) -> bool:
    """Whether it is asked from this machine, and not by a proxy on it for somebody else."""
    if request.client is None or "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
