"""Killing a real server in the middle of play, again and again, and looking whether anything acknowledged is lost."""

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
"""A server lives until up to so many changes are acknowledged, and a moment longer."""
LAST_MOMENT: Final = 0.02
"""In seconds: about as long as a change takes, so that kills meet every part of it."""
VARIANTS: Final = ("beginner", "standard", "expert")


@dataclasses.dataclass
class Tally:
    """What happened."""

    kills: int = 0
    acknowledged: int = 0
    """Changes that the server said it had made."""
    uncertain: int = 0
    """Changes whose answer a kill cut off."""
    kept: int = 0
    """Those of them that turned out to be made."""
    games: int = 0
    finished: int = 0
    slowest: float = 0.0
    """Seconds from a restart of the database until everybody played on."""
    lost: list[str] = dataclasses.field(default_factory=list)


class Player:
    """Somebody who plays one game after the other, whatever happens to the server."""

    def __init__(self, seats: Mapping[str, Any], rng: random.Random, tally: Tally) -> None:
        self._seats: Final = seats
        self._rng: Final = rng
        self._tally: Final = tally
        self._alone: Final = seats is PERSONS
        """Whether nobody but this player changes the game."""
        self._game: dict[str, Any] | None = None
        """The game as it was last acknowledged."""
        self._pending: str | None = None
        """What was asked for and not answered."""
        self.enough = False

    async def play(self, client: Client) -> None:
        """Play until the server is gone."""
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
        """Play until the server says that it could not store something, or there was enough."""
        self.enough = False
        with contextlib.suppress(AssertionError):  # the client wants 200
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
        """Check as soon as the database answers."""
        for _ in range(200):
            if self._game is None or (await client.http.get(f"/api/games/{self._game['id']}")).status_code == 200:
                break
            await asyncio.sleep(0.05)
        await self.check(client)

    async def _act(self, client: Client, game: dict[str, Any]) -> None:
        """Do something that may be done now."""
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
        """After a restart: everything acknowledged is there, and nothing but what was asked for came to it."""
        if self._game is None:
            return
        before, after = self._game, await client.view(self._game)
        if self._pending:
            self._tally.uncertain += 1
            self._tally.kept += after["revision"] > before["revision"]
        if not self._is_explained(before, after):
            self._tally.lost.append(
                f"game {before['id']}: acknowledged was revision {before['revision']}, {len(before['steps'])} steps; "
                f"then {self._pending} was asked for; now it is {after['revision']} with {len(after['steps'])} steps"
            )
        self._game, self._pending = after, None

    def _is_explained(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        known, found = before["steps"], after["steps"]
        if after["revision"] == before["revision"]:
            return bool(found == known and after["now"] == before["now"])
        if after["revision"] < before["revision"]:
            return False
        if not self._alone:  # the computer may have gone on
            return bool(found[: len(known)] == known)
        if self._pending == "undo":
            return bool(len(found) < len(known) and found == known[: len(found)])
        if self._pending == "confirm":
            drawn = all(step["by"] == "chance" for step in found[len(known) :])
            return bool(found[: len(known)] == known and drawn and after["now"]["held"] is None)
        return bool(found[: len(known)] == known and found[len(known)]["token"] == self._pending)


async def kill_often(settings: Settings, kills: int, seed: int, players: int = 4) -> Tally:
    """Let players play, and kill the server so many times."""
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
    tally.lost += damages(settings)
    return tally


async def kill_database_often(settings: Settings, server: PostgresServer, kills: int, seed: int) -> Tally:
    """Let players play on one server process, and kill the PostgreSQL below it so many times."""
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
    tally.lost += damages(settings)
    return tally


_GAPS: Final = (
    "SELECT s.game, s.revision, count(e.revision), max(e.revision) FROM standings s "
    "LEFT JOIN events e ON e.game = s.game GROUP BY s.game, s.revision "
    "HAVING count(e.revision) <> s.revision OR coalesce(max(e.revision), 0) <> s.revision"
)


def damages(settings: Settings) -> list[str]:
    """What is wrong with the database itself: pages, references, and logs with gaps."""
    if settings.database:
        return [f"the log of a game has gaps: {tuple(row)}" for row in rows_of(settings.database, _GAPS)]
    path = settings.data / DATABASE
    with contextlib.closing(sqlite3.connect(path)) as connection:
        found = [str(row) for row in connection.execute("PRAGMA integrity_check") if row != ("ok",)]
        found += [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
        return found + [f"the log of a game has gaps: {row}" for row in connection.execute(_GAPS)]
