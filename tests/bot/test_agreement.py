"""The bot compares each game with the challenge that it accepted, and notices if the server changed the terms."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cairn.bot.agreement import Agreement, check_draws
from cairn.server.settings import Settings
from harness.server.visitors import Visitor, table, two

pytestmark = pytest.mark.anyio

TERMS = [
    {"variant": "standard"},
    {"variant": "expert", "first": "sea"},
    {"variant": "beginner", "tribe": "forest"},
    {"variant": "standard", "tribe": "sea", "first": "sea"},
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def address(tmp_path: Any) -> AsyncIterator[str]:
    async with table(Settings(data=tmp_path, pages=tmp_path)) as address:
        yield address


async def played(ann: Visitor, ben: Visitor, terms: dict[str, str]) -> tuple[dict[str, Any], Agreement, str]:
    """Let Ben accept a challenge and Ann resign; return Ben's first view, the terms he accepted, and the record."""
    made = await ann.challenge(open=True, **terms)
    challenge = await ben.get(f"/challenges/{made['challenge']['id']}")
    agreement = Agreement.to(challenge)
    body = {"number": agreement.number}
    game = (await ben.post(f"/challenges/{challenge['id']}/accept", body, status=201))["game"]
    await ann.post(f"/games/{game['id']}/resign", {})
    return game, agreement, (await ben.http.get(f"/api/games/{game['id']}/record")).text


def others(agreement: Agreement) -> list[Agreement]:
    """Agreements that differ from this one in one term."""
    other_tribe = {"forest": "sea", "sea": "forest", None: "forest"}
    return [
        dataclasses.replace(agreement, commitment="00" * 32),
        dataclasses.replace(agreement, number="00" * 16),
        dataclasses.replace(agreement, variant="beginner" if agreement.variant != "beginner" else "expert"),
        *(
            dataclasses.replace(agreement, first=each)
            for each in {other_tribe[agreement.first], None} - {agreement.first}
        ),
        *(dataclasses.replace(agreement, tribe=each) for each in {"forest", "sea", None} - {agreement.tribe}),
    ]


@pytest.mark.parametrize("terms", TERMS)
async def test_different_terms_in_the_record_are_noticed(address: str, terms: dict[str, str]) -> None:
    async with two(address) as (ann, ben):
        game, agreement, record = await played(ann, ben, terms)
        (tribe,) = game["you"]
        assert check_draws(record, tribe, agreement) == "all draws verified"
        assert len(others(agreement)) >= 6
        for other in others(agreement):
            assert check_draws(record, tribe, other).startswith("WARNING: "), other


async def test_a_record_that_swaps_the_challengers_tribe_is_noticed(address: str) -> None:
    """In version 1 of the proof, the record alone does not prove who made the challenge."""
    async with two(address) as (ann, ben):
        game, agreement, record = await played(ann, ben, {})
        (tribe,) = game["you"]
        challengers = "S" if tribe == "forest" else "F"
        flipped = {"F": "S", "S": "F"}[challengers]
        assert f'[Tossed "{challengers}"]' in record
        forged = record.replace(f'[Tossed "{challengers}"]', f'[Tossed "{flipped}"]')
        assert "made the challenge" in check_draws(forged, tribe, agreement)


@pytest.mark.parametrize("terms", TERMS)
async def test_different_terms_are_noticed_when_the_game_begins(address: str, terms: dict[str, str]) -> None:
    async with two(address) as (ann, ben):
        game, agreement, _ = await played(ann, ben, terms)
        assert agreement.objections(game) == []
        for other in others(agreement):
            assert len(other.objections(game)) == 1, other
        for other, objection in (
            (dataclasses.replace(agreement, creator="somebody else"), "is not the player who made the challenge"),
            (dataclasses.replace(agreement, rated=True), "the game is not rated, unlike the challenge"),
            (dataclasses.replace(agreement, clock={"kind": "correspondence", "days": 3}), "the clock differs"),
        ):
            (found,) = other.objections(game)
            assert objection in found
