"""Server health, readiness and metrics."""

from __future__ import annotations

import hmac
import ipaddress
import logging
from typing import Final

from fastapi import Request, Response

import cairn
from cairn.server.errors import Refusal, StorageError
from cairn.server.messages.health import Health, Ready
from cairn.server.messages.problems import public_sentence
from cairn.server.storage import migrations
from cairn.server.web.dependencies import ServicesDep, api_router
from cairn.server.web.metrics import CONTENT_TYPE

_log: Final = logging.getLogger("cairn.server")


router: Final = api_router("/api", "server")


@router.get("/health")
async def health() -> Health:
    """Responds as long as the server is running."""
    return Health(version=cairn.__version__)


@router.get("/ready")
async def ready(services: ServicesDep) -> Ready:
    """Succeeds if games can be served and stored.

    This means that the database has accepted a write within the last second, that its schema is up to date, and that
    the connection to other processes works.
    """
    try:
        version = await services.readiness.require()
    except StorageError as error:
        _log.warning("not ready: %s", error)
        raise Refusal(503, "not-ready", public_sentence(error)) from None
    if version not in (known := migrations.known_versions()) or version != known[-1]:
        raise Refusal(503, "not-ready", "The schema version of the database does not match this server.")
    if not services.hub.listening:
        raise Refusal(503, "not-ready", "The connection to the other servers has been lost.")
    return Ready(database="postgresql" if services.database.multi_process else "sqlite", version=version)


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, services: ServicesDep) -> Response:
    """Prometheus metrics, for requests from this machine or with the token."""
    token = services.settings.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    allowed = token is not None and hmac.compare_digest(given.encode(), token.encode())
    if not allowed and not _is_here(request):
        raise Refusal(403, "forbidden", "The metrics are available only on this machine, or with the metrics token.")
    return Response(services.metrics.text(), media_type=CONTENT_TYPE)


def _is_here(request: Request) -> bool:
    """Whether the request comes from this machine itself and not through a proxy."""
    if request.client is None or "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
