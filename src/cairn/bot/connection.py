"""The way to a server: requests, the event stream, sockets; and when to try again."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any, Final

import websockets.exceptions
from websockets.sync.client import ClientConnection, connect

ANSWER_SECONDS: Final = 20.0
SILENCE_SECONDS: Final = 30.0
"""The event stream says something every few seconds; one that is silent for so long is dead."""
LONGEST_MESSAGE: Final = 16 * 2**20
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class Unreachable(Exception):
    """The server does not answer, or not as a server should. It may be back soon."""


class Refused(Exception):
    """The server says no. The text is its sentence."""

    def __init__(self, status: int, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status: Final = status
        self.kind: Final = kind

    @property
    def is_final(self) -> bool:
        """Whether it would say no again: to this token, or to who has it."""
        return self.status in (401, 403)


class Backoff:
    """How long to wait before the next attempt: longer each time, and never at the same time as everybody else.

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
        """Seconds to wait now."""
        seconds = self._seconds
        self._seconds = min(2 * seconds, self.LONGEST)
        return seconds * self._rng.uniform(0.5, 1.0)

    def reset(self) -> None:
        """It worked: begin with short waits again."""
        self._seconds = self.FIRST


class Server:
    """A server, asked in the name of a bot.

    >>> Server("example.org", "secret")
    Traceback (most recent call last):
    ValueError: 'example.org' is no address of a server: it begins with https:// or http://
    """

    def __init__(self, address: str, token: str) -> None:
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address[:80]!r} is no address of a server: it begins with https:// or http://")
        if not token.isascii() or not token.isprintable() or not token or " " in token:
            raise ValueError("this is no token: it is one word of letters and digits, as the server showed it once")
        self.address: Final = address.rstrip("/")
        self.is_private: Final = parts.scheme == "https" or parts.hostname in LOOPBACK
        """Whether nobody on the way can read the token."""
        self._headers: Final = {"Authorization": f"Bearer {token}"}

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """What the server answers to a request; :class:`Refused` or :class:`Unreachable`."""
        with self._open(method, path, body, ANSWER_SECONDS) as answer:
            content = answer.read()
            is_json = "json" in answer.headers.get("Content-Type", "")
        return json.loads(content) if is_json else content.decode()

    def events(self) -> Iterator[dict[str, Any]]:
        """The event stream, until it breaks: then :class:`Unreachable`."""
        with self._open("GET", "/api/bot/events", None, SILENCE_SECONDS) as stream:
            for line in stream:
                yield json.loads(line)
        raise Unreachable("the server has ended the stream of events")

    def socket(self, game: str) -> contextlib.AbstractContextManager[ClientConnection]:
        """The socket of a game."""
        target = f"ws{self.address.removeprefix('http')}/api/games/{urllib.parse.quote(game, safe='')}/socket"
        return connect(
            target,
            additional_headers=self._headers,
            open_timeout=ANSWER_SECONDS,
            close_timeout=1,
            max_size=LONGEST_MESSAGE,
        )

    @contextlib.contextmanager
    def _open(self, method: str, path: str, body: object, seconds: float) -> Iterator[http.client.HTTPResponse]:
        headers = dict(self._headers)
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        # The scheme was looked at when the server was named.
        request = urllib.request.Request(self.address + path, data, headers, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:  # noqa: S310
                yield answer
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise Unreachable(f"{self.address} cannot be reached: {reason or type(error).__name__}") from None


LOST: Final = (websockets.exceptions.WebSocketException, OSError, EOFError)
"""What a socket raises that does not come about, or is lost."""


def _refusal(error: urllib.error.HTTPError) -> Exception:
    """What the server said no with; failures of its own, or of a proxy before it, pass by."""
    try:
        problem = json.loads(error.read())
        kind, sentence = str(problem["kind"]), str(problem["sentence"])
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        kind, sentence = "unknown", f"The server answers with status {error.code}."
    if error.code >= 500 or error.code == 429:
        return Unreachable(sentence)
    return Refused(error.code, kind, sentence)
