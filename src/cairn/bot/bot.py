"""A bot: listens to its events, accepts challenges, and has a player for each of its games."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from cairn.bot.agreement import Agreement
from cairn.bot.connection import Backoff, Refused, Server, Unreachable
from cairn.bot.player import GamePlayer
from cairn.bot.thinker import Thinker

Accepted: TypeAlias = Literal["rated", "any", "none"]
CLOSING_SECONDS: Final = 15.0


class BotError(Exception):
    """The bot cannot go on. The text is a sentence for people."""


@dataclasses.dataclass(frozen=True, slots=True)
class Wishes:
    """What a bot should do."""

    accept: Accepted = "any"
    """Which challenges it accepts. It plays every game in which it has a seat, however that began."""
    games: int | None = None
    """After so many games it ends; ``None`` never."""
    at_once: int = 4
    """While it plays so many games, it accepts no other."""


class Bot:
    """Plays on a server until it is told to stop."""

    def __init__(self, server: Server, thinker: Thinker, wishes: Wishes, log: Callable[[str], object]) -> None:
        self._server: Final = server
        self._thinker: Final = thinker
        self._wishes: Final = wishes
        self._log: Final = log
        self._players: Final[dict[str, GamePlayer]] = {}
        self._open: Final[dict[str, Mapping[str, Any]]] = {}
        """Challenges that could be accepted."""
        self._agreements: Final[dict[str, Agreement]] = {}
        self._asleep: Final = threading.Event()
        self._greeted = False

    def run(self) -> None:
        """Play; :class:`BotError` if that cannot go on."""
        backoff = Backoff()
        try:
            while not self._is_finished():
                try:
                    for event in self._server.events():
                        backoff.reset()
                        self._hear(event)
                        if self._is_finished():
                            break
                except Refused as error:
                    if error.is_final:
                        raise BotError(str(error)) from None
                    self._wait(backoff, error)
                except Unreachable as error:
                    self._wait(backoff, error)
        finally:
            self._leave()

    # --- Inside

    def _wait(self, backoff: Backoff, error: Exception) -> None:
        seconds = backoff.next()
        self._log(f"{error}; trying again in {seconds:.1f} s")
        self._asleep.wait(seconds)

    def _hear(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "hello":
                name = event["player"]["name"]
                self._log(f"{name} is {'back' if self._greeted else 'here'}, and plays with {self._thinker.name}")
                self._greeted = True
                self._open.clear()  # all that are still open are told again
            case "challenge":
                self._open[event["challenge"]["id"]] = event["challenge"]
            case "challenge-gone":
                self._open.pop(event["challenge"], None)
            case "game":
                self._play(event["game"]["id"])
        self._accept_some()

    def _play(self, game: str) -> None:
        known = self._players.get(game)
        if known is None or not (known.is_playing or known.is_over):
            player = GamePlayer(self._server, self._thinker, game, self._log, self._agreements.pop(game, None))
            self._players[game] = player
            player.start()

    def _accept_some(self) -> None:
        for challenge in list(self._open.values()):
            if self._has_time() and self._is_wanted(challenge):
                self._accept(challenge)
            elif not self._is_wanted(challenge):
                del self._open[challenge["id"]]

    def _is_wanted(self, challenge: Mapping[str, Any]) -> bool:
        return self._wishes.accept == "any" or (self._wishes.accept == "rated" and challenge["rated"])

    def _has_time(self) -> bool:
        playing = sum(player.is_playing for player in self._players.values())
        enough = self._wishes.games is not None and len(self._players) >= self._wishes.games
        return playing < self._wishes.at_once and not enough

    def _accept(self, challenge: Mapping[str, Any]) -> None:
        """Accept a challenge. If the answer is lost, the events tell whether the game has begun."""
        name = challenge["id"]
        del self._open[name]
        agreement = self._agreements.setdefault(name, Agreement.to(challenge["commitment"]))
        try:
            self._server.ask("POST", f"/api/challenges/{name}/accept", {"number": agreement.number})
        except (Refused, Unreachable) as error:
            self._log(f"challenge {name}: {error}")
            return
        self._log(f"challenge {name}: accepted, with the number {agreement.number}")
        self._play(name)  # a game has the id of its challenge

    def _is_finished(self) -> bool:
        for player in self._players.values():
            if player.failure:
                raise BotError(f"game {player.game} cannot be played on: {player.failure}")
        over = sum(player.is_over for player in self._players.values())
        playing = any(player.is_playing for player in self._players.values())
        return self._wishes.games is not None and over >= self._wishes.games and not playing

    def _leave(self) -> None:
        """Stop thinking and playing. Games that are not over stay as they are, and can be taken up again."""
        for player in self._players.values():
            player.leave()
        self._thinker.close()
        for player in self._players.values():
            player.join(CLOSING_SECONDS)
        unfinished = sum(not player.is_over for player in self._players.values())
        over = len(self._players) - unfinished
        rest = f"; {unfinished} go on when it is started again" if unfinished else ""
        self._log(f"the bot has ended: {over} games are over{rest}")
