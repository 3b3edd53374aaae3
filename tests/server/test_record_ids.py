"""Uploading a record again with the same id does not create a second game."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Final

import pytest

from cairn.server.players.limits import Rate
from cairn.server.settings import Settings
from harness.server.client import START
from harness.server.visitors import Visitor, table
from tests.server.places import settings_at

pytestmark = pytest.mark.anyio

TEXT: Final = f'[Position "{START}"]\n\n1 F a1-a2\n*\n'
LONGER: Final = f'[Position "{START}"]\n\n1 F a1-a2\n2 S a5-b4\n*\n'
NO_TOKENS: Final = f'[Position "{START}"]\n\n*\n'
KEY: Final = "device-1 1"


@pytest.mark.parametrize("text", [TEXT, NO_TOKENS], ids=["with tokens", "without tokens"])
async def test_a_repeated_upload_returns_the_existing_game(settings: Settings, place: Path | str, text: str) -> None:
    async with table(settings_at(settings, place)) as address, Visitor(address) as ann:
        record = {"text": text, "id": KEY}
        first = await ann.post("/records", record, status=201)
        assert (await ann.post("/records", record, status=201))["id"] == first["id"]
        assert (await ann.get("/games"))["total"] == 1


@pytest.mark.parametrize("text", [TEXT, NO_TOKENS], ids=["with tokens", "without tokens"])
async def test_simultaneous_uploads_create_one_game(settings: Settings, place: Path | str, text: str) -> None:
    async with table(settings_at(settings, place)) as address, Visitor(address) as ann:
        await ann.post("/records", {"text": LONGER}, status=201)  # another game, without an id
        uploads = [ann.post("/records", {"text": text, "id": KEY}, status=201) for _ in range(8)]
        games = await asyncio.gather(*uploads)
        assert len({game["id"] for game in games}) == 1
        assert (await ann.get("/games"))["total"] == 2


async def test_the_same_id_with_another_record_creates_another_game(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        first = await ann.post("/records", {"text": TEXT, "id": KEY}, status=201)
        second = await ann.post("/records", {"text": LONGER, "id": KEY}, status=201)
        assert first["id"] != second["id"]
        assert len(second["steps"]) == 2


async def test_two_players_with_the_same_id_and_record_get_their_own_games(settings: Settings) -> None:
    async with (
        table(dataclasses.replace(settings, public=True)) as address,
        Visitor(address) as ann,
        Visitor(address) as ben,
    ):
        record = {"text": TEXT, "id": KEY}
        assert (await ann.post("/records", record, status=201))["id"] != (
            await ben.post("/records", record, status=201)
        )["id"]


async def test_a_deleted_game_is_restored_by_a_repeated_upload(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        record = {"text": TEXT, "id": KEY}
        first = await ann.post("/records", record, status=201)
        await ann.ask("DELETE", f"/games/{first['id']}", status=204)
        assert (await ann.post("/records", record, status=201))["id"] == first["id"]
        assert (await ann.get("/games"))["total"] == 1


async def test_a_repeated_upload_does_not_count_against_the_quota(settings: Settings) -> None:
    """Only the first upload counts. If the second one were refused, the page would keep its copy forever."""
    limits = dataclasses.replace(settings.limits, upload=Rate(1, 1e9))
    async with (
        table(dataclasses.replace(settings, public=True, limits=limits)) as address,
        Visitor(address) as ann,
    ):
        record = {"text": TEXT, "id": KEY}
        first = await ann.post("/records", record, status=201)
        assert (await ann.post("/records", {"text": LONGER, "id": KEY}, status=429))["kind"] == "too-many"
        assert (await ann.post("/records", record, status=201))["id"] == first["id"]
