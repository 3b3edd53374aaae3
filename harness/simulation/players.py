"""Honest players, who behave like the web app, and watchers."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import itertools
import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from cairn.bot.links import Links
from harness.simulation.instance import Instance
from harness.simulation.network import Cut, Line, Socket
from harness.simulation.referee import Referee

PATIENCE: Final = 3.0
"""Seconds to wait for an expected message before opening a new socket."""
SLOWEST_PAUSE: Final = 1.0
CLAIM_SECONDS: Final = 5.0
"""The minimum number of seconds between two claims by the same player."""
UNDOES: Final = 0.05
HOLDS: Final = 0.2
ANSWERS: Final = 0.3
"""The probability of answering an open offer, each time it is seen."""


@dataclasses.dataclass(frozen=True)
class Manner:
    """How a player behaves."""

    thinks: float
    """The mean time for a decision, in seconds."""
    resigns: float
    """The probability of resigning instead of deciding. Resignations keep many games short."""
    agrees: float
    """The probability of accepting an offer when answering it."""
    walks_away: float = 0.0
    """The probability of leaving the table for good instead of deciding."""
    claims: bool = False
    """Whether the player keeps trying to claim the win while the other player has to decide."""


@dataclasses.dataclass
class View:
    """A player's copy of the game, like the one that a web page keeps."""

    game: dict[str, Any]

    def apply(self, update: dict[str, Any]) -> bool:
        """Apply an update. Return false if it is based on another revision."""
        if update["base"] != self.game["revision"]:
            return False
        steps = [*self.game["steps"][: update["kept"]], *update["steps"]]
        start = update["start"] or self.game["start"]
        self.game = {**self.game, "revision": update["revision"], "steps": steps, "now": update["now"], "start": start}
        return True


class Player:
    """A person at a table, who has one socket at a time."""

    honest = True
    """Whether the referee checks that this player is treated fairly."""

    def __init__(
        self,
        name: str,
        line: Line,
        tribe: str,
        game: str,
        instances: Sequence[Instance],
        referee: Referee,
        manner: Manner,
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
        self._ids: Final = itertools.count()
        self._waiting: dict[str, Any] | None = None
        """The command that was sent but has not been answered yet. It is sent again on the next socket."""
        self._asked = 0.0
        self._sent_again = False
        self._claimed = 0.0
        self.manner: Final = manner
        self.faults_allowed: Callable[[], bool] = lambda: False
        """Whether a recent fault may still excuse errors and delays."""
        self.has_left = False
        """Whether this player has stopped making decisions, so that the clock must end the game."""
        self.walked_away = False
        self.links: Links | None = None
        """The links to reveal, in a game with sealed draws."""
        self._revealed: str | None = None
        """The last link that was sent on this socket."""

    async def run(self) -> None:
        """Play until the game is over."""
        pause = 0.05
        while not self.is_done():
            try:
                await self._session()
                pause = 0.05
            except (Cut, TimeoutError):
                pass
            finally:
                if self.socket:
                    self.socket.close()
                    self.socket = None
            if not self.is_done():
                await asyncio.sleep(pause * self.rng.uniform(0.5, 1.5))
                pause = min(2 * pause, SLOWEST_PAUSE)

    def is_done(self) -> bool:
        """Whether this player knows that the game is over, or has walked away."""
        return self.walked_away or (self.view is not None and self.view.game["now"]["outcome"] is not None)

    async def _session(self) -> None:
        living = [each for each in self._instances if each.alive]
        if not living:
            raise Cut("no server")
        socket = self.socket = await self.line.connect(self.rng.choice(living), f"/api/games/{self.game}/socket")
        self._revealed = None
        self.view = await self._first_view(socket)
        self._reveal(socket)
        if self._waiting:
            self.referee.counts["race: command sent again"] += 1
            self._sent_again = True
            self._send(socket, self._waiting)
        while not self.is_done():
            await self._turn(socket)

    async def _first_view(self, socket: Socket) -> View:
        """Wait for the first message with the whole game, and return the view."""
        while (message := await self._receive(socket, PATIENCE))["type"] != "game":
            pass
        self.referee.shown(self.game, message["game"])
        return View(message["game"])

    async def _turn(self, socket: Socket) -> None:
        """If it is this player's turn, make a decision; otherwise wait for messages."""
        assert self.view is not None
        now = self.view.game["now"]
        mine = (now["decider"] == self.tribe and now["held"] is None) or now["held"] == self.tribe
        if mine and self._may_decide():
            await self._listen(socket, self.rng.expovariate(1 / self.manner.thinks))
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
                self._claim(socket)

    def _may_decide(self) -> bool:
        return self._waiting is None and not self.has_left

    async def _listen(self, socket: Socket, seconds: float) -> None:
        """Handle messages for ``seconds``, or until the game changes."""
        assert self.view is not None
        before, until = self.view.game["now"], asyncio.get_running_loop().time() + seconds
        with contextlib.suppress(TimeoutError):
            while self.view.game["now"] is before:
                self._handle(await self._receive(socket, max(0.0, until - asyncio.get_running_loop().time())))
                self._reveal(socket)

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
                if self._waiting and self._sent_again and self._waiting["id"] == message["id"]:
                    self.referee.counts["race: command was stored before"] += 1
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
        kind = message["problem"]["kind"]
        self.referee.counts[f"refusal: {kind}"] += 1
        if self._waiting and self._waiting["id"] == message["id"]:
            command, self._waiting = self._waiting, None
            if not kind.startswith("storage"):
                self.referee.refused(self.game, kind, command["revision"], honest=self.honest)

    def _reveal(self, socket: Socket) -> None:
        """Reveal the link that a sealed draw is waiting for, as a client does automatically."""
        if self.links is None or self.view is None or self.has_left:
            return
        link = self.links.due({**self.view.game, "you": [self.tribe]})
        if link is not None and link != self._revealed:
            self._revealed = link
            self._send_link(socket, link)

    def _send_link(self, socket: Socket, link: str) -> None:
        self._send(socket, {"type": "reveal", "link": link, **self._stamp()})

    # --- Decisions

    def _decide(self, socket: Socket, now: dict[str, Any]) -> None:
        assert self.view is not None
        revision = self.view.game["revision"]
        draw = self.rng.random()
        if now["held"] == self.tribe:
            self._ask(socket, {"type": "confirm", "revision": revision})
        elif draw < self.manner.walks_away:
            self.walked_away = True
            self.referee.walked_away(self.game, self.tribe)
        elif draw < self.manner.walks_away + self.manner.resigns:
            self._send(socket, {"type": "resign", "id": self.next_id()})
        elif now["undo"]["step"] and self.rng.random() < UNDOES:
            self._ask(socket, {"type": "undo", "revision": revision})
        elif now["choices"]:
            token = self.rng.choice(now["choices"])["token"]
            hold = self.rng.random() < HOLDS
            self._ask(
                socket,
                {"type": "play", "revision": revision, "tribe": self.tribe, "token": token, "hold": hold},
            )

    def _answer_offer(self, socket: Socket, now: dict[str, Any]) -> bool:
        """Sometimes answer an offer from the other player. Return whether an answer was sent."""
        for offer in now["offers"]:
            if offer["by"] != self.tribe and self.rng.random() < ANSWERS:
                answer = "accept" if self.rng.random() < self.manner.agrees else "decline"
                self._send(socket, {"type": "answer", "answer": answer, **self._stamp()})
                return True
        return False

    def _claim(self, socket: Socket) -> None:
        now = asyncio.get_running_loop().time()
        if self.manner.claims and now - self._claimed > CLAIM_SECONDS:
            self._claimed = now
            self._send(socket, {"type": "claim", **self._stamp()})

    def next_id(self) -> str:
        """An id for the next command."""
        return f"{self.name}-{next(self._ids)}"

    def _stamp(self) -> dict[str, Any]:
        assert self.view is not None
        return {"id": self.next_id(), "revision": self.view.game["revision"]}

    def _ask(self, socket: Socket, command: dict[str, Any]) -> None:
        """Send a command. The player makes no other decision until the command is answered."""
        self._waiting, self._sent_again = {"id": self.next_id(), **command}, False
        self._send(socket, self._waiting)

    def _send(self, socket: Socket, command: dict[str, Any]) -> None:
        if command is self._waiting:
            self._asked = asyncio.get_running_loop().time()
        self.referee.counts[f"command: {command.get('answer', command['type'])}"] += 1
        socket.send(json.dumps(command))


class Watcher(Player):
    """A spectator, who must see the same game as the players."""

    async def _turn(self, socket: Socket) -> None:
        await self._listen(socket, PATIENCE)
