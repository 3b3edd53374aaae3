"""An invalid request is refused with a sentence that explains what is wrong, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from harness.server.client import CHAIN, LEAVES, PERSONS, START, Client, choices, tokens, updated

pytestmark = pytest.mark.anyio


async def test_requests_for_unknown_games_are_refused(client: Client) -> None:
    bodies = {
        "/tokens": {"revision": 0, "tribe": "forest", "token": "a1-a2"},
        "/undo": {"revision": 0},
        "/confirm": {"revision": 0},
        "/restore": None,
    }
    for path, body in bodies.items():
        assert (await client.post(f"/games/nobody{path}", body, status=404))["kind"] == "unknown-game"
    for path in ("/games/nobody", "/games/nobody/record", "/games/%F0%9F%AA%A8"):
        assert (await client.get(path, status=404))["kind"] == "unknown-game"
    assert (await client.get("/games/%00", status=404))["kind"] == "not-found"
    assert (await client.ask("DELETE", "/games/nobody", status=404))["kind"] == "unknown-game"


async def test_a_token_out_of_turn_is_refused(client: Client) -> None:
    game = await client.begin(position=START)
    body = {"revision": 0, "tribe": "sea", "token": "a5-a4"}
    problem = await client.post(f"/games/{game['id']}/tokens", body, status=409)
    assert problem == {
        "kind": "wrong-turn",
        "sentence": "Forest has to decide, not Sea.",
        "faults": [],
        "seconds": None,
    }


async def test_a_token_for_the_computers_seat_is_refused(client: Client) -> None:
    seats = {"forest": {"kind": "person"}, "sea": {"kind": "computer", "level": 10}}
    game = await client.begin(seats, position=START.replace(" F", " S"))
    body = {"revision": game["revision"], "tribe": "sea", "token": "a5-a4"}
    problem = await client.post(f"/games/{game['id']}/tokens", body, status=409)
    assert problem["kind"] == "computer-decides"


async def test_stale_revisions_are_refused(client: Client) -> None:
    game = await client.begin(position=START)
    newer = updated(game, await client.play(game, "a1-a2"))
    assert (await client.play(game, "a1-a2", status=409))["kind"] == "stale-revision"
    assert (await client.undo(game, status=409))["kind"] == "stale-revision"
    assert (await client.confirm(game, status=409))["kind"] == "stale-revision"
    assert (await client.play({**newer, "revision": 99}, "a5-a4", status=409))["kind"] == "stale-revision"
    assert (await client.view(game))["revision"] == 1


WRONG_TOKENS = [
    *((token, "illegal-token") for token in ("a1-a3", "+a1", "pass", "?AD")),
    *((token, "malformed-token") for token in ("", "xyz", "\x00", "🪨")),
]


@pytest.mark.parametrize(("token", "kind"), WRONG_TOKENS)
async def test_a_wrong_token_is_refused(client: Client, token: str, kind: str) -> None:
    game = await client.begin(position=START)
    problem = await client.play(game, token, status=422)
    assert problem["kind"] == kind
    assert len(problem["faults"]) == (kind == "malformed-token")
    assert len(problem["sentence"]) > 10
    view = await client.view(game)
    assert (view["revision"], view["now"]) == (0, game["now"])
    await client.play(game, "a1-a2")


async def test_an_illegal_token_is_refused_with_the_message_from_the_library(client: Client) -> None:
    game = await client.begin(position=CHAIN, tokens=["a1-c3"])
    problem = await client.play(game, "a1-a2", status=422)
    assert problem["sentence"].startswith("'a1-a2' is not legal: in phase power forest may play ")


async def test_undo_and_confirm_are_refused_at_the_start(client: Client) -> None:
    game = await client.begin(position=START)
    assert (await client.undo(game, status=409))["kind"] == "nothing-to-undo"
    assert (await client.undo(game, "turn", status=409))["kind"] == "nothing-to-undo"
    assert (await client.confirm(game, status=409))["kind"] == "nothing-to-confirm"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"seats": PERSONS, "variant": "chess"},
        {"seats": PERSONS, "first": "north"},
        {"seats": PERSONS, "tokens": ["a1-a2"]},
        {"seats": PERSONS, "position": "nonsense"},
        {"seats": PERSONS, "position": START, "tokens": ["a1-a3"]},
        {"seats": PERSONS, "position": START, "tokens": ["a1-a2"] * 5_001},
        {"seats": PERSONS, "more": 1},
        {"seats": {"forest": {"kind": "computer", "level": 1}, "sea": {"kind": "computer", "level": 1}}},
        {"seats": {"forest": {"kind": "computer"}, "sea": {"kind": "person"}}},
        {"seats": {"forest": {"kind": "computer", "level": 11}, "sea": {"kind": "person"}}},
        {"seats": {"forest": {"kind": "person", "level": 3}, "sea": {"kind": "person"}}},
        {"seats": {"forest": {"kind": "person", "name": "x" * 61}, "sea": {"kind": "person"}}},
    ],
)
async def test_an_invalid_new_game_is_refused(client: Client, body: dict[str, object]) -> None:
    problem = await client.post("/games", body, status=422)
    assert problem["sentence"]
    assert (await client.get("/games"))["total"] == 0


async def test_tokens_after_a_repetition_are_refused(client: Client) -> None:
    game = await client.begin(position=START)
    while game["now"]["outcome"] is None:  # always playing the first choice leads to a repetition
        game = updated(game, await client.play(game, choices(game)[0]))
    assert game["now"]["outcome"]["reason"] == "repetition"
    body = {"seats": PERSONS, "position": START, "tokens": [*tokens(game), "a1-a2"]}
    problem = await client.post("/games", body, status=409)
    assert problem["kind"] == "game-over"
    assert (await client.play({**game, "now": {"decider": "sea"}}, "a1-a2", status=409))["kind"] == "game-over"


async def test_all_faults_of_a_position_are_reported(client: Client) -> None:
    problem = await client.post("/positions/line", {"position": "S/5/5/5/9 b3XX DRMD - wofm 0-5 F"}, status=422)
    assert problem["kind"] == "malformed"
    assert len(problem["faults"]) > 2
    assert all(fault["kind"] and fault["field"] and fault["sentence"] for fault in problem["faults"])


@pytest.mark.parametrize(("token", "kind"), WRONG_TOKENS)
async def test_a_wrong_token_in_a_line_or_a_new_game_is_refused(client: Client, token: str, kind: str) -> None:
    given = {"position": START, "tokens": [token]}
    assert (await client.post("/positions/line", given, status=422))["kind"] == kind
    assert (await client.post("/games", {"seats": PERSONS, **given}, status=422))["kind"] == kind


async def test_a_line_that_continues_after_the_end_of_the_game_is_refused(client: Client) -> None:
    position, played = LEAVES.replace("0-0", "2-0"), ["a5-out", "=DR"]
    given = {"position": position, "tokens": played}
    assert (await client.post("/positions/line", given))["now"]["outcome"]["winner"] == "forest"
    played.append("c5-c4")
    assert (await client.post("/positions/line", given, status=409))["kind"] == "game-over"


async def test_the_faults_of_a_record_are_reported(client: Client) -> None:
    text = f'[Position "{START}"]\n\n1 F a1-a2\n2 S a5-a1\n*\n'
    problem = await client.post("/records", {"text": text}, status=422)
    assert problem["faults"][0]["field"].startswith("turn 2, token 1")
    assert (await client.get("/games"))["total"] == 0


@pytest.mark.parametrize("query", ["limit=0", "limit=1000", "offset=-1", "variant=x", "state=y", "limit=x"])
async def test_a_malformed_query_is_refused(client: Client, query: str) -> None:
    assert (await client.get(f"/games?{query}", status=422))["kind"] == "malformed"


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"9" * 10_000, b"null", b"[]", b'"x"', b'{"seats": {"forest": 1e999}}'],
)
async def test_a_malformed_body_is_refused(client: Client, body: bytes) -> None:
    answer = await client.http.post("/api/games", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["kind"] == "malformed"
    assert answer.json()["sentence"]


async def test_a_lone_surrogate_is_refused(client: Client) -> None:
    body = json.dumps({"seats": {"forest": {"kind": "person", "name": "\ud800"}, "sea": {"kind": "person"}}})
    answer = await client.http.post("/api/games", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422


@pytest.mark.parametrize("announced", [True, False])
async def test_an_oversized_body_is_refused(client: Client, announced: bool) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(13):
            yield b" " * 100_000

    content = b" " * 1_300_000 if announced else chunks()
    answer = await client.http.post("/api/records", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["kind"] == "too-large"


async def test_unknown_paths_and_methods_are_refused(client: Client) -> None:
    for path in ("/nothing", "/games/x/y/z", "/games/"):
        assert (await client.get(path, status=404))["kind"] in ("not-found", "unknown-game")
    assert (await client.post("/nothing", {}, status=404))["kind"] == "not-found"
    answer = await client.http.put("/api/games")
    assert (answer.status_code, answer.json()["kind"]) == (405, "method-not-allowed")
    assert "PUT" in answer.json()["sentence"]
    assert (await client.http.post("/")).status_code == 405
