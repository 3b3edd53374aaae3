"""Kills a real server repeatedly in the middle of play, and checks that no acknowledged change is lost."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import random
import sqlite3
from collections.abc import Mapping
from typing import Any, Final

import httpx

from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from harness.server.client import AGAINST_COMPUTER, PERSONS, Client, some_choice, updated
from harness.server.postgresql import PostgresServer, rows_of
from harness.server.processes import Process

MOST_CHANGES: Final = 16
"""The maximum number of acknowledged changes before a kill. The actual number is random."""
LAST_MOMENT: Final = 0.02
"""The maximum delay before a kill, in seconds. Storing a change takes about as long, so kills hit every stage."""
VARIANTS: Final = ("beginner", "standard", "expert")


@dataclasses.dataclass
class Tally:
    """Counts from a run."""

    kills: int = 0
    acknowledged: int = 0
    """Changes that the server acknowledged."""
    uncertain: int = 0
    """Changes whose response was lost in a kill."""
    kept: int = 0
    """Uncertain changes that turned out to be stored."""
    games: int = 0
    finished: int = 0
    slowest: float = 0.0
    """The longest time from a database restart until all players could play again, in seconds."""
    lost: list[str] = dataclasses.field(default_factory=list)


class Player:
    """A player who plays one game after another, even though the server is killed repeatedly."""

    def __init__(self, seats: Mapping[str, Any], rng: random.Random, tally: Tally) -> None:
        self._seats: Final = seats
        self._rng: Final = rng
        self._tally: Final = tally
        self._alone: Final = seats is PERSONS
        """Whether only this player changes the game."""
        self._game: dict[str, Any] | None = None
        """The game in its last acknowledged state."""
        self._pending: str | None = None
        """The change that was requested but not acknowledged."""
        self.enough = False

    async def play(self, client: Client) -> None:
        """Play until the server is killed."""
        with contextlib.suppress(httpx.TransportError):
            while True:
                if self._game is None:
                    self._game = await client.begin(self._seats, variant=self._rng.choice(VARIANTS))
                    self._tally.games += 1
                elif self._game["now"]["outcome"]:
                    self._game = None
                    self._tally.finished += 1
                else:
                    await self._act(client, self._game)

    async def play_until_refused(self, client: Client) -> None:
        """Play until the server reports that it could not store a change, or until ``enough`` is set."""
        self.enough = False
        with contextlib.suppress(AssertionError):  # the client raises this if the status is not 200
            while not self.enough:
                if self._game is None:
                    self._game = await client.begin(self._seats, variant=self._rng.choice(VARIANTS))
                    self._tally.games += 1
                elif self._game["now"]["outcome"]:
                    self._game = None
                    self._tally.finished += 1
                else:
                    await self._act(client, self._game)

    async def check_when_there(self, client: Client) -> None:
        """Wait until the database is available again, then check."""
        for _ in range(200):
            if self._game is None or (await client.http.get(f"/api/games/{self._game['id']}")).status_code == 200:
                break
            await asyncio.sleep(0.05)
        await self.check(client)

    async def _act(self, client: Client, game: dict[str, Any]) -> None:
        """Make one of the changes that are possible now."""
        if not self._alone and not game["now"]["choices"]:
            self._game = await client.view(game)
            return
        if game["now"]["held"]:
            self._pending = self._rng.choice(["confirm", "undo"])
        elif self._alone and game["now"]["undo"]["step"] and self._rng.random() < 0.1:
            self._pending = "undo"
        else:
            self._pending = some_choice(game, self._rng)
        if self._pending == "undo":
            update = await client.undo(game)
        elif self._pending == "confirm":
            update = await client.confirm(game)
        else:
            update = await client.play(game, self._pending, hold=self._alone and self._rng.random() < 0.2)
        self._game = updated(game, update)
        self._pending = None
        self._tally.acknowledged += 1

    async def check(self, client: Client) -> None:
        """Check that the restarted server has all acknowledged changes, and at most the pending one in addition."""
        if self._game is None:
            return
        before, after = self._game, await client.view(self._game)
        if self._pending:
            self._tally.uncertain += 1
            self._tally.kept += after["revision"] > before["revision"]
        if not self._is_explained(before, after):
            self._tally.lost.append(
                f"game {before['id']}: acknowledged revision {before['revision']} with {len(before['steps'])} steps, "
                f"then sent {self._pending}; found revision {after['revision']} with {len(after['steps'])} steps"
            )
        self._game, self._pending = after, None

    def _is_explained(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        known, found = before["steps"], after["steps"]
        if after["revision"] == before["revision"]:
            return bool(found == known and after["now"] == before["now"])
        if after["revision"] < before["revision"]:
            return False
        if not self._alone:  # the computer may have continued
            return bool(found[: len(known)] == known)
        if self._pending == "undo":
            return bool(len(found) < len(known) and found == known[: len(found)])
        if self._pending == "confirm":
            drawn = all(step["by"] == "chance" for step in found[len(known) :])
            return bool(found[: len(known)] == known and drawn and after["now"]["held"] is None)
        return bool(found[: len(known)] == known and found[len(known)]["token"] == self._pending)


async def kill_often(settings: Settings, kills: int, seed: int, players: int = 4) -> Tally:
    """Kill the server ``kills`` times during play."""
    rng = random.Random(seed)
    tally = Tally()
    seats = [AGAINST_COMPUTER if number == 0 else PERSONS for number in range(players)]
    table = [Player(each, random.Random(rng.random()), tally) for each in seats]
    process = Process(settings)
    with contextlib.closing(process):
        for _ in range(kills + 1):
            address = await asyncio.to_thread(process.start)
            async with httpx.AsyncClient(base_url=address, timeout=30) as http:
                client = Client(http)
                for player in table:
                    await player.check(client)
                if tally.kills < kills:
                    playing = [asyncio.create_task(player.play(client)) for player in table]
                    enough = tally.acknowledged + rng.randint(1, MOST_CHANGES)
                    while tally.acknowledged < enough and not any(task.done() for task in playing):
                        await asyncio.sleep(0.002)
                    await asyncio.sleep(rng.uniform(0, LAST_MOMENT))
                    process.kill()
                    tally.kills += 1
                    await asyncio.gather(*playing)
    tally.lost += inconsistencies(settings)
    return tally


async def kill_database_often(settings: Settings, server: PostgresServer, kills: int, seed: int) -> Tally:
    """Kill PostgreSQL ``kills`` times during play, while a server process is using it."""
    rng = random.Random(seed)
    tally = Tally()
    table = [Player(PERSONS, random.Random(rng.random()), tally) for _ in range(4)]
    with contextlib.closing(Process(settings)) as process:
        address = await asyncio.to_thread(process.start)
        async with httpx.AsyncClient(base_url=address, timeout=60) as http:
            client = Client(http)
            for number in range(kills + 1):
                for player in table:
                    await player.check_when_there(client)
                if number == kills:
                    break
                playing = [asyncio.create_task(player.play_until_refused(client)) for player in table]
                enough = tally.acknowledged + rng.randint(1, MOST_CHANGES)
                while tally.acknowledged < enough and not all(task.done() for task in playing):
                    await asyncio.sleep(0.002)
                await asyncio.sleep(rng.uniform(0, LAST_MOMENT))
                await asyncio.to_thread(server.kill)
                tally.kills += 1
                await asyncio.sleep(rng.uniform(0, 0.5))
                began = asyncio.get_running_loop().time()
                await asyncio.to_thread(server.start)
                for player in table:
                    player.enough = True
                await asyncio.gather(*playing)
                tally.slowest = max(tally.slowest, asyncio.get_running_loop().time() - began)
    tally.lost += inconsistencies(settings)
    return tally


_GAPS: Final = (
    "SELECT s.game, s.revision, count(e.revision), max(e.revision) FROM standings s "
    "LEFT JOIN events e ON e.game = s.game GROUP BY s.game, s.revision "
    "HAVING count(e.revision) <> s.revision OR coalesce(max(e.revision), 0) <> s.revision"
)


def inconsistencies(settings: Settings) -> list[str]:
    """Return a sentence for each inconsistency in the database: corrupt pages, broken references, logs with gaps."""
    if settings.database:
        return [f"a game log has gaps: {tuple(row)}" for row in rows_of(settings.database, _GAPS)]
    path = settings.data / DATABASE
    with contextlib.closing(sqlite3.connect(path)) as connection:
        found = [str(row) for row in connection.execute("PRAGMA integrity_check") if row != ("ok",)]
        found += [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
        return found + [f"a game log has gaps: {row}" for row in connection.execute(_GAPS)]
