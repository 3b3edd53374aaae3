"""Players on simulated lines: honest ones play as the pages do, hostile ones send whatever their program says."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import itertools
import json
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from harness.simulation.instance import Instance
from harness.simulation.network import Cut, Line, Socket
from harness.simulation.referee import Referee

PATIENCE: Final = 3.0
"""Seconds after which a page opens a new socket if nothing arrives that should."""
SLOWEST_PAUSE: Final = 1.0


@dataclasses.dataclass(frozen=True)
class Program:
    """What a hostile player does: how fast, and how often each kind of command."""

    rate: float
    """Commands per second."""
    weights: tuple[float, ...]
    """One for each of :data:`COMMANDS`."""
    plays: float
    """The probability of playing on, instead of letting the clock run, at each of their own decisions."""

    @classmethod
    def invented(cls, rng: random.Random) -> Program:
        """A program of a few kinds of commands, or of all kinds with random weights."""
        chosen = rng.sample(range(len(COMMANDS)), rng.choice((1, 2, 3, len(COMMANDS))))
        weights = [rng.choice((1, 1, 3, 10)) if number in chosen else 0 for number in range(len(COMMANDS))]
        return cls(rng.choice((2, 10, 45)), tuple(weights), rng.choice((0.2, 0.9, 1.0)))

    def mutated(self, rng: random.Random) -> Program:
        """A similar program."""
        weights = list(self.weights)
        weights[rng.randrange(len(weights))] = rng.choice((0, 1, 3, 10))
        if not any(weights):
            return self
        return Program(rng.choice((self.rate, 2, 10, 45)), tuple(weights), rng.choice((self.plays, 0.2, 0.9, 1.0)))


@dataclasses.dataclass
class View:
    """A game as a page keeps it."""

    game: dict[str, Any]

    def apply(self, update: dict[str, Any]) -> bool:
        """Apply an update. False if it does not continue this view."""
        if update["base"] != self.game["revision"]:
            return False
        steps = [*self.game["steps"][: update["kept"]], *update["steps"]]
        self.game = {**self.game, "revision": update["revision"], "steps": steps, "now": update["now"]}
        return True


class Player:
    """Somebody at a table, with one socket at a time."""

    honest = True
    """Whether the referee takes their side."""

    def __init__(
        self, name: str, line: Line, tribe: str, game: str, instances: Sequence[Instance], referee: Referee
    ) -> None:
        self.name: Final = name
        self.line: Final = line
        self.tribe: Final = tribe
        self.game: Final = game
        self._instances: Final = instances
        self.referee: Final = referee
        self.rng: Final = line.rng
        self.view: View | None = None
        self.socket: Socket | None = None
        self._ids: Final = (f"{name}-{number}" for number in itertools.count())
        self._waiting: dict[str, Any] | None = None
        """The token that was sent and not answered yet. It is sent again on the next socket."""
        self._asked = 0.0
        self.thinks: float = self.rng.choice((0.02, 0.1, 0.4))
        self.resigns: float = self.rng.choice((0.0, 0.02, 0.1))
        """The probability of resigning instead of deciding, so that many games are short."""
        self.faults_allowed: Callable[[], bool] = lambda: False
        """Whether something is wrong right now for which nobody can be blamed."""
        self.has_left = False
        """Whether this player decides nothing any more. Then the clock must end the game."""

    async def run(self) -> None:
        """Play until the game is over."""
        pause = 0.05
        while not self.is_over():
            try:
                await self._session()
                pause = 0.05
            except (Cut, TimeoutError):
                pass
            finally:
                if self.socket:
                    self.socket.close()
                    self.socket = None
            if not self.is_over():
                await asyncio.sleep(pause * self.rng.uniform(0.5, 1.5))
                pause = min(2 * pause, SLOWEST_PAUSE)

    def is_over(self) -> bool:
        """Whether this player knows that the game is over."""
        return self.view is not None and self.view.game["now"]["outcome"] is not None

    async def _session(self) -> None:
        living = [each for each in self._instances if each.alive]
        if not living:
            raise Cut("no server")
        socket = self.socket = await self.line.connect(self.rng.choice(living), f"/api/games/{self.game}/socket")
        self.view = await self._first_view(socket)
        if self._waiting:
            self._send(socket, self._waiting)
        while not self.is_over():
            await self._turn(socket)

    async def _first_view(self, socket: Socket) -> View:
        """The whole game, which is the first message of a socket."""
        while (message := await self._receive(socket, PATIENCE))["type"] != "game":
            pass
        self.referee.shown(self.game, message["game"])
        return View(message["game"])

    async def _turn(self, socket: Socket) -> None:
        """Decide if it is this player's turn; otherwise wait for what happens."""
        assert self.view is not None
        now = self.view.game["now"]
        mine = (now["decider"] == self.tribe and now["held"] is None) or now["held"] == self.tribe
        if mine and self._may_decide():
            await self._listen(socket, self.rng.expovariate(1 / self.thinks))
            if self.view.game["now"] is now and self._may_decide() and not self._answer_offer(socket, now):
                self._decide(socket, now)
        else:
            await self._listen(socket, PATIENCE)
            if self._waiting and asyncio.get_running_loop().time() - self._asked > PATIENCE:
                if self.honest and not self.faults_allowed():
                    self.referee.late(self.game, PATIENCE)
                raise Cut("no answer")
            if not mine:
                self._answer_offer(socket, now)

    def _may_decide(self) -> bool:
        return self._waiting is None and not self.has_left

    async def _listen(self, socket: Socket, seconds: float) -> None:
        """Handle messages for so long, or until the game changes."""
        assert self.view is not None
        before, until = self.view.game["now"], asyncio.get_running_loop().time() + seconds
        with contextlib.suppress(TimeoutError):
            while self.view.game["now"] is before:
                self._handle(await self._receive(socket, max(0.0, until - asyncio.get_running_loop().time())))

    async def _receive(self, socket: Socket, seconds: float) -> dict[str, Any]:
        text = await socket.receive(seconds)
        self.referee.heard(self.name, text)
        message: dict[str, Any] = json.loads(text)
        return message

    def _handle(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "game":
                self.view = View(message["game"])
            case "update":
                if self.view is None or not self.view.apply(message["update"]):
                    raise Cut("an update is missing")
                if message["done"]:
                    self._answered(message["done"])
            case "done":
                self._answered(message["id"])
                return
            case "refused":
                self._refused(message)
                return
            case _:
                return
        self.referee.shown(self.game, self.view.game)

    def _answered(self, command: str) -> None:
        if self._waiting and self._waiting["id"] == command:
            self._waiting = None
            self.referee.acknowledged(self.game, f"{self.tribe} {command}")

    def _refused(self, message: dict[str, Any]) -> None:
        if self._waiting and self._waiting["id"] == message["id"]:
            command, self._waiting = self._waiting, None
            kind = message["problem"]["kind"]
            if not kind.startswith("storage"):
                self.referee.refused(self.game, kind, command["revision"], honest=self.honest)

    # --- Decisions

    def _decide(self, socket: Socket, now: dict[str, Any]) -> None:
        assert self.view is not None
        revision = self.view.game["revision"]
        if now["held"] == self.tribe:
            self._ask(socket, {"type": "confirm", "revision": revision})
        elif self.rng.random() < self.resigns:
            self._send(socket, {"type": "resign", "id": next(self._ids)})
        elif now["undo"]["step"] and self.rng.random() < 0.05:
            self._ask(socket, {"type": "undo", "revision": revision})
        elif now["choices"]:
            token = self.rng.choice(now["choices"])["token"]
            hold = self.rng.random() < 0.2
            self._ask(
                socket,
                {"type": "play", "revision": revision, "tribe": self.tribe, "token": token, "hold": hold},
            )

    def _answer_offer(self, socket: Socket, now: dict[str, Any]) -> bool:
        """Answer an offer of the other player now and then, and return whether there was an answer."""
        for offer in now["offers"]:
            if offer["by"] != self.tribe and self.rng.random() < 0.3:
                answer = self.rng.choice(("accept", "decline"))
                self._send(socket, {"type": "answer", "answer": answer, **self._stamp()})
                return True
        return False

    def _stamp(self) -> dict[str, Any]:
        assert self.view is not None
        return {"id": next(self._ids), "revision": self.view.game["revision"]}

    def _ask(self, socket: Socket, command: dict[str, Any]) -> None:
        """Send a command and wait for its answer before anything else is decided."""
        self._waiting = {"id": next(self._ids), **command}
        self._send(socket, self._waiting)

    def _send(self, socket: Socket, command: dict[str, Any]) -> None:
        if command is self._waiting:
            self._asked = asyncio.get_running_loop().time()
        socket.send(json.dumps(command))


class Watcher(Player):
    """Somebody who only looks, and must see what the players see."""

    async def _turn(self, socket: Socket) -> None:
        await self._listen(socket, PATIENCE)


class Hostile(Player):
    """Plays on now and then, and floods the game with the commands of a program."""

    honest = False

    def __init__(self, *arguments: Any, program: Program) -> None:
        super().__init__(*arguments)
        self.program: Final = program

    async def run(self) -> None:
        """Play and flood until the game is over."""
        flood = asyncio.create_task(self._flood())
        try:
            await super().run()
        finally:
            flood.cancel()
            await asyncio.gather(flood, return_exceptions=True)

    def _decide(self, socket: Socket, now: dict[str, Any]) -> None:
        if self.rng.random() < self.program.plays:
            super()._decide(socket, now)

    def _refused(self, message: dict[str, Any]) -> None:
        super()._refused(message)
        self.referee.counts[f"hostile refused {message['problem']['kind']}"] += 1

    async def _flood(self) -> None:
        while True:
            await asyncio.sleep(self.rng.expovariate(self.program.rate))
            if self.socket is not None and self.view is not None and not self.has_left:
                (command,) = self.rng.choices(COMMANDS, self.program.weights)
                self.socket.send(command(self))

    def command(self, kind: str, **fields: Any) -> str:
        """A command, at a revision that is usually the last one seen."""
        assert self.view is not None
        stamp = self._stamp()
        if self.rng.random() < 0.1:
            stamp["revision"] = self.rng.choice((0, max(0, stamp["revision"] - 1), stamp["revision"] + 1, 10**6))
        return json.dumps({"type": kind, **stamp, **fields})

    def some_token(self) -> str:
        """A legal token, one that was played before, or nonsense."""
        assert self.view is not None
        choices = [choice["token"] for choice in self.view.game["now"]["choices"]]
        played = [step["token"] for step in self.view.game["steps"]]
        return str(self.rng.choice(choices or played[-3:] or ["a1-a2"]))


COMMANDS: Final[Sequence[Callable[[Hostile], str]]] = (
    lambda player: player.command("offer", what="takeback", scope="step"),
    lambda player: player.command("offer", what="takeback", scope="turn"),
    lambda player: player.command("offer", what="draw"),
    lambda player: player.command("answer", answer="withdraw"),
    lambda player: player.command("answer", answer="decline"),
    lambda player: player.command("answer", answer="accept"),
    lambda player: player.command("undo", scope="step"),
    lambda player: player.command("undo", scope="turn"),
    lambda player: player.command("confirm", lag=60_000),
    lambda player: player.command("play", tribe=player.tribe, token=player.some_token(), hold=False, lag=60_000),
    lambda player: player.command("play", tribe=player.tribe, token=player.some_token(), hold=True, lag=60_000),
    lambda player: player.command("claim"),
    lambda player: player.command("say", phrase="good-luck"),
    lambda player: player.command("hello", seat="x" * 20),
    lambda player: player.command("ping"),
    lambda player: '{"type": "play", "id": 1',
)
"""Everything that a hostile player may send."""
