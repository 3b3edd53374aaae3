"""Turn every request error into a ``Problem``."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cairn.server.errors import Refusal, StorageError, StorageFullError
from cairn.server.messages.problems import Problem, fault_sentence, problem_of, shortened, storage_problem
from cairn.server.web.metrics import count_refusal
from cairn.vocabulary import Fault

_log: Final = logging.getLogger("cairn.server")
_KEY: Final = "cairn.problem"


_HTTP_KINDS: Final = {
    400: ("malformed", "The body is not JSON."),
    404: ("not-found", "There is nothing at this address."),
    405: ("method-not-allowed", "This address does not accept {method} requests."),
    413: ("too-large", "The request is too large."),
}


class ProblemResponse(JSONResponse):
    """The HTTP response for a problem. Sending it counts the problem and records its kind for :func:`problem_in`."""

    def __init__(self, status: int, problem: Problem, headers: Mapping[str, str] | None) -> None:
        super().__init__(problem.model_dump(mode="json"), status_code=status, headers=headers)
        self._kind: Final = problem.kind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        count_refusal(scope, self._kind)
        scope[_KEY] = self._kind
        await super().__call__(scope, receive, send)


def problem_response(status: int, problem: Problem, headers: Mapping[str, str] | None = None) -> ProblemResponse:
    """The HTTP response for a problem."""
    return ProblemResponse(status, problem, headers)


def problem_in(scope: Scope) -> str | None:
    """The kind of problem that was sent in response to a request; ``None`` if no problem was sent."""
    kind: str | None = scope.get(_KEY)
    return kind


def install(app: FastAPI) -> None:
    """Register the handlers."""
    app.add_exception_handler(Refusal, _refusal)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(StorageError, _storage)


async def _refusal(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, Refusal):
        raise error
    return problem_response(error.status, problem_of(error), error.headers)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    """Handle a request that does not match its schema."""
    if not isinstance(error, RequestValidationError):
        raise error
    found = error.errors()
    if any(each["type"] == "json_invalid" for each in found):
        return problem_response(400, Problem(kind="malformed", sentence="The body is not JSON."))
    faults = [Fault(each["type"].replace("_", "-"), _place(each["loc"]), fault_sentence(each)) for each in found]
    sentence = "; ".join(str(fault) for fault in faults[:3]) or "The request is malformed."
    return await _refusal(_, Refusal(422, "malformed", sentence, faults))


async def _http(request: Request, error: Exception) -> JSONResponse:
    """Handle a routing error."""
    if not isinstance(error, HTTPException):
        raise error
    kind, sentence = _HTTP_KINDS.get(error.status_code, ("refused", str(error.detail)))
    answer = problem_response(
        error.status_code, Problem(kind=kind, sentence=sentence.format(method=shortened(request.method)))
    )
    answer.headers.update(error.headers or {})
    return answer


async def _storage(_: Request, error: Exception) -> JSONResponse:
    """Handle a storage error. The client may retry."""
    if not isinstance(error, StorageError):
        raise error
    return problem_response(507 if isinstance(error, StorageFullError) else 503, storage_problem(error))


class Unexpected:
    """Responds to unexpected errors with a ``Problem``. Middleware outside this one adds headers and metrics."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request. If it fails before the response has started, send a ``Problem``."""
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
            # Log the route instead of the URL, because the URL may contain a link's secret token.
            route = getattr(scope.get("route"), "path", "an unknown address")
            _log.error("%s %s failed", scope["method"], route, exc_info=error)
            sentence = "Something went wrong on the server. Nothing that was acknowledged is lost."
            await problem_response(500, Problem(kind="unexpected", sentence=sentence))(scope, receive, send)


def _place(location: Sequence[object]) -> str:
    """The place in the request, such as ``seats.forest.kind``."""
    return ".".join(str(part) for part in location[1:]) or str(location[0] if location else "body")
