"""Prometheus metrics, without names, addresses or secrets."""

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
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods of requests that change nothing."""

_access: Final = logging.getLogger("cairn.access")


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        self._registry: Final = CollectorRegistry()
        self.requests: Final = Counter(
            "cairn_requests", "Answered requests.", ["method", "route", "status"], registry=self._registry
        )
        self.seconds: Final = Histogram(
            "cairn_request_seconds", "Time to answer a request.", ["route"], buckets=_SECONDS, registry=self._registry
        )
        self.refusals: Final = Counter(
            "cairn_refusals", "Refused requests, sockets and commands.", ["kind"], registry=self._registry
        )
        self.loop_delay: Final = Histogram(
            "cairn_loop_delay_seconds", "How late the event loop ran.", buckets=_SECONDS, registry=self._registry
        )
        self.sockets: Final = Gauge("cairn_sockets", "Open sockets.", ["route"], registry=self._registry)
        self.commit_seconds: Final = Histogram(
            "cairn_commit_seconds", "Time to commit game events.", buckets=_SECONDS, registry=self._registry
        )

    def collect_from(
        self, counters: Callable[[], Mapping[str, float]], gauges: Callable[[], Mapping[str, float]]
    ) -> None:
        """Add metrics that are read at each scrape."""
        self._registry.register(_CallbackCollector(counters, gauges))

    def text(self) -> bytes:
        """All metrics in the Prometheus text format."""
        return generate_latest(self._registry)


def count_refusal(scope: Scope, kind: str) -> None:
    """Count a refused request, socket or command on the connection with this ASGI scope."""
    metrics: Metrics = scope["app"].state.metrics
    metrics.refusals.labels(kind).inc()


class _CallbackCollector(Collector):
    """Metrics that are read from callbacks."""

    def __init__(self, counters: Callable[[], Mapping[str, float]], gauges: Callable[[], Mapping[str, float]]) -> None:
        self._counters: Final = counters
        self._gauges: Final = gauges

    def collect(self) -> Iterable[Metric]:
        """The current values. The help texts are derived from the names."""
        for name, value in self._counters().items():
            yield CounterMetricFamily(f"cairn_{name}", name.replace("_", " ").capitalize() + ".", value=value)
        for name, value in self._gauges().items():
            yield GaugeMetricFamily(f"cairn_{name}", name.replace("_", " ").capitalize() + ".", value=value)


class WatchedSend:
    """Sends a response and records its status."""

    def __init__(self, send: Send) -> None:
        self._send: Final = send
        self.status: int | None = None
        """``None`` until the response has started."""

    async def __call__(self, message: Message) -> None:
        """Send a message."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


class Measured:
    """Counts, times and logs requests."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app: Final = app
        self._metrics: Final = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, watched = time.perf_counter(), WatchedSend(send)
        try:
            await self._app(scope, receive, watched)
        finally:
            seconds, route = time.perf_counter() - began, route_of(scope)
            method, status = method_of(scope), watched.status or 500
            self._metrics.requests.labels(method, route, str(status)).inc()
            self._metrics.seconds.labels(route).observe(seconds)
            # Log the route instead of the URL, because the URL may contain a link's secret token.
            fields = {"method": method, "route": route, "status": status, "milliseconds": round(1_000 * seconds, 1)}
            _access.info("request", extra=fields)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        route: str | None = None

        async def watched_send(message: Message) -> None:
            nonlocal route
            if message["type"] == "websocket.accept" and route is None:
                route = route_of(scope)
                self._metrics.sockets.labels(route).inc()
            await send(message)

        try:
            await self._app(scope, receive, watched_send)
        finally:
            if route is not None:
                self._metrics.sockets.labels(route).dec()


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def method_of(scope: Scope) -> str:
    """The HTTP method, or ``other`` if it is unusual."""
    return scope["method"] if scope["method"] in _METHODS else _OTHER


def route_of(scope: Scope) -> str:
    """The path pattern, such as ``/api/games/{game}``."""
    return str(getattr(scope.get("route"), "path", _OTHER))
