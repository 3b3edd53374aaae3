"""A game as the server tells it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from cairn.game import Game


class MissedUpdate(Exception):
    """Something was missed: the whole game has to be fetched."""


class GameState:
    """The last that was heard of a game. The server decides everything; this only follows."""

    def __init__(self) -> None:
        self._view: dict[str, Any] = {}
        self._heard = 0.0

    def hear(self, message: Mapping[str, Any]) -> None:
        """Follow a message of the socket; those that are not about the state of the game are passed over."""
        match message["type"]:
            case "game":
                self._view = dict(message["game"])
            case "update":
                self._follow(message["update"])
            case _:
                return
        self._heard = time.monotonic()

    def _follow(self, update: Mapping[str, Any]) -> None:
        if update["revision"] <= self.revision:
            return
        if update["base"] != self.revision:
            raise MissedUpdate
        steps = [*self._view["steps"][: update["kept"]], *update["steps"]]
        ended = {name: update[name] for name in ("players", "proof") if update.get(name)}
        self._view |= {"revision": update["revision"], "steps": steps, "now": update["now"], **ended}

    @property
    def revision(self) -> int:
        """Grows with everything that happens."""
        return int(self._view["revision"])

    @property
    def rated(self) -> bool:
        """Whether ratings depend on it."""
        return bool(self._view["rated"])

    @property
    def variant(self) -> str:
        """Which game it is."""
        return str(self._view["variant"])

    @property
    def tokens(self) -> list[str]:
        """Everything played so far."""
        return [step["token"] for step in self._view["steps"]]

    @property
    def tribe(self) -> str | None:
        """The tribe that one plays; ``None`` for who only watches."""
        you = self._view["you"]
        return you[0] if you else None

    @property
    def other(self) -> Mapping[str, Any]:
        """The other player."""
        player: Mapping[str, Any] = self._view["players"]["sea" if self.tribe == "forest" else "forest"]
        return player

    @property
    def outcome(self) -> Mapping[str, Any] | None:
        """How it ended."""
        outcome: Mapping[str, Any] | None = self._view["now"]["outcome"]
        return outcome

    @property
    def is_asked(self) -> bool:
        """Whether one is to decide now, also inside the other's turn. A turn that the other holds is not over yet."""
        now = self._view["now"]
        return self.outcome is None and now["held"] is None and now["decider"] == self.tribe and bool(now["choices"])

    @property
    def choices(self) -> list[str]:
        """What can be played now."""
        return [choice["token"] for choice in self._view["now"]["choices"]]

    @property
    def offer(self) -> str | None:
        """What the other player asks for: ``draw`` or ``takeback``."""
        offers = (offer["what"] for offer in self._view["now"]["offers"] if offer["by"] != self.tribe)
        return next(offers, None)

    @property
    def clock(self) -> Mapping[str, Any] | None:
        """The clocks, as they stood when they were last told."""
        clock: Mapping[str, Any] | None = self._view["now"]["clock"]
        return clock

    @property
    def waited(self) -> float:
        """How many milliseconds ago that was."""
        return (time.monotonic() - self._heard) * 1000

    def game(self) -> Game:
        """The game, to think about: with its whole past, since repetitions count (G3)."""
        return Game(self._view["start"], self.tokens)
