"""The description of the web API, for tests that generate requests from it."""

from __future__ import annotations

import functools
from typing import Any

from cairn.server.web.app import create_app


@functools.cache
def api() -> dict[str, Any]:
    """The OpenAPI description. Creating it takes most of a second, so all tests share it and must not change it."""
    return create_app().openapi()
