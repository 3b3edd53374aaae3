"""Refusals: what the authority says no with, and how every error of the web becomes a ``Problem``."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cairn.server.models import FaultView, Problem
from cairn.server.storage import OutcomeUnknownError, StorageError, StorageFullError
from cairn.vocabulary import CairnError, Fault, GameOverError, MalformedError

MOST_FAULTS: Final = 20
LONGEST_SENTENCE: Final = 300
TRY_AGAIN_LATER: Final = 1013
"""What a socket is closed with if whoever was there should come back."""
UNKNOWN_SOCKET: Final = 4404
"""What a socket is closed with if there is nothing to be told of."""

_log: Final = logging.getLogger("cairn.server")

_HTTP_KINDS: Final = {
    400: ("malformed", "The body is not JSON."),
    404: ("not-found", "There is nothing at this address."),
    405: ("method-not-allowed", "This address does not take {method} requests."),
    413: ("too-large", "This is too large."),
}


class Refusal(Exception):
    """A request that is refused, with what the answer says. ``status`` is the HTTP status that fits."""

    def __init__(
        self,
        status: int,
        kind: str,
        sentence: str,
        faults: Sequence[Fault] = (),
        *,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status: Final = status
        self.headers: Final = headers
        self.problem: Final = Problem(
            kind=kind,
            sentence=_short(sentence),
            faults=[
                FaultView(
                    kind=fault.kind,
                    field=_short(fault.field),
                    sentence=_short(fault.sentence),
                    details={name: _short(value) for name, value in fault.details.items()},
                )
                for fault in faults[:MOST_FAULTS]
            ],
        )


def malformed(error: MalformedError, what: str) -> Refusal:
    """The refusal of a text that means nothing, with all its faults."""
    return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", f"{what}: {error}", error.faults)


def refused_token(error: CairnError) -> Refusal:
    """The refusal of a token that means nothing, of one that the rules do not allow, or of one after the end."""
    match error:
        case MalformedError():
            sentence = f"This is no token: {error}"
            return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed-token", sentence, error.faults)
        case GameOverError():
            return Refusal(HTTPStatus.CONFLICT, "game-over", str(error))
        case _:
            return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "illegal-token", str(error))


def storage_problem(error: StorageError) -> Problem:
    """What those who ask are told. Where everything is kept is for the log alone."""
    _log.warning("nothing was stored or read: %s", error)
    match error:
        case StorageFullError():
            return Problem(kind="storage-full", sentence="The disk of the server is full: nothing more can be stored.")
        case OutcomeUnknownError():
            return Problem(kind="storage-failed", sentence=str(error))
        case _:
            sentence = "The server cannot reach its games now; its disk may be full. Please try again."
            return Problem(kind="storage-failed", sentence=sentence)


def problem_response(status: int, problem: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer that tells a problem."""
    return JSONResponse(problem.model_dump(mode="json"), status_code=status, headers=headers)


def install(app: FastAPI) -> None:
    """Let every error of this application be answered with a ``Problem``."""
    app.add_exception_handler(Refusal, _refusal)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(StorageError, _storage)


async def _refusal(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)  # noqa: S101  # what it was installed for
    return problem_response(error.status, error.problem, error.headers)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    """A request that does not fit its model."""
    assert isinstance(error, RequestValidationError)  # noqa: S101  # what it was installed for
    found = error.errors()
    if any(each["type"] == "json_invalid" for each in found):
        return problem_response(400, Problem(kind="malformed", sentence="The body is not JSON."))
    faults = [Fault(each["type"].replace("_", "-"), _place(each["loc"]), _sentence(each["msg"])) for each in found]
    sentence = "; ".join(str(fault) for fault in faults[:3]) or "The request does not fit."
    return await _refusal(_, Refusal(422, "malformed", sentence, faults))


async def _http(request: Request, error: Exception) -> JSONResponse:
    """What the routing says no to."""
    assert isinstance(error, HTTPException)  # noqa: S101  # what it was installed for
    kind, sentence = _HTTP_KINDS.get(error.status_code, ("refused", str(error.detail)))
    answer = problem_response(
        error.status_code, Problem(kind=kind, sentence=sentence.format(method=_short(request.method)))
    )
    answer.headers.update(error.headers or {})
    return answer


async def _storage(_: Request, error: Exception) -> JSONResponse:
    """Nothing was stored; whoever asked may ask again."""
    assert isinstance(error, StorageError)  # noqa: S101  # what it was installed for
    return problem_response(507 if isinstance(error, StorageFullError) else 503, storage_problem(error))


class Unexpected:
    """Answers what nobody expected with a ``Problem``, inside whatever every answer has to pass."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer it if that fails before an answer began."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = False

        async def watched(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            if began:
                raise
            # The route, not the address: that may hold the secret of a link.
            route = getattr(scope.get("route"), "path", "an unknown address")
            _log.error("%s %s failed", scope["method"], route, exc_info=error)
            sentence = "Something went wrong in the server. Nothing that was confirmed is lost."
            await problem_response(500, Problem(kind="unexpected", sentence=sentence))(scope, receive, send)


def _place(location: Sequence[object]) -> str:
    """Where in the request: ``seats.forest.kind``."""
    return ".".join(str(part) for part in location[1:]) or str(location[0] if location else "body")


def _sentence(message: str) -> str:
    return message.removeprefix("Value error, ")


def _short(text: str) -> str:
    """The text, cut to what one wants to read, and free of halves of characters, which no answer can hold."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"
