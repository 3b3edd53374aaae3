"""The WebSocket protocol with direct writes (``cairn.server.speedups``)."""

from __future__ import annotations

from cairn.server.run.websocket_protocol import CountedProtocol
from cairn.server.speedups.uvicorn_protocol import DirectWriteProtocol


class DirectProtocol(CountedProtocol, DirectWriteProtocol):
    """A socket with counted frames and direct writes."""
