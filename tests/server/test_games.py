"""Games can be started, played, imported, listed, deleted and restored."""

from __future__ import annotations

import random

import pytest

from cairn import Game, read_record
from harness.server.client import (
    AGAINST_COMPUTER,
    CHAIN,
    LEAVES,
    PERSONS,
    START,
    Client,
    choices,
    some_choice,
    tokens,
    updated,
)

pytestmark = pytest.mark.anyio


async def test_the_server_reports_its_health(client: Client) -> None:
    assert (await client.get("/health"))["status"] == "ok"


@pytest.mark.parametrize(("variant", "tiles"), [("beginner", 8), ("standard", 14), ("expert", 17)])
async def test_a_dealt_game_starts_as_the_rules_say(client: Client, variant: str, tiles: int) -> None:
    game = await client.begin(variant=variant, first="sea")
    setup = Game(game["start"]).board.setup
    assert game["variant"] == variant
    assert game["now"]["decider"] == game["now"]["active"] == "sea"
    assert len(setup.megaliths) + 2 + len(setup.deck) == tiles
    assert not setup.deck.known  # S3
    assert (game["revision"], game["steps"], game["now"]["turn"]) == (0, [], 1)


async def test_the_first_tribe_is_random_by_default(client: Client) -> None:
    assert {(await client.begin())["now"]["decider"] for _ in range(20)} == {"forest", "sea"}


async def test_choices_are_the_legal_tokens(client: Client) -> None:
    game = await client.begin(position=START)
    assert choices(game) == [str(token) for token in Game(START).legal_moves]


async def test_a_token_updates_the_game(client: Client) -> None:
    game = await client.begin(position=START)
    update = await client.play(game, "a1-a2")
    assert (update["base"], update["revision"], update["kept"]) == (0, 1, 0)
    game = updated(game, update)
    view = await client.view(game)
    assert view.pop("changed") > game.pop("changed")
    assert view == game
    assert tokens(game) == ["a1-a2"]
    assert game["now"]["decider"] == "sea"


async def test_a_draw_follows_a_build_immediately(client: Client) -> None:
    game = await client.begin(position=LEAVES)
    game = updated(game, await client.play(game, "a5-out"))
    update = await client.play(game, "=DR")
    assert update["revision"] == update["base"] + 2
    built, drawn = update["steps"]
    assert (built["token"], drawn["by"], drawn["phase"]) == ("=DR", "chance", "draw")
    assert drawn["token"] in {"?AD", "?CS", "?PS", "?SA"}
    assert update["now"]["decider"] == "sea"


async def test_a_game_can_begin_with_tokens(client: Client) -> None:
    game = await client.begin(position=CHAIN, tokens=["a1-c3", "d5-d4"])
    assert tokens(game) == ["a1-c3", "d5-d4"]
    assert game["revision"] == 2
    assert (game["now"]["active"], game["now"]["decider"], game["now"]["power"]) == ("forest", "sea", "SA")


async def test_a_game_that_begins_with_a_build_continues_with_a_draw(client: Client) -> None:
    game = await client.begin(position=LEAVES, tokens=["a5-out", "=DR"])
    assert len(game["steps"]) == 3
    assert game["now"]["phase"] == "action"


async def test_a_game_can_begin_with_a_finished_position(client: Client) -> None:
    stuck = "1S3/2SS1/1S1S1/F1F1F/1F1F1 - ---- - wdfm 0-0 F"
    game = await client.begin(position=stuck)
    assert game["now"]["outcome"] is not None
    assert (await client.play({**game, "now": {"decider": "forest"}}, "+d1", status=409))["kind"] == "game-over"


async def test_two_people_can_play_a_whole_game(client: Client) -> None:
    rng = random.Random(3)
    game = await client.begin(variant="expert")
    while game["now"]["outcome"] is None:
        game = updated(game, await client.play(game, some_choice(game, rng)))
    replayed = Game(game["start"], tokens(game))
    assert replayed.outcome is not None
    assert game["now"]["outcome"]["reason"] == replayed.outcome.reason.value
    assert (await client.play({**game, "now": {"decider": "sea"}}, "+d1", status=409))["kind"] == "game-over"


async def test_a_record_contains_the_game(client: Client) -> None:
    rng = random.Random(4)
    seats = {"forest": {"kind": "person", "name": 'Zoë "Z" \\ 石'}, "sea": {"kind": "computer", "level": 2}}
    game = await client.begin(seats, variant="standard", first="forest")
    game = await client.until_asked(updated(game, await client.play(game, some_choice(game, rng))))
    answer = await client.http.get(f"/api/games/{game['id']}/record")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert f'{game["id"]}.cairn"' in answer.headers["content-disposition"]
    record = read_record(answer.content)
    assert [str(token) for token in record.game.tokens] == tokens(game)
    assert record.headers["Forest"] == 'Zoë "Z" \\ 石'
    assert (record.headers["Sea"], record.headers["Variant"]) == ("level 2", "standard")


async def test_an_imported_game_can_be_continued(client: Client) -> None:
    text = f'[Forest "Ann"]\n[Sea "level 40"]\n[Variant "beginner"]\n[Position "{START}"]\n\n1 F a1-a2\n2 S a5-b4\n*\n'
    game = await client.post("/records", {"text": text}, status=201)
    assert tokens(game) == ["a1-a2", "a5-b4"]
    assert game["seats"]["forest"] == {"kind": "person", "level": None, "name": "Ann"}
    assert game["seats"]["sea"] == {"kind": "person", "level": None, "name": "level 40"}  # no such level, so a name
    assert game["variant"] == "beginner"
    game = updated(game, await client.play(game, choices(game)[0]))
    assert len(game["steps"]) == 3


async def test_an_imported_game_against_the_computer_continues_with_the_computer(client: Client) -> None:
    game = await client.begin({"forest": {"kind": "person", "name": "Ann"}, "sea": {"kind": "computer", "level": 2}})
    game = await client.until_asked(game)
    text = (await client.http.get(f"/api/games/{game['id']}/record")).text
    again = await client.until_asked(await client.post("/records", {"text": text}, status=201))
    assert (again["seats"], again["steps"]) == (game["seats"], game["steps"])
    again = await client.until_asked(updated(again, await client.play(again, choices(again)[0])))
    assert {step["by"] for step in again["steps"]} >= {"forest", "sea"}


@pytest.mark.parametrize(
    ("forest", "sea", "result"),
    [("level 1", "level 2", '[Result "*"]'), ("Ann", "level 2", '[Result "F"]\n[Reason "resignation"]')],
    ids=["between two levels", "finished"],
)
async def test_imported_games_that_are_finished_or_between_levels_have_people_in_both_seats(
    client: Client, forest: str, sea: str, result: str
) -> None:
    names, end = f'[Forest "{forest}"]\n[Sea "{sea}"]\n{result}', "F" if "Reason" in result else "*"
    text = f'{names}\n[Position "{START}"]\n\n1 F a1-a2\n{end}\n'
    seats = (await client.post("/records", {"text": text}, status=201))["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats.values()] == [("person", forest), ("person", sea)]


async def test_a_declared_result_is_imported(client: Client) -> None:
    text = f'[Result "S"]\n[Reason "resignation"]\n[Position "{START}"]\n\n1 F a1-a2\nS\n'
    game = await client.post("/records", {"text": text}, status=201)
    assert game["now"]["outcome"] == {"winner": "sea", "reason": "resignation", "rule": "G3"}
    assert game["now"]["undo"] == {"step": False, "turn": False, "no_step": "over", "no_turn": "over"}
    assert (await client.undo(game, status=409))["kind"] == "nothing-to-undo"
    assert (await client.get("/games"))["games"][0]["outcome"]["reason"] == "resignation"
    answer = await client.http.get(f"/api/games/{game['id']}/record")
    assert read_record(answer.text).result == "S"


async def test_the_list_can_be_searched_filtered_and_paged(client: Client) -> None:
    ann = await client.begin({**PERSONS, "forest": {"kind": "person", "name": "Ännchen 100%"}}, variant="expert")
    level = await client.begin({**AGAINST_COMPUTER, "sea": {"kind": "computer", "level": 7}}, first="forest")
    set_up = await client.begin(position="1S3/2SS1/1S1S1/F1F1F/1F1F1 - ---- - wdfm 0-0 F")

    async def found(query: str) -> list[str]:
        listed = await client.get(f"/games?{query}")
        assert listed["total"] == len(listed["games"])
        return [line["id"] for line in listed["games"]]

    assert await found("") == [set_up["id"], level["id"], ann["id"]]  # most recently changed first
    assert await found("search=äNNCHEN") == [ann["id"]]
    assert await found("search=100%25") == [ann["id"]]
    assert await found("search=%25%25") == []
    assert await found("search=level+7") == [level["id"]]
    assert await found("search=expert+änn") == [ann["id"]]
    assert await found("search=expert+7") == []
    assert await found("search=galka|level:7") == [level["id"]]
    assert await found("search=level:77+|") == []
    assert await found("search=unnamed:forest") == [set_up["id"], level["id"]]
    assert await found("search=unnamed:sea|level:7+expert|beginner") == [level["id"], ann["id"]]
    assert await found("variant=beginner") == [level["id"]]
    assert await found("state=finished") == [set_up["id"]]
    assert await found("state=running") == [level["id"], ann["id"]]
    page = await client.get("/games?offset=1&limit=1")
    assert ([line["id"] for line in page["games"]], page["total"]) == ([level["id"]], 3)
    await client.play(ann, choices(ann)[0])
    assert (await found(""))[0] == ann["id"]


async def test_a_list_entry_shows_the_state_of_the_game(client: Client) -> None:
    game = await client.begin(position=START)
    game = updated(game, await client.play(game, "a1-a2"))
    game = updated(game, await client.play(game, "a5-b4"))
    (line,) = (await client.get("/games"))["games"]
    assert line["position"] == game["now"]["position"]
    assert (line["turns"], line["decider"], line["outcome"], line["variant"]) == (2, "forest", None, None)


async def test_deleted_games_are_hidden_and_can_be_restored(client: Client) -> None:
    game = await client.begin(position=START)
    game = updated(game, await client.play(game, "a1-a2"))
    for _ in range(2):
        await client.ask("DELETE", f"/games/{game['id']}", status=204)
    assert (await client.get("/games"))["total"] == 0
    assert (await client.get(f"/games/{game['id']}", status=404))["kind"] == "deleted-game"
    assert (await client.play(game, "a5-a4", status=404))["kind"] == "deleted-game"
    for _ in range(2):
        await client.post(f"/games/{game['id']}/restore", status=204)
    assert (await client.get("/games"))["total"] == 1
    assert tokens(await client.view(game)) == ["a1-a2"]


async def test_seat_names_are_cleaned(client: Client) -> None:
    seats = {"forest": {"kind": "person", "name": " a\n\tb\x00 "}, "sea": {"kind": "person", "name": " "}}
    game = await client.begin(seats)
    assert game["seats"]["forest"]["name"] == "a b"
    assert game["seats"]["sea"]["name"] is None
    assert read_record((await client.http.get(f"/api/games/{game['id']}/record")).text).headers["Forest"] == "a b"


async def test_a_line_can_start_from_any_position(client: Client) -> None:
    line = await client.post("/positions/line", {"position": CHAIN, "tokens": ["a1-c3", "d5-d4"]})
    assert line["start"] == CHAIN
    assert [step["token"] for step in line["steps"]] == ["a1-c3", "d5-d4"]
    assert line["now"]["decider"] == "sea"
    assert line["now"]["choices"]
