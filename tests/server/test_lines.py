"""Lines of tokens from a position: their length is limited, and computing them does not block the event loop."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from cairn.server.messages.games import MOST_LINE_TOKENS, LineView
from cairn.server.web.routes import positions
from harness.attacks.lines import START, long_line
from harness.server.client import Client

pytestmark = pytest.mark.anyio


async def test_the_length_of_a_line_is_limited(client: Client) -> None:
    tokens = long_line(MOST_LINE_TOKENS)
    answer = await client.http.post("/api/positions/line", json={"position": START, "tokens": tokens})
    assert answer.status_code == 200
    assert [step["token"] for step in answer.json()["steps"]] == tokens
    assert len(answer.content) < 250_000
    longer = {"position": START, "tokens": [*tokens, tokens[0]]}
    problem = await client.post("/positions/line", longer, status=422)
    assert (problem["kind"], problem["faults"][0]["field"]) == ("malformed", "tokens")


async def test_lines_are_computed_and_encoded_one_at_a_time_on_another_thread(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads, running, most = set[threading.Thread](), 0, 0
    original = positions._line

    def line(query: Any) -> LineView:
        nonlocal running, most
        running += 1
        most = max(most, running)
        threads.add(threading.current_thread())
        try:
            found = original(query)
        finally:
            running -= 1
        return found

    monkeypatch.setattr(positions, "_line", line)
    body = {"position": START, "tokens": long_line(60)}
    answers = await asyncio.gather(*(client.post("/positions/line", body) for _ in range(6)))
    assert all(answer == answers[0] for answer in answers)
    assert most == 1
    assert len(threads) == 1
    assert threading.current_thread() not in threads


async def test_the_number_of_waiting_lines_is_limited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    original = positions._line

    def line(query: Any) -> LineView:
        release.wait(20)
        return original(query)

    monkeypatch.setattr(positions, "_line", line)
    asked = [
        asyncio.create_task(client.http.post("/api/positions/line", json={"position": START}))
        for _ in range(positions.MOST_WAITING + 5)
    ]
    done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    assert {task.result().status_code for task in done} == {429}
    release.set()
    statuses = [(await task).status_code for task in asked]
    assert statuses.count(200) == positions.MOST_WAITING + 1
    assert statuses.count(429) == 4
