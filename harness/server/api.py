"""The OpenAPI description of the web API, for tests that generate requests from it."""

from __future__ import annotations

import functools
from typing import Any

from cairn.server.web.app import create_app


@functools.cache
def api() -> dict[str, Any]:
    """The OpenAPI description. Generating it takes almost a second, so tests share one copy and must not modify it."""
    return create_app().openapi()
