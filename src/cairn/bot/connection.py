"""The connection to a server: requests, the event stream, sockets, and the back-off between attempts."""

from __future__ import annotations

import contextlib
import json
import random
import urllib.parse
from collections.abc import Iterator
from typing import Any, Final

import httpx
import websockets.exceptions
from websockets.sync.client import ClientConnection, connect

from cairn.messages import t

ANSWER_SECONDS: Final = 20.0
SILENCE_SECONDS: Final = 30.0
"""An event stream that is silent for this long counts as broken, because the server writes to it every few seconds."""
LONGEST_MESSAGE: Final = 16 * 2**20
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class Unreachable(Exception):
    """The server does not answer, or it reports a failure. Retrying may help."""


class Refused(Exception):
    """The server refused a request. The message comes from the server."""

    def __init__(self, status: int, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status: Final = status
        self.kind: Final = kind

    @property
    def is_final(self) -> bool:
        """Whether retrying is pointless, because the token is wrong or its owner lacks permission."""
        return self.status in (401, 403)


class Backoff:
    """Exponential back-off with jitter.

    >>> waits = Backoff(random.Random(1))
    >>> [waits.next() < 0.5, max(waits.next() for _ in range(20)) <= 10]
    [True, True]
    """

    FIRST: Final = 0.25
    LONGEST: Final = 10.0

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng: Final = rng or random.Random()
        self._seconds = self.FIRST

    def next(self) -> float:
        """Return the number of seconds to wait before the next attempt."""
        seconds = self._seconds
        self._seconds = min(2 * seconds, self.LONGEST)
        return seconds * self._rng.uniform(0.5, 1.0)

    def reset(self) -> None:
        """Return to short waits after a success."""
        self._seconds = self.FIRST


class Server:
    """A connection to a server, authorised by a bot's token.

    >>> Server("example.org", "secret")
    Traceback (most recent call last):
    ValueError: “example.org” is not a server address: it must begin with https:// or http://
    """

    def __init__(self, address: str, token: str) -> None:
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(t("cli.bot.bad-address", address=address[:80]))
        if not token.isascii() or not token.isprintable() or not token or " " in token:
            raise ValueError(t("cli.bot.bad-token"))
        self.address: Final = address.rstrip("/")
        self.is_private: Final = parts.scheme == "https" or parts.hostname in LOOPBACK
        """Whether the token is encrypted in transit, or does not leave this machine."""
        self._headers: Final = {"Authorization": f"Bearer {token}"}
        self._http: Final = httpx.Client(
            base_url=self.address, headers=self._headers, timeout=ANSWER_SECONDS, follow_redirects=True
        )

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the response. Raises :class:`Refused` or :class:`Unreachable`."""
        with self._translated_errors():
            answer = self._http.request(method, path, json=body)
            if answer.is_error:
                raise _refusal(answer)
            return answer.json() if "json" in answer.headers.get("Content-Type", "") else answer.text

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the bot's events. Raises :class:`Unreachable` when the stream breaks."""
        timeout = httpx.Timeout(ANSWER_SECONDS, read=SILENCE_SECONDS)
        with self._translated_errors(), self._http.stream("GET", "/api/bot/events", timeout=timeout) as stream:
            if stream.is_error:
                stream.read()
                raise _refusal(stream)
            for line in stream.iter_lines():
                yield json.loads(line)
        raise Unreachable(t("cli.bot.stream-closed"))

    def socket(self, game: str) -> contextlib.AbstractContextManager[ClientConnection]:
        """Open a game's socket."""
        target = f"ws{self.address.removeprefix('http')}/api/games/{urllib.parse.quote(game, safe='')}/socket"
        return connect(
            target,
            additional_headers=self._headers,
            open_timeout=ANSWER_SECONDS,
            close_timeout=1,
            max_size=LONGEST_MESSAGE,
        )

    @contextlib.contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            why = str(error) or type(error).__name__
            raise Unreachable(t("cli.bot.unreachable", address=self.address, why=why)) from None


CONNECTION_LOST: Final = (websockets.exceptions.WebSocketException, OSError, EOFError)
"""The errors raised when a socket cannot be opened or is lost."""


def _refusal(answer: httpx.Response) -> Exception:
    """The error for a response with an error status. If the server or a proxy failed, returns :class:`Unreachable`."""
    try:
        problem = answer.json()
        kind, sentence = str(problem["kind"]), str(problem["sentence"])
    except (ValueError, KeyError, TypeError):
        kind, sentence = "unknown", t("cli.bot.status", status=answer.status_code)
    if answer.status_code >= 500 or answer.status_code == 429:
        return Unreachable(sentence)
    return Refused(answer.status_code, kind, sentence)
