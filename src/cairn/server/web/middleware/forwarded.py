"""Determine the address and the scheme of a request that came through a proxy."""

from __future__ import annotations

import ipaddress
from typing import Final, TypeAlias

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.server.errors import DataError

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_SCHEMES: Final = {"http": ("http", "ws"), "https": ("https", "wss"), "ws": ("http", "ws"), "wss": ("https", "wss")}
"""The schemes for a request and for a socket, by the scheme that a proxy reports."""


class Proxies:
    """The trusted proxies: addresses and networks, separated by commas. ``*`` trusts every direct connection.

    Raises :class:`DataError` if the text contains anything else.
    """

    def __init__(self, text: str) -> None:
        names = [name for each in text.split(",") if (name := each.strip())]
        self._anybody: Final = "*" in names
        try:
            self._networks: Final = [ipaddress.ip_network(name, strict=False) for name in names if name != "*"]
        except ValueError as error:
            raise DataError(f"Proxies must be addresses, networks or *: {error}.") from None

    def trusts(self, peer: str) -> bool:
        """Whether a connection from this address comes through a trusted proxy."""
        return self._anybody or self._is_proxy(_parsed(peer))

    def client_of(self, peer: str, forwarded: str) -> str | None:
        """The address of the client; ``None`` if the peer is not a trusted proxy.

        Each proxy appends the address that connected to it, so the list is read from the right. The first address that
        is not a proxy is the client. The client may have forged everything to the left of it.
        """
        if not self.trusts(peer):
            return None
        address = _parsed(peer)
        for each in reversed(forwarded.split(",")):
            found = _parsed(each.strip())
            if found is None:
                break
            address = found
            if not self._is_proxy(address):
                break
        return str(address) if address else peer

    def _is_proxy(self, address: _Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)


class Forwarded:
    """Replaces the address and the scheme of a request with those that a trusted proxy reports."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self._app: Final = app
        self._proxies: Final = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        if scope["type"] in ("http", "websocket"):
            headers, peer = Headers(scope=scope), scope["client"][0] if scope.get("client") else ""
            client = self._proxies.client_of(peer, ",".join(headers.getlist("x-forwarded-for")))
            if client is not None:
                if client != peer:
                    scope["client"] = (client, 0)
                scheme = ",".join(headers.getlist("x-forwarded-proto")).rpartition(",")[2].strip().lower()
                if scheme in _SCHEMES:
                    scope["scheme"] = _SCHEMES[scheme][scope["type"] == "websocket"]
        await self._app(scope, receive, send)


def _parsed(text: str) -> _Address | None:
    """Parse an address with an optional port; ``None`` if it is not valid."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
