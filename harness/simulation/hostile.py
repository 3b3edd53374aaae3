"""Hostile players, who sometimes play a move and otherwise send the commands in their program."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.simulation.network import Socket
from harness.simulation.players import Player
from harness.simulation.programs import COMMANDS, Program

STALE: Final = 0.1
"""The probability that a command contains a revision other than the last one seen."""
LAG: Final = 60_000
"""The lag that hostile players report, in milliseconds."""


class Hostile(Player):
    """A player who sometimes plays a move, and floods the game with commands from a program."""

    honest = False

    def __init__(self, *arguments: Any, program: Program) -> None:
        super().__init__(*arguments)
        self.program: Final = program
        self._withheld: str | None = None

    async def run(self) -> None:
        """Play and send the flood of commands until the game is over."""
        flood = asyncio.create_task(self._flood())
        try:
            await super().run()
        finally:
            flood.cancel()
            await asyncio.gather(flood, return_exceptions=True)

    def _decide(self, socket: Socket, now: dict[str, Any]) -> None:
        if self.rng.random() < self.program.plays:
            super()._decide(socket, now)

    def _send_link(self, socket: Socket, link: str) -> None:
        """Sometimes send a wrong link, and then withhold the right one for the rest of the game."""
        if self._withheld is None and self.rng.random() < self.program.plays:
            super()._send_link(socket, link)
        else:
            self._withheld = link
            self.referee.counts["hostile command: withhold a link"] += 1
            super()._send_link(socket, "00" * 32)

    async def _flood(self) -> None:
        while True:
            await asyncio.sleep(self.rng.expovariate(self.program.rate))
            if self.socket is not None and self.view is not None and not self.has_left:
                (name,) = self.rng.choices(COMMANDS, self.program.weights)
                self.referee.counts[f"hostile command: {name}"] += 1
                self.socket.send(WRITERS[name](self))

    def command(self, kind: str, **fields: Any) -> str:
        """A command with a revision, usually the last one seen."""
        stamp = self._stamp()
        if self.rng.random() < STALE:
            stamp["revision"] = self.rng.choice((0, max(0, stamp["revision"] - 1), stamp["revision"] + 1, 10**6))
        return json.dumps({"type": kind, **stamp, **fields})

    def play(self, *, hold: bool) -> str:
        """A command to play a legal token, a previously played one, or nonsense; with ``hold``, legal if possible."""
        assert self.view is not None
        choices = [choice["token"] for choice in self.view.game["now"]["choices"]]
        played = [step["token"] for step in self.view.game["steps"]]
        tokens = choices if choices and hold else [*choices, *played[-3:], "a1-a2"]
        token = self.rng.choice(tokens)
        return self.command("play", tribe=self.tribe, token=token, hold=hold, lag=LAG)

    def play_or_undo(self) -> str:
        """A command to undo the last token if possible, otherwise to play one."""
        assert self.view is not None
        if self.view.game["now"]["undo"]["step"]:
            return self.command("undo", scope="step")
        return self.play(hold=True)


WRITERS: Final[Mapping[str, Callable[[Hostile], str]]] = {
    "offer to take a step back": lambda player: player.command("offer", what="takeback", scope="step"),
    "offer to take a turn back": lambda player: player.command("offer", what="takeback", scope="turn"),
    "offer a draw": lambda player: player.command("offer", what="draw"),
    "withdraw": lambda player: player.command("answer", answer="withdraw"),
    "decline": lambda player: player.command("answer", answer="decline"),
    "accept": lambda player: player.command("answer", answer="accept"),
    "undo a step": lambda player: player.command("undo", scope="step"),
    "undo a turn": lambda player: player.command("undo", scope="turn"),
    "confirm": lambda player: player.command("confirm", lag=LAG),
    "play": lambda player: player.play(hold=False),
    "play and hold": lambda player: player.play(hold=True),
    "play or undo": Hostile.play_or_undo,
    "claim": lambda player: player.command("claim"),
    "say": lambda player: json.dumps({"type": "say", "id": player.next_id(), "phrase": "good-luck"}),
    "hello": lambda player: json.dumps({"type": "hello", "id": player.next_id(), "seat": "x" * 43}),
    "ping": lambda player: json.dumps({"type": "ping", "id": player.next_id()}),
    "garbage": lambda player: '{"type": "play", "id": 1',
}
"""The function that builds the message for each of the :data:`COMMANDS`."""
