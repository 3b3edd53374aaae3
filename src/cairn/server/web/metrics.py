"""What the server counts, in the form that Prometheus reads. No name, no address and no secret is in it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_OTHER: Final = "other"

_access: Final = logging.getLogger("cairn.access")


class Metrics:
    """The counts of one application."""

    def __init__(self) -> None:
        self._registry: Final = CollectorRegistry()
        self.requests: Final = Counter(
            "cairn_requests", "Requests that were answered.", ["method", "route", "status"], registry=self._registry
        )
        self.seconds: Final = Histogram(
            "cairn_request_seconds", "How long answers took.", ["route"], buckets=_SECONDS, registry=self._registry
        )
        self.sockets: Final = Gauge("cairn_sockets", "Sockets that are open.", ["route"], registry=self._registry)
        self.commit_seconds: Final = Histogram(
            "cairn_commit_seconds", "How long commits of logs took.", buckets=_SECONDS, registry=self._registry
        )

    def read(self, counters: Callable[[], Mapping[str, float]], gauges: Callable[[], Mapping[str, float]]) -> None:
        """Ask for further counts whenever somebody looks."""
        self._registry.register(_Read(counters, gauges))

    def text(self) -> bytes:
        """All of it."""
        return generate_latest(self._registry)


class _Read(Collector):
    """Counts that others keep."""

    def __init__(self, counters: Callable[[], Mapping[str, float]], gauges: Callable[[], Mapping[str, float]]) -> None:
        self._counters: Final = counters
        self._gauges: Final = gauges

    def collect(self) -> Iterable[Metric]:
        """What they are now; the names say what they count."""
        for name, value in self._counters().items():
            yield CounterMetricFamily(f"cairn_{name}", name.replace("_", " ").capitalize() + ".", value=value)
        for name, value in self._gauges().items():
            yield GaugeMetricFamily(f"cairn_{name}", name.replace("_", " ").capitalize() + ".", value=value)


class Measured:
    """Counts and times requests, and writes them to the log for accesses."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app: Final = app
        self._metrics: Final = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            seconds, route = time.perf_counter() - began, _route(scope)
            method = scope["method"] if scope["method"] in _METHODS else _OTHER
            self._metrics.requests.labels(method, route, str(status)).inc()
            self._metrics.seconds.labels(route).observe(seconds)
            # The route, not the address: that may hold the secret of a link.
            told = {"method": method, "route": route, "status": status, "milliseconds": round(1_000 * seconds, 1)}
            _access.info("request", extra=told)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        route: str | None = None

        async def noting(message: Message) -> None:
            nonlocal route
            if message["type"] == "websocket.accept" and route is None:
                route = _route(scope)
                self._metrics.sockets.labels(route).inc()
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            if route is not None:
                self._metrics.sockets.labels(route).dec()


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _route(scope: Scope) -> str:
    """The pattern of an address: ``/api/games/{game}``."""
    return str(getattr(scope.get("route"), "path", _OTHER))
