"""The bot. It reads its event stream, accepts challenges, and runs a player for each game."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from cairn.bot.agreement import Agreement
from cairn.bot.connection import Backoff, Refused, Server, Unreachable
from cairn.bot.player import GamePlayer
from cairn.bot.thinker import Thinker
from cairn.messages import has, t

Accepted: TypeAlias = Literal["rated", "any", "none"]
CLOSING_SECONDS: Final = 15.0


class BotError(Exception):
    """The bot cannot continue. The message is for people."""


@dataclasses.dataclass(frozen=True, slots=True)
class BotOptions:
    """A bot's options."""

    accept: Accepted = "any"
    """The challenges to accept. The bot plays every game in which it has a seat, no matter how the game began."""
    games: int | None = None
    """The number of games after which the bot stops; ``None`` for no limit."""
    at_once: int = 4
    """The maximum number of games at a time."""


class Bot:
    """Plays on a server until the bot is stopped or has played enough games."""

    def __init__(self, server: Server, thinker: Thinker, options: BotOptions, log: Callable[[str], object]) -> None:
        self._server: Final = server
        self._thinker: Final = thinker
        self._options: Final = options
        self._log: Final = log
        self._players: Final[dict[str, GamePlayer]] = {}
        self._open: Final[dict[str, Mapping[str, Any]]] = {}
        """Open challenges, by id."""
        self._agreements: Final[dict[str, Agreement]] = {}
        self._sleep: Final = threading.Event()
        self._greeted = False

    def run(self) -> None:
        """Play until the bot is finished. Raises :class:`BotError` if it cannot continue."""
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
                        key = f"cli.refused.{error.kind}"
                        raise BotError(t(key) if has(key) else str(error)) from None
                    self._wait(backoff, error)
                except Unreachable as error:
                    self._wait(backoff, error)
        finally:
            self._leave()

    def _wait(self, backoff: Backoff, error: Exception) -> None:
        seconds = backoff.next()
        self._log(t("cli.bot.retry", why=error, seconds=f"{seconds:.1f}"))
        self._sleep.wait(seconds)

    def _hear(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "hello":
                name = event["player"]["name"]
                again = "yes" if self._greeted else "no"
                self._log(t("cli.bot.connected", again=again, name=name, engine=self._thinker.name))
                self._greeted = True
                self._open.clear()  # the server sends all open challenges again
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
        return self._options.accept == "any" or (self._options.accept == "rated" and challenge["rated"])

    def _has_time(self) -> bool:
        playing = sum(player.is_playing for player in self._players.values())
        enough = self._options.games is not None and len(self._players) >= self._options.games
        return playing < self._options.at_once and not enough

    def _accept(self, challenge: Mapping[str, Any]) -> None:
        """Accept a challenge. If the response is lost but the game has begun, an event will report the game."""
        name = challenge["id"]
        del self._open[name]
        agreement = self._agreements.setdefault(name, Agreement.to(challenge))
        try:
            self._server.ask("POST", f"/api/challenges/{name}/accept", _acceptance(agreement))
        except (Refused, Unreachable) as error:
            self._log(t("cli.bot.challenge", id=name, what=error))
            return
        self._log(t("cli.bot.challenge", id=name, what=t("cli.bot.accepted", number=agreement.number)))
        self._play(name)  # a game has the same id as its challenge

    def _is_finished(self) -> bool:
        for player in self._players.values():
            if player.failure:
                raise BotError(t("cli.bot.failed", id=player.game, why=player.failure))
        over = sum(player.is_over for player in self._players.values())
        playing = any(player.is_playing for player in self._players.values())
        return self._options.games is not None and over >= self._options.games and not playing

    def _leave(self) -> None:
        """Stop all searches and players. Unfinished games continue when the bot is started again."""
        for player in self._players.values():
            player.leave()
        self._thinker.close()
        for player in self._players.values():
            player.join(CLOSING_SECONDS)
        unfinished = sum(not player.is_over for player in self._players.values())
        over = len(self._players) - unfinished
        self._log(t("cli.bot.stopped", over=over, rest=unfinished))


def _acceptance(agreement: Agreement) -> dict[str, object]:
    """The body of the request that accepts a challenge."""
    return {"number": agreement.number, **({"sealed": True} if agreement.links else {})}
