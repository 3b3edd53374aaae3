"""An engine in another program, driven through the engine protocol."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from cairn.engine.engine import Analysis, Engine, IllegalPlayError, Line, Played, require_decision
from cairn.engine.info import Info, read_info
from cairn.engine.limits import NO_LIMIT, Limit
from cairn.engine.process import LineProcess
from cairn.engine.score import Score
from cairn.engine.stopper import OneAtATime, Stopper
from cairn.game import Game
from cairn.notation import read_token
from cairn.vocabulary import TRIBES, Token

MULTI_LINE: Final = "MultiPV"
CLOCKS: Final = "Ponder"
"""A program that has this option understands clocks. Any other program gets a time for each decision."""


class ExternalEngine(Engine):
    """Drives a program with the commands ``cep``, ``setoption``, ``position``, ``go``, ``stop`` and ``quit``.

    Raises :class:`~cairn.engine.EngineError` and closes the engine if the program does not start, dies, does not
    answer, breaks the protocol or plays an illegal token.

    >>> import sys
    >>> command = [sys.executable, "-c", "from cairn.cli import main; main()", "engine"]
    >>> with ExternalEngine(command, {"Level": 2, "Seed": 1}) as engine:
    ...     engine.name, engine.play(Game.start("beginner", seed=1), Limit(movetime_ms=500)).depth
    ('Cairn', 2)
    """

    def __init__(
        self,
        command: Sequence[str],
        options: Mapping[str, str | int] | None = None,
        *,
        timeout: float = 10.0,
        patience: float = math.inf,
    ) -> None:
        """Start ``command`` and set ``options``.

        ``timeout`` is the time limit for answers that need no search, in seconds. A search may exceed ``movetime`` by
        the same amount. ``patience`` is the time limit for a search without ``movetime``.
        """
        if not command:
            raise ValueError("the command is empty")
        self._timeout: Final = timeout
        self._patience: Final = patience
        self._searches: Final = OneAtATime()
        self._closed = False
        self._name = command[0]
        self._options: Final[set[str]] = set()
        self._lines = 1
        self._process: Final = LineProcess(command)
        with self._closing_on_failure():
            self._handshake()
            for name, value in (options or {}).items():
                self._set(name, value)
            self._await_ready()

    @property
    def name(self) -> str:
        """The name that the program reports."""
        return self._name

    def play(self, game: Game, limit: Limit = NO_LIMIT, stopper: Stopper | None = None) -> Played:
        """Let the program choose a token, and check that it is legal.

        If there is neither a limit nor a ``stopper``, the program uses its default limit.
        """
        require_decision(game)
        words = "" if limit.is_endless and stopper is None else limit.words
        found: list[Analysis] = []
        token = self._think(game, limit, words, 1, stopper or Stopper(), found.append)
        last = next((each for each in reversed(found) if each.best.token == token), None)
        nodes = found[-1].nodes if found else 0
        if last is None:
            return Played(token, found[-1].best.score if found else Score(0), 0, nodes, (token,))
        return Played(token, last.best.score, last.depth, nodes, last.best.tokens)

    def search(
        self, game: Game, limit: Limit, lines: int, stopper: Stopper, report: Callable[[Analysis], object]
    ) -> None:
        """Let the program search, and report its results."""
        require_decision(game)
        told: list[Analysis] = []

        def tell(analysis: Analysis) -> None:
            told.append(analysis)
            report(analysis)

        token = self._think(game, limit, limit.words, lines, stopper, tell)
        if not told:
            report(Analysis(0, 0, 0, (Line(Score(0), (token,)),)))

    def new_game(self) -> None:
        """Tell the program that a new game is starting."""
        with self._searches.running(), self._closing_on_failure():
            self._process.send("newgame")
            self._await_ready()

    def close(self) -> None:
        """Send ``quit`` to the program, and kill it if it does not end in time."""
        self._searches.stop_and_wait(self._timeout)
        if not self._closed:
            self._closed = True
            self._process.send("quit")
            self._process.close(self._timeout)

    def _think(
        self, game: Game, limit: Limit, words: str, lines: int, stopper: Stopper, report: Callable[[Analysis], object]
    ) -> Token:
        if limit.clock and CLOCKS.lower() not in self._options:
            _, wanted_ms = limit.budget(TRIBES[game.board.decider_number])
            limit = dataclasses.replace(limit, clock=None, movetime_ms=min(wanted_ms, limit.movetime_ms or wanted_ms))
            words = limit.words
        moves = " ".join(map(str, game.tokens))
        wanted = min(lines, len(game.legal_moves))
        with self._searches.running(stopper), self._closing_on_failure():
            if lines != self._lines:
                self._set(MULTI_LINE, lines)
                self._lines = lines
            self._process.send(f"position {game.start_text} moves {moves}" if moves else f"position {game.start_text}")
            self._await_ready()  # raises an error if the position was rejected
            self._process.send(f"go {words}".rstrip())
            with stopper.calling(lambda: self._process.send("stop")):
                return self._read_search(game, limit, wanted, stopper, report)

    def _read_search(
        self, game: Game, limit: Limit, wanted: int, stopper: Stopper, report: Callable[[Analysis], object]
    ) -> Token:
        began = time.monotonic()
        most_ms, _ = limit.budget(TRIBES[game.board.decider_number])
        if limit.clock:  # another program may use more of its clock at once than this one would
            most_ms = max(limit.clock.forest_ms, limit.clock.sea_ms)
        seconds = most_ms / 1000 + self._timeout if most_ms else self._patience

        def deadline() -> float:
            told = stopper.stopped_at
            return began + seconds if told is None else min(began + seconds, max(told, began) + self._timeout)

        gathered: list[Info] = []
        while True:
            keyword, _, rest = self._read_line(deadline, "go").partition(" ")
            if keyword == "bestmove":
                return self._best(game, rest)
            if keyword != "info":
                continue  # ignore unknown output
            info = self._read_info(rest, game)
            if info is None:
                continue
            if info.rank == 1:
                gathered = []
            if info.rank == len(gathered) + 1 and info.rank <= wanted:
                gathered.append(info)
                if info.rank == wanted:
                    report(Analysis(info.depth, info.nodes, info.time_ms, tuple(each.line for each in gathered)))

    def _best(self, game: Game, text: str) -> Token:
        text = text.partition(" ponder ")[0]
        try:
            token = read_token(text)
        except ValueError:
            raise self._process.failure(f"broke the protocol: bestmove {text[:40]!r} is not a token") from None
        if token not in game.legal_moves:
            raise self._process.failure(
                f"played {text!r}, which is not legal now ({game.board.text})", IllegalPlayError
            )
        return token

    def _read_info(self, text: str, game: Game) -> Info | None:
        try:
            return read_info(text, game.board)
        except ValueError as error:
            raise self._process.failure(f"broke the protocol: info {text[:80]!r}: {error}") from None

    def _handshake(self) -> None:
        self._process.send("cep")
        deadline = self._soon()
        while (line := self._read_line(deadline, "cep")) != "cepok":
            if line.startswith("id name "):
                self._name = line.removeprefix("id name ").strip()
            elif line.startswith("option name "):
                self._options.add(line.removeprefix("option name ").partition(" type ")[0].lower())

    def _set(self, name: str, value: str | int) -> None:
        if name.lower() not in self._options:
            raise self._process.failure(f"has no option {name!r}")
        self._process.send(f"setoption name {name} value {value}")

    def _await_ready(self) -> None:
        self._process.send("isready")
        deadline = self._soon()
        while self._read_line(deadline, "isready") != "readyok":
            pass

    def _soon(self) -> Callable[[], float]:
        deadline = time.monotonic() + self._timeout
        return lambda: deadline

    def _read_line(self, deadline: Callable[[], float], awaited: str) -> str:
        line = self._process.read_line(deadline, awaited)
        if re.match("error( |$)", line):
            raise self._process.failure(f"answered: {line[:200]}")
        return line

    @contextlib.contextmanager
    def _closing_on_failure(self) -> Iterator[None]:
        """End the program after a failure, because its state is unknown."""
        if self._closed:
            raise self._process.failure("is closed")
        try:
            yield
        except BaseException:
            self._closed = True
            self._process.close(0)
            raise
