"""Your running games and the rematches that you have been offered, as the bar on every page shows them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from cairn.server.settings import Settings
from harness.server.client import PERSONS
from harness.server.visitors import Visitor, begun, table, two
from tests.server.places import settings_at

pytestmark = pytest.mark.anyio


async def test_the_list_has_your_running_games_and_no_others(settings: Settings, place: Path | str) -> None:
    public = dataclasses.replace(settings_at(settings, place), public=True)
    async with table(public) as address, two(address) as (ann, ben), Visitor(address) as stranger:
        running, ended = [await begun(ann, ben) for _ in range(2)]
        await ben.post(f"/games/{ended['id']}/resign", {})
        local = await ann.post("/games", {"seats": PERSONS}, status=201)
        seen = {each["id"]: each for each in (await ann.get("/running"))["games"]}
        assert set(seen) == {running["id"], local["id"]}
        assert seen[running["id"]]["you"] in (["forest"], ["sea"])
        assert [each["id"] for each in (await ben.get("/running"))["games"]] == [running["id"]]
        assert await stranger.get("/running") == {"games": [], "offers": []}


async def test_a_rematch_offer_is_listed_for_its_recipient_until_it_is_answered(
    settings: Settings, place: Path | str
) -> None:
    async with table(settings_at(settings, place)) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        await ann.post(f"/games/{game['id']}/resign", {})
        made = await ann.post(f"/games/{game['id']}/rematch", status=201)
        assert (await ben.get("/running"))["offers"] == []  # nobody can accept before the number is known
        offer = made["challenge"]["id"]
        await ann.ask("PUT", f"/challenges/{offer}/number", {"number": "00" * 16})
        (found,) = (await ben.get("/running"))["offers"]
        assert (found["id"], found["rematch_of"], found["yours"]) == (offer, game["id"], False)
        assert (await ann.get("/running"))["offers"] == []
        await ben.http.delete(f"/api/challenges/{offer}")
        assert (await ben.get("/running"))["offers"] == []
