"""Play one game to its end, despite lost connections and server restarts.

Every command id is an idempotency key, derived from the revision to which the command refers. If the answer to a
command is lost, the bot sends the command again with the same id, and the server executes it only once.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from websockets.sync.client import ClientConnection

from cairn.bot.agreement import Agreement, check_draws
from cairn.bot.connection import CONNECTION_LOST, Backoff, Refused, Server, Unreachable
from cairn.bot.game_state import GameState, MissedUpdate
from cairn.bot.links import DeceivedError
from cairn.bot.thinker import Closed, Thinker
from cairn.bot.timing import is_real_time, thinking_limit
from cairn.engine import Limit
from cairn.messages import reason_key, t
from cairn.vocabulary import CHANCE, Tribe

LISTEN_SECONDS: Final = 0.5
"""How many seconds to wait for a message before checking whether the bot is stopping."""
MOST_LAG: Final = 60_000
UNKNOWN_GAME: Final = 4404


class _Resync(Exception):
    """The server refused the command. Reconnect and reload the game."""


class GamePlayer:
    """Plays one game in its own thread."""

    def __init__(
        self,
        server: Server,
        thinker: Thinker,
        game: str,
        log: Callable[[str], object],
        agreement: Agreement | None = None,
    ) -> None:
        self.game: Final = game
        self.is_over = False
        self.failure: Exception | None = None
        """The error that stopped the player before the end of the game."""
        self._server: Final = server
        self._thinker: Final = thinker
        self._tell: Final = log
        self._agreement: Final = agreement
        self._leaving: Final = threading.Event()
        self._backoff: Final = Backoff()
        self._state = GameState()
        self._greeted = False
        self._pending: dict[str, Any] | None = None
        """The last command. It remains valid as long as the game stays at the command's revision."""
        self._sent = False
        """Whether the pending command was sent on the current socket."""
        self._expected: list[str] = []
        """The tokens of the game and of the line that the engine expected after its last choice."""
        self._pondered = -1
        """The last revision during which the engine began to ponder."""
        self._link: str | None = None
        """The last link that was sent on the current socket."""
        self._objections: list[str] = []
        """The differences between the game and the accepted challenge."""
        self._thread: Final = threading.Thread(target=self._run, name=f"game {game}", daemon=True)

    def start(self) -> None:
        """Start playing."""
        self._thread.start()

    @property
    def is_playing(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()

    def leave(self) -> None:
        """Stop playing. The game itself continues."""
        self._leaving.set()

    def join(self, seconds: float) -> None:
        """Wait for the thread to end."""
        self._thread.join(seconds)

    def _log(self, sentence: str) -> None:
        self._tell(t("cli.bot.game", id=self.game, what=sentence))

    def _run(self) -> None:
        try:
            while not self._leaving.is_set() and not self.is_over:
                self._play_connected()
        except Closed:
            pass
        except Exception as error:  # noqa: BLE001  # the bot reports it and stops
            if not self._leaving.is_set():  # Ctrl+C also ends an external engine
                self.failure = error

    def _play_connected(self) -> None:
        """Play until the connection is lost."""
        reason = ""
        try:
            with self._server.socket(self.game) as socket:
                self._sent, self._link = False, None
                self._listen(socket)
                while not self._leaving.is_set() and not self.is_over:
                    self._act(socket)
                    if not self.is_over:
                        self._ponder()
                        self._hear(socket, LISTEN_SECONDS)
            return
        except CONNECTION_LOST as error:
            if getattr(getattr(error, "rcvd", None), "code", None) == UNKNOWN_GAME:
                raise
            reason = t("cli.bot.lost", error=type(error).__name__)
        except (MissedUpdate, _Resync) as error:
            reason = str(error) or t("cli.bot.missed")
        self._thinker.stop_pondering()
        if not self.is_over:
            seconds = self._backoff.next()
            self._log(t("cli.bot.retry", why=reason, seconds=f"{seconds:.1f}"))
            self._leaving.wait(seconds)

    def _listen(self, socket: ClientConnection) -> None:
        """Receive the game, and check that this bot has a seat in it."""
        self._state.hear(json.loads(socket.recv(timeout=20)))
        if self._state.tribe is None:
            raise Refused(403, "not-your-seat", t("cli.bot.no-seat"))
        if not self._greeted:
            self._greeted = True
            name = self._state.other["name"]
            begins = t(
                "cli.bot.begins",
                variant=self._state.variant,
                rated="yes" if self._state.rated else "no",
                tribe=self._state.tribe,
                guest="no" if name else "yes",
                name=name,
            )
            self._log(begins)
            self._objections = self._agreement.objections(self._state.view) if self._agreement else []
            for objection in self._objections:
                self._log(t("cli.bot.warning", text=objection))
        elif self._state.outcome is None:
            self._log(t("cli.bot.reconnected", n=self._state.revision))

    def _hear(self, socket: ClientConnection, seconds: float) -> None:
        """Process all waiting messages, or wait up to ``seconds`` for one."""
        while True:
            try:
                message = json.loads(socket.recv(timeout=seconds))
            except TimeoutError:
                return
            before = self._state.revision
            self._state.hear(message)
            if self._state.revision != before:
                self._backoff.reset()
            if message["type"] == "refused" and self._pending and message["id"] == self._pending["id"]:
                self._pending = None
                raise _Resync(t("cli.bot.refused", why=message["problem"]["sentence"]))
            seconds = 0

    def _act(self, socket: ClientConnection) -> None:
        """Send the command that is due, if any."""
        state = self._state
        if state.outcome is not None:
            self._finish(state.outcome)
            return
        if state.owes_link:
            self._reveal(socket)
        if self._pending is None or self._pending["revision"] != state.revision:
            self._pending = None
            if state.offer:
                self._pending = self._answer(state.offer)
            elif state.is_asked:
                self._pending = self._choose(socket)
            self._sent = False
        if self._pending and not self._sent:
            socket.send(json.dumps(self._pending))
            self._sent = True

    def _reveal(self, socket: ClientConnection) -> None:
        """Send the link that a sealed draw is waiting for, unless that would let the server know a draw in advance."""
        links = self._agreement.links if self._agreement else None
        try:
            if links is None:
                raise DeceivedError("the bot was restarted after it accepted this game, so it no longer has the links")
            if self._objections:
                raise DeceivedError("the game differs from the accepted challenge")
            link = links.due(self._state.view)
        except DeceivedError as error:
            if self._link != "":
                self._log(t("cli.bot.warning", text=t("cli.bot.no-link", why=error)))
            self._link = ""
            return
        if link is not None and link != self._link:
            lag = min(MOST_LAG, round(socket.latency * 1000))
            socket.send(json.dumps(self._command("reveal", link=link, lag=lag)))
            self._link = link

    def _choose(self, socket: ClientConnection) -> dict[str, Any] | None:
        """Return a command with the engine's token; ``None`` if the game has changed in the meantime."""
        state = self._state
        tokens = state.tokens
        token = state.choices[0]
        if len(state.choices) > 1:
            played = self._thinker.choose(state.game(), self._limit)
            token = str(played.token)
            self._expected = [*tokens, *map(str, played.line)]
        if self._leaving.is_set():
            return None
        self._hear(socket, 0)
        if state.tokens != tokens or not state.is_asked or state.offer:
            return None
        lag = min(MOST_LAG, round(socket.latency * 1000))
        return self._command("play", tribe=state.tribe, token=token, lag=lag)

    def _answer(self, offer: str) -> dict[str, Any]:
        """Accept a draw if the expected score is below ½. Accept takebacks in games that are not rated."""
        if offer == "draw":
            expected = self._thinker.expected(self._state.game(), Tribe(self._state.tribe), self._limit)
            answer = "accept" if expected < 0.5 else "decline"
            said = t("cli.bot.answer", answer=answer)
            self._log(t("cli.bot.draw-offer", expected=f"{expected:.2f}", answer=said))
        else:
            answer = "decline" if self._state.rated else "accept"
            self._log(t("cli.bot.takeback", answer=t("cli.bot.answer", answer=answer)))
        return self._command("answer", answer=answer)

    def _command(self, kind: str, **more: object) -> dict[str, Any]:
        revision = self._state.revision
        return {"type": kind, "id": f"{kind}-{revision}", "revision": revision, **more}

    def _limit(self) -> Limit:
        assert self._state.tribe  # noqa: S101  # checked when the game was received
        return thinking_limit(self._state.clock, self._state.tribe, self._state.waited)

    def _ponder(self) -> None:
        """Think while the opponent thinks, once for each revision.

        The engine searches the position after the reply that it expects. If its last line does not reach that far, for
        example after a draw, it searches the position in which the opponent decides.
        """
        state = self._state
        if state.revision == self._pondered or not is_real_time(state.clock) or not state.is_opponents:
            return
        self._pondered = state.revision
        game = state.game()
        played = len(state.tokens)
        if self._expected[:played] == state.tokens and len(self._expected) > played:
            game.push(self._expected[played])
        if game.outcome is None and game.decider is not CHANCE:
            self._thinker.ponder(game)

    def _finish(self, outcome: Mapping[str, Any]) -> None:
        winner = outcome["winner"]
        result = "drawn" if winner is None else "won" if winner == self._state.tribe else "lost"
        self._log(t("cli.bot.result", result=result, reason=t("cli.reason", reason=reason_key(outcome["reason"]))))
        self.is_over = True
        self._thinker.stop_pondering()
        try:
            record = self._server.ask("GET", f"/api/games/{self.game}/record")
        except (Refused, Unreachable) as error:
            self._log(t("cli.bot.unchecked", why=error))
        else:
            self._log(check_draws(record, self._state.tribe or "", self._agreement))
