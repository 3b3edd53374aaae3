"""After random commands and restarts, a game agrees with a simple model, and its log replays to the same state."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from cairn import CHANCE, Game, Phase, Tribe
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from harness.server.client import AGAINST_COMPUTER, CHAIN, LEAVES, PERSONS, START, Client, choices, updated
from harness.server.processes import running

POSITIONS = (START, LEAVES, CHAIN, None)
COMMANDS = (
    "play",
    "play",
    "play",
    "play",
    "hold",
    "undo",
    "undo turn",
    "confirm",
    "illegal",
    "stale",
    "restart",
    "view",
)


@dataclasses.dataclass
class Model:
    """A minimal model of what two people at one screen should see."""

    start: str
    tokens: list[str] = dataclasses.field(default_factory=list)
    held: str | None = None
    revision: int = 0

    def game(self, tokens: int | None = None) -> Game:
        return Game(self.start, self.tokens[:tokens])

    def undone(self, scope: str) -> int | str:
        """Return how many tokens are left after an undo, or why nothing can be undone."""
        left = len(self.tokens)
        while left:
            left -= 1
            before = self.game(left)
            if before.decider is CHANCE:
                return "drawn"
            if scope == "step" or before.phase is Phase.ACTION:
                return left
        return "nothing"

    def agrees(self, view: dict[str, Any]) -> None:
        game = self.game()
        decider = game.decider.value if game.decider else None
        assert [step["token"] for step in view["steps"]] == self.tokens
        assert view["revision"] == self.revision
        assert view["now"]["position"] == game.board.text
        assert view["now"]["decider"] == decider
        assert view["now"]["held"] == self.held
        assert choices(view) == ([] if self.held else [str(token) for token in game.legal_moves])
        assert self.held or game.decider is not CHANCE, "a draw is due, but it is neither made nor held"
        for scope in ("step", "turn"):
            undone, offer = self.undone(scope), view["now"]["undo"]
            expected = (False, undone) if isinstance(undone, str) else (True, None)
            assert (offer[scope], offer[f"no_{scope}"]) == expected


class Table:
    """A game on a server, and its model."""

    def __init__(self, client: Client, view: dict[str, Any], rng: random.Random) -> None:
        self.client, self.view, self._rng = client, view, rng
        self.model = Model(view["start"])

    async def do(self, command: str) -> None:
        """Run a command, and compare the game with the model."""
        match command:
            case "play" | "hold":
                await self._play(hold=command == "hold")
            case "undo" | "undo turn":
                await self._undo("step" if command == "undo" else "turn")
            case "confirm":
                await self._confirm()
            case "illegal":
                status = 409 if self.model.held or self.model.game().outcome else 422
                decider = self.model.game().decider
                body = {**self.view, "now": {"decider": decider.value if isinstance(decider, Tribe) else "sea"}}
                await self.client.play(body, "?CG", status=status)
            case "stale":
                await self.client.undo({**self.view, "revision": self.model.revision + 1}, status=409)
            case "view":
                self.view = await self.client.view(self.view)
        self.model.agrees(self.view)

    async def _play(self, *, hold: bool) -> None:
        game = self.model.game()
        if self.model.held or game.outcome:
            return
        token = str(self._rng.choice(game.legal_moves))
        update = await self.client.play(self.view, token, hold=hold)
        new = [step["token"] for step in update["steps"]]
        assert new[0] == token
        self.model.tokens += new
        self.model.revision += len(new)
        after, decider = self.model.game(), game.decider
        assert isinstance(decider, Tribe)
        own = decider is game.board.active
        if hold and len(new) == 1 and (after.phase is Phase.DRAW or (own and after.phase is Phase.ACTION)):
            self.model.held = decider.value
        self.view = updated(self.view, update)

    async def _undo(self, scope: str) -> None:
        left = self.model.undone(scope)
        update = await self.client.undo(self.view, scope, status=200 if isinstance(left, int) else 409)
        if isinstance(left, int):
            del self.model.tokens[left:]
            self.model.held = None
            self.model.revision += 1
            self.view = updated(self.view, update)

    async def _confirm(self) -> None:
        update = await self.client.confirm(self.view, status=200 if self.model.held else 409)
        if self.model.held:
            draws = self.model.game().phase is Phase.DRAW
            new = [step["token"] for step in update["steps"]]
            assert bool(new) == draws  # a confirmation adds a step only if a draw was held
            self.model.held = None
            self.model.tokens += new
            self.model.revision += 1 + len(new)
            self.view = updated(self.view, update)


async def run(settings: Settings, position: str | None, commands: list[str], rng: random.Random) -> None:
    fields = {"variant": "expert"} if position is None else {"position": position}
    rest = commands
    table: Table | None = None
    while table is None or rest:
        async with running(settings) as client:
            if table is None:
                table = Table(client, await client.begin(PERSONS, **fields), rng)
            before, table.client = table.view, client
            table.view = await client.view(before)
            assert {**table.view, "changed": ""} == {**before, "changed": ""}
            restart = rest.index("restart") if "restart" in rest else len(rest)
            now, rest = rest[:restart], rest[restart + 1 :]
            for command in now:
                await table.do(command)


@pytest.mark.slow
@hypothesis.given(
    position=st.sampled_from(POSITIONS),
    commands=st.lists(st.sampled_from(COMMANDS), min_size=5, max_size=40),
    seed=st.integers(0, 1_000),
)
@hypothesis.example(position=CHAIN, commands=["play", "play", "undo"], seed=3)  # an undo within a turn
@hypothesis.settings(max_examples=15, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
def test_any_sequence_of_commands_agrees_with_the_model(
    empty_database: Path, position: str | None, commands: list[str], seed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(empty_database, Path(folder) / DATABASE)
        settings = Settings(data=Path(folder), pages=Path(folder), limits=NO_LIMITS)
        asyncio.run(run(settings, position, commands, random.Random(seed)))


@pytest.mark.slow
def test_a_game_against_the_computer_is_unchanged_after_a_restart(settings: Settings) -> None:
    rng = random.Random(5)

    async def play() -> None:
        game: dict[str, Any] | None = None
        for _ in range(4):
            async with running(settings) as client:
                if game is None:
                    game = await client.begin(AGAINST_COMPUTER, variant="expert")
                    game = await client.until_asked(game)
                assert await client.view(game) == game
                for _ in range(4):
                    if game["now"]["outcome"] is None:
                        game = updated(game, await client.play(game, rng.choice(choices(game))))
                        game = await client.until_asked(game)
        assert game is not None
        assert {step["by"] for step in game["steps"]} >= {Tribe.FOREST.value, Tribe.SEA.value}

    asyncio.run(play())
