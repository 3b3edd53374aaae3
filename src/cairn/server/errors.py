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

from cairn.server.models import FaultView, Problem
from cairn.server.storage import StorageError, StorageFullError
from cairn.vocabulary import Fault, MalformedError

MOST_FAULTS: Final = 20
LONGEST_SENTENCE: Final = 300

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
                FaultView(kind=fault.kind, field=_short(fault.field), sentence=_short(fault.sentence))
                for fault in faults[:MOST_FAULTS]
            ],
        )


def malformed(error: MalformedError, what: str) -> Refusal:
    """The refusal of a text that means nothing, with all its faults."""
    return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", f"{what}: {error}", error.faults)


def problem_response(status: int, problem: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer that tells a problem."""
    return JSONResponse(problem.model_dump(mode="json"), status_code=status, headers=headers)


def install(app: FastAPI) -> None:
    """Let every error of this application be answered with a ``Problem``."""
    app.add_exception_handler(Refusal, _refusal)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(StorageError, _storage)
    app.add_exception_handler(Exception, _unexpected)


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
    if isinstance(error, StorageFullError):
        return problem_response(507, Problem(kind="storage-full", sentence=str(error)))
    return problem_response(503, Problem(kind="storage-failed", sentence=str(error)))


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    # The route, not the address: that may hold the secret of a link.
    route = getattr(request.scope.get("route"), "path", "an unknown address")
    _log.error("%s %s failed", request.method, route, exc_info=error)
    sentence = "Something went wrong in the server. Nothing that was confirmed is lost."
    return problem_response(500, Problem(kind="unexpected", sentence=sentence))


def _place(location: Sequence[object]) -> str:
    """Where in the request: ``seats.forest.kind``."""
    return ".".join(str(part) for part in location[1:]) or str(location[0] if location else "body")


def _sentence(message: str) -> str:
    return message.removeprefix("Value error, ")


def _short(text: str) -> str:
    """The text, cut to what one wants to read, and free of halves of characters, which no answer can hold."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"
