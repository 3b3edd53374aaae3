"""Requests that schemathesis generates from the API description get documented responses and no server errors."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.server.api import api
from harness.server.client import PERSONS, START
from harness.server.processes import Process

SCHEMA = schemathesis.openapi.from_dict(copy.deepcopy(api()))
EXAMPLES = 20
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
COUNT = itertools.count()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server, and the id of a game on it."""
    folder = tmp_path_factory.mktemp("schema")
    with Process(Settings(data=folder, pages=folder, limits=NO_LIMITS)) as process:
        body = {"seats": PERSONS, "position": START}
        yield process.address, httpx.post(f"{process.address}/api/games", json=body).json()["id"]


@pytest.mark.slow
@SCHEMA.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_generated_requests_get_documented_responses(case: schemathesis.Case[Any], server: tuple[str, str]) -> None:
    address, game = server
    if case.path_parameters and next(COUNT) % 2 and case.method != "DELETE":
        case.path_parameters["game"] = game  # otherwise no generated request would find a game
    response = case.call(base_url=address)
    case.validate_response(response, checks=CHECKS)
    if response.status_code >= 400:
        assert set(response.json()) == {"kind", "sentence", "faults", "seconds"}
        assert response.json()["sentence"]
