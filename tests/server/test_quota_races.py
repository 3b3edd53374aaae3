"""Quotas hold when many requests arrive at the same moment, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
import pytest

from cairn.server.settings import Settings
from harness.server.visitors import Visitor, begun, number, table, two, with_account
from tests.server.places import settings_at

pytestmark = pytest.mark.anyio

OPEN_CHALLENGES = 20
TOKENS = 20


def kinds(answers: Iterable[httpx.Response]) -> collections.Counter[str]:
    """Count the responses by kind of problem; ``made`` counts the successes."""
    return collections.Counter("made" if answer.is_success else str(answer.json()["kind"]) for answer in answers)


async def test_a_player_cannot_race_past_the_limit_on_open_challenges(settings: Settings, place: Path | str) -> None:
    async with table(settings_at(settings, place)) as address, Visitor(address) as ann:
        await ann.challenge()
        made = await asyncio.gather(*(ann.http.post("/api/challenges", json={}) for _ in range(2 * OPEN_CHALLENGES)))
        rest = OPEN_CHALLENGES - 1
        assert kinds(made) == {"made": rest, "too-many-challenges": len(made) - rest}
        withdrawn = next(answer.json()["challenge"]["id"] for answer in made if answer.is_success)
        await ann.ask("DELETE", f"/challenges/{withdrawn}", status=204)
        assert kinds([await ann.http.post("/api/challenges", json={}) for _ in range(2)]) == {
            "made": 1,
            "too-many-challenges": 1,
        }


async def test_a_game_can_have_only_one_rematch(settings: Settings, place: Path | str) -> None:
    async with table(settings_at(settings, place)) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        await ann.post(f"/games/{game['id']}/resign", {})
        rematch = f"/api/games/{game['id']}/rematch"
        offer = (await ann.post(f"/games/{game['id']}/rematch", status=201))["challenge"]["id"]
        await ann.ask("PUT", f"/challenges/{offer}/number", {"number": number()})
        # While Ben is accepting, both players offer again, and each accepts whatever the other one offers.
        racing = [_offer_and_accept(one, other, rematch) for one, other in ((ann, ben), (ben, ann)) * 4]
        _, *outcomes = await asyncio.gather(ben.accept(offer), *racing)
        assert outcomes == [None] * len(racing)
        answers = [await visitor.http.post(rematch) for visitor in (ann, ben)]
        assert kinds(answers) == {"rematch-offered": 2}
        assert (await ann.get(f"/games/{game['id']}/rematch"))["challenges"] == []


async def _offer_and_accept(one: Visitor, other: Visitor, rematch: str) -> Any:
    """Offer a rematch and let the other player accept it. Return the new game, or ``None`` after a refusal."""
    offered = await one.http.post(rematch)
    if not offered.is_success:
        return None
    path = f"/challenges/{offered.json()['challenge']['id']}"
    await one.ask("PUT", f"{path}/number", {"number": number()})
    return await other.accept(path.removeprefix("/challenges/"))


async def test_a_game_against_the_computer_can_have_more_than_one_rematch(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        made = await ann.challenge(level=1)
        game = made["challenge"]["game"]
        await ann.post(f"/games/{game}/resign", {})
        for _ in range(2):
            offer = (await ann.post(f"/games/{game}/rematch", status=201))["challenge"]["id"]
            begun_ = await ann.ask("PUT", f"/challenges/{offer}/number", {"number": number()})
            assert begun_["game"]


async def test_an_account_cannot_race_past_the_limit_on_tokens(settings: Settings, place: Path | str) -> None:
    async with table(settings_at(settings, place)) as address, Visitor(address) as ann:
        await with_account(ann)
        await ann.post("/account/tokens", {"bot": "Robot"}, status=201)
        made = await asyncio.gather(*(ann.http.post("/api/account/tokens", json={"bot": "Robot"}) for _ in range(25)))
        assert kinds(made) == {"made": TOKENS - 1, "too-many-tokens": 25 - (TOKENS - 1)}
        assert len((await ann.get("/account/tokens"))["tokens"]) == TOKENS


async def test_an_account_cannot_race_past_the_limit_on_bots(settings: Settings, place: Path | str) -> None:
    async with table(settings_at(settings, place)) as address, Visitor(address) as ann:
        await with_account(ann)
        bodies = ({"bot": f"Robot-{letter}"} for letter in "abcdefghjkmnpqrstuvwxyzöä")
        made = await asyncio.gather(*(ann.http.post("/api/account/tokens", json=body) for body in bodies))
        assert kinds(made) == {"made": TOKENS, "too-many-tokens": len(made) - TOKENS}
        assert len((await ann.get("/account/tokens"))["bots"]) == TOKENS


async def test_players_cannot_race_past_the_limit_on_chat_messages(settings: Settings, place: Path | str) -> None:
    limits = dataclasses.replace(settings.limits, chat_of_game=3)
    settings = dataclasses.replace(settings_at(settings, place), limits=limits)
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        path = f"/api/games/{game['id']}/chat"
        said = await asyncio.gather(*(each.http.post(path, json={"text": "Hello."}) for each in (ann, ben) * 4))
        assert kinds(said) == {"made": 3, "chat-full": 5}
        assert len((await ann.get(f"/games/{game['id']}/chat"))["lines"]) == 3
