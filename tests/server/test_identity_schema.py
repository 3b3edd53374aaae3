"""Schemathesis generates account requests, which an administrator sends. None of them causes a server error."""

from __future__ import annotations

import asyncio
import copy
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

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

from cairn.server.players.identity import Identity
from cairn.server.players.limits import NO_LIMITS, Limiter
from cairn.server.players.passwords import Passwords
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from cairn.server.storage.engines.database import Database
from cairn.server.storage.players.repository import PlayerRepository
from harness.server.api import api
from harness.server.processes import Process

SCHEMA = schemathesis.openapi.from_dict(copy.deepcopy(api())).include(
    path_regex=r"^/api/(me|account|session|reset|admin)\b"
)
CHECKS: Final = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
COUNT = itertools.count()
LOGIN: Final = {"name": "Admin", "password": "correct horse"}


async def make_admin(folder: Path) -> int:
    """Create an administrator and a report; return the number of the report."""
    database = await Database.open(folder / DATABASE)
    passwords = Passwords(1)
    identity = Identity(PlayerRepository(database), passwords, Limiter(NO_LIMITS))
    try:
        made = await identity.sign_up(None, LOGIN["name"], LOGIN["password"], "here")
        await identity.make_admin(LOGIN["name"], True, "a test")
        return await identity.report(made.player, made.player.id, None, "Hello.")
    finally:
        passwords.close()
        await database.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, dict[str, Any]]]:
    """An administrator's browser, and valid path parameters."""
    folder = tmp_path_factory.mktemp("schema")
    report = asyncio.run(make_admin(folder))
    with (
        Process(Settings(data=folder, pages=folder, limits=NO_LIMITS)) as process,
        httpx.Client(base_url=process.address) as browser,
    ):
        yield browser, {"name": LOGIN["name"], "report": report}


@pytest.mark.slow
@SCHEMA.parametrize()
@hypothesis.settings(
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_generated_requests_do_not_cause_server_errors(
    case: schemathesis.Case[Any], server: tuple[httpx.Client, dict[str, Any]]
) -> None:
    browser, known = server
    if next(COUNT) % 2:
        for name in set(case.path_parameters or {}) & set(known):
            case.path_parameters[name] = known[name]
    if not browser.get("/api/me").json()["admin"]:  # at the start, or after a request that signed out
        assert browser.post("/api/session", json=LOGIN).status_code == 200
    cookies = {"cairn_session": browser.cookies["cairn_session"]}
    response = case.call(base_url=str(browser.base_url), cookies=cookies)
    case.validate_response(response, checks=CHECKS)
    if response.status_code >= 400:
        assert set(response.json()) == {"kind", "sentence", "faults", "seconds"}
        assert response.json()["sentence"]
        assert response.json()["kind"] not in ("sign-in-needed", "account-needed", "admin-needed")
