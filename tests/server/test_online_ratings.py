"""Tests for profiles, the leaderboard, and the ratings of players and computer levels.

Ratings are updated in the transaction that ends a game.
"""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from cairn.rating import Rating, rate_game
from cairn.server.settings import Settings
from cairn.server.storage import ratings
from harness.server.processes import listening
from harness.server.visitors import Visitor, application, begun, table, two

pytestmark = pytest.mark.anyio


async def finished(one: Visitor, other: Visitor, **fields: Any) -> Any:
    game = await begun(one, other, **fields)
    await other.post(f"/games/{game['id']}/resign", {})
    return game


async def test_ratings_follow_glicko(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        await ann.sign_up("Ann")
        await ben.sign_up("Ben")
        await finished(ann, ben, rated=True, variant="standard")
        won, lost = rate_game(Rating(), Rating(), 1)
        for name, expected in (("Ann", won), ("ben", lost)):
            profile = await ann.get(f"/players/{name}")
            for rating in profile["ratings"]:
                assert (rating["rating"], rating["deviation"]) == (round(expected.rating), round(expected.deviation))
                assert (rating["games"], rating["provisional"]) == (1, True)
        await finished(ben, ann, rated=True, variant="expert")
        profile = await ann.get("/players/Ann")
        assert [(each["variant"], each["games"]) for each in profile["ratings"]] == [
            ("all", 2),
            ("standard", 1),
            ("expert", 1),
        ]
        assert [point["change"] > 0 for point in profile["history"]] == [True, False]
        assert profile["results"] == [
            {"variant": "standard", "won": 1, "drawn": 0, "lost": 0},
            {"variant": "expert", "won": 0, "drawn": 0, "lost": 1},
        ]
        assert len(profile["recent"]) == 2


async def test_unrated_games_do_not_change_ratings(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        await ann.sign_up("Ann")
        game = await finished(ann, ben)
        profile = await ann.get("/players/Ann")
        assert (profile["ratings"], profile["history"]) == ([], [])
        assert profile["results"][0]["won"] == 1
        assert (await ann.view(game))["players"]["forest"]["rating"] is None


async def test_the_end_of_a_game_that_cannot_be_rated_is_not_stored(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a game and the new ratings are stored in one transaction."""
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, rated=True)
        body: dict[str, object] = {"id": "give up"}

        def fails(*_: object, **__: object) -> None:
            raise sa.exc.OperationalError("rate", None, Exception("broken"))

        with monkeypatch.context() as broken:
            broken.setattr(ratings, "rate", fails)
            answer = await ann.http.post(f"/api/games/{game['id']}/resign", json=body)
            assert answer.status_code == 503
        view = await ben.view(game)
        assert (view["now"]["outcome"], view["revision"]) == (None, 0)
        assert view["proof"]["seed"] is None
        await ann.post(f"/games/{game['id']}/resign", body)
        await ann.post(f"/games/{game['id']}/resign", body)  # a retry does not change the ratings again
        view = await ben.view(game)
        assert (view["now"]["outcome"]["winner"], view["revision"]) == ("sea", 1)
        assert len((await ben.get(f"/players/{view['players']['sea']['id']}"))["history"]) == 1


async def test_the_leaderboard_lists_accounts_and_levels(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as guest:
        await ann.sign_up("Ann")
        await ben.sign_up("Ben")
        await finished(ann, ben, rated=True)
        await finished(ann, guest)
        board = await guest.get("/leaderboard")
        ratings = [leader["rating"]["rating"] for leader in board["leaders"]]
        assert ratings == sorted(ratings, reverse=True)
        assert [leader["rank"] for leader in board["leaders"]] == list(range(1, 13))
        people = [leader["player"]["name"] for leader in board["leaders"] if leader["player"]["kind"] != "level"]
        assert people == ["Ann", "Ben"]
        expert = await guest.get("/leaderboard?variant=expert")
        assert {leader["player"]["kind"] for leader in expert["leaders"]} == {"level"}


async def test_levels_and_guests_have_profiles_and_unknown_players_do_not(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        level = await ann.get("/players/level-10")
        assert level["player"] == {"id": "level-10", "kind": "level", "name": None}
        assert level["ratings"][0]["rating"] == 2853
        game = await finished(ann, ben)
        guest = await ann.get(f"/players/{game['players']['forest']['id']}")
        assert (guest["player"]["kind"], guest["player"]["name"]) == ("guest", None)
        for name in ("nobody", "x", "'; --", "level-11"):
            assert (await ann.get(f"/players/{name}", status=404))["kind"] == "unknown-player"


async def test_no_account_can_have_the_name_of_a_level(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        body = {"name": "Level-3", "password": "correct horse"}
        assert (await ann.post("/account", body, status=409))["kind"] == "name-taken"


async def test_a_guest_who_signs_up_keeps_their_games(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await finished(ann, ben)
        await ann.sign_up("Ann")
        assert (await ann.get("/players/Ann"))["results"][0]["won"] == 1
        view = await ann.view(game)
        assert view["you"] == ["forest"]
        assert (await ann.get("/games"))["games"][0]["seats"]["forest"]["name"] == "Ann"


async def test_a_deleted_player_has_no_name(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        await ann.sign_up("Ann")
        game = await finished(ann, ben, rated=True)
        await ann.ask("DELETE", "/account", {"password": "correct horse"}, status=204)
        assert (await ben.get("/players/Ann", status=404))["kind"] == "unknown-player"
        (listed,) = (await ben.get("/games"))["games"]
        assert listed["id"] == game["id"]
        assert listed["seats"]["forest"]["name"] is None


async def test_an_export_does_not_contain_secrets(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await finished(ann, ben, rated=True)
        await begun(ann, ben)
        made = await ann.challenge()
        exported = await ann.get("/account/export")
        tables = exported["tables"]
        assert {"challenges", "seats", "ratings", "rating_history"} <= set(tables)
        assert {row["game"] for row in tables["seats"]} >= {game["id"]}
        for row in [*tables["challenges"], *tables["seats"], *tables.get("games", [])]:
            assert not {"seed", "seat_hash", "invite_hash", "token_hash"} & set(row)
        assert made["invite"] not in str(exported)
