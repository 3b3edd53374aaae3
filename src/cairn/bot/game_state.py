"""The state of a game, built from the server's messages."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from cairn.game import Game


class MissedUpdate(Exception):
    """The bot missed an update, so it has to reload the game."""


class GameState:
    """The last known state of a game. The server is the authority."""

    def __init__(self) -> None:
        self._view: dict[str, Any] = {}
        self._heard = 0.0

    def hear(self, message: Mapping[str, Any]) -> None:
        """Apply a message from the socket. Messages that do not change the game are ignored."""
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
        ended = {name: update[name] for name in ("players", "proof", "start") if update.get(name)}
        self._view |= {"revision": update["revision"], "steps": steps, "now": update["now"], **ended}

    @property
    def view(self) -> Mapping[str, Any]:
        """The whole game, in the server's format."""
        return self._view

    @property
    def revision(self) -> int:
        """The revision of the game, which increases with every event."""
        return int(self._view["revision"])

    @property
    def rated(self) -> bool:
        """Whether the game is rated."""
        return bool(self._view["rated"])

    @property
    def variant(self) -> str:
        """The variant."""
        return str(self._view["variant"])

    @property
    def tokens(self) -> list[str]:
        """The tokens played so far."""
        return [step["token"] for step in self._view["steps"]]

    @property
    def tribe(self) -> str | None:
        """This bot's tribe; ``None`` if the bot is only watching."""
        you = self._view["you"]
        return you[0] if you else None

    @property
    def other(self) -> Mapping[str, Any]:
        """The opponent."""
        player: Mapping[str, Any] = self._view["players"]["sea" if self.tribe == "forest" else "forest"]
        return player

    @property
    def outcome(self) -> Mapping[str, Any] | None:
        """The outcome, if the game is over."""
        outcome: Mapping[str, Any] | None = self._view["now"]["outcome"]
        return outcome

    @property
    def is_asked(self) -> bool:
        """Whether this bot has to decide now, possibly during the opponent's turn. False while a turn is held."""
        now = self._view["now"]
        return self.outcome is None and now["held"] is None and now["decider"] == self.tribe and bool(now["choices"])

    @property
    def is_opponents(self) -> bool:
        """Whether the opponent has to decide now."""
        now = self._view["now"]
        return self.outcome is None and now["decider"] in ("forest", "sea") and now["decider"] != self.tribe

    @property
    def owes_link(self) -> bool:
        """Whether a sealed draw is waiting for a link from this bot."""
        return self.outcome is None and self.tribe in self._view["now"]["owed"]

    @property
    def choices(self) -> list[str]:
        """The legal tokens."""
        return [choice["token"] for choice in self._view["now"]["choices"]]

    @property
    def offer(self) -> str | None:
        """The opponent's open offer: ``draw`` or ``takeback``."""
        offers = (offer["what"] for offer in self._view["now"]["offers"] if offer["by"] != self.tribe)
        return next(offers, None)

    @property
    def clock(self) -> Mapping[str, Any] | None:
        """The clocks at the time of the last message."""
        clock: Mapping[str, Any] | None = self._view["now"]["clock"]
        return clock

    @property
    def waited(self) -> float:
        """Milliseconds since the last message about the game."""
        return (time.monotonic() - self._heard) * 1000

    def game(self) -> Game:
        """The game with its whole history, which matters for repetitions (G3)."""
        return Game(self._view["start"], self.tokens)
