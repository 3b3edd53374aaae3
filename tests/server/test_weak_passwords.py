"""Passwords that are easy to guess are refused wherever a password is set."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cairn.server.players.passwords import SHORTEST, check_password, common_passwords
from cairn.server.settings import Settings
from harness.server.client import Client
from harness.server.people import PASSWORD, account, browser, identity_of, unlimited

pytestmark = pytest.mark.anyio

WEAK = [
    ("short", "bad-password"),
    ("password", "common-password"),
    ("PassWord", "common-password"),
    ("\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44", "common-password"),
    ("12345678", "common-password"),
    ("qwertyuiop", "common-password"),
    ("iloveyou", "common-password"),
    ("Annabella", "name-in-password"),
    ("the annabella 7", "name-in-password"),
    ("abcdefgh\ud800", "malformed"),
]


async def refusal(client: Client, method: str, path: str, body: object) -> Any:
    """Send a request that must be refused (422), and return the problem from the response.

    The body is ASCII, because httpx cannot send lone surrogates as UTF-8.
    """
    headers = {"Content-Type": "application/json"}
    answer = await client.http.request(method, f"/api{path}", content=json.dumps(body), headers=headers)
    assert answer.status_code == 422, answer.text
    return answer.json()


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    async with unlimited(settings) as client:
        yield client


@pytest.mark.parametrize(("password", "kind"), WEAK)
async def test_a_weak_password_is_refused_at_sign_up(client: Client, password: str, kind: str) -> None:
    body = {"name": "Annabella", "password": password}
    assert (await refusal(client, "POST", "/account", body))["kind"] == kind
    assert (await client.get("/me"))["player"] is None


@pytest.mark.parametrize(("password", "kind"), WEAK)
async def test_a_weak_password_is_refused_at_a_password_change_or_reset(
    client: Client, password: str, kind: str
) -> None:
    ann = await account(client, "Annabella")
    body = {"old": PASSWORD, "new": password}
    assert (await refusal(ann, "POST", "/account/password", body))["kind"] == kind
    reset = await identity_of(client).issue_reset("Annabella", "a test")
    body = {"password": password}
    assert (await refusal(browser(client.app), "POST", f"/reset/{reset.token}", body))["kind"] == kind
    await client.post("/session", {"name": "Annabella", "password": PASSWORD})


async def test_a_lone_surrogate_in_a_password_is_malformed_everywhere(client: Client) -> None:
    ann, bad = await account(client, "Annabella"), "abcdefgh\udc00"
    for method, path, body in (
        ("POST", "/session", {"name": "Annabella", "password": bad}),
        ("POST", "/account/password", {"old": bad, "new": PASSWORD}),
        ("DELETE", "/account", {"password": bad}),
    ):
        answer = await refusal(ann, method, path, body)
        assert answer["kind"] == "malformed"
        assert "surrogate" in answer["sentence"]


async def test_an_account_with_a_weak_password_can_still_sign_in(client: Client) -> None:
    ann = await account(client, "Annabella")
    identity = identity_of(client)
    player = await identity.find("Annabella")
    await identity._storage.set_password(player.id, await identity._passwords.hash("password"))
    await client.post("/session", {"name": "Annabella", "password": "password"})
    await ann.http.aclose()


@pytest.mark.parametrize("password", ["correct horse", "passwort-9-x", "Ånglophilia", "x" * 1_000])
def test_other_passwords_are_accepted(password: str) -> None:
    check_password(password, "Annabella")


def test_the_list_contains_ten_thousand_passwords_that_are_long_enough() -> None:
    common = common_passwords()
    assert len(common) == 10_000
    assert all(len(each) >= SHORTEST and each == each.casefold() for each in common)
    assert {"baseball", "superman", "trustno1", "1q2w3e4r", "11111111"} <= common
