"""A seat of the arena: the near end of a worker process. It survives its worker and says who took it down."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from typing import Any, Final

from cairn.arena.result import Forfeit, GameResult, forfeited
from cairn.arena.settings import ArenaError, ArenaSettings, Job
from cairn.arena.start import start
from cairn.game import Game

# The worker finds modules where this process does; in the environment that would reach the engines it starts too.
BOOT: Final = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from cairn.arena.worker import main; main()"
START_S: Final = 120.0
"""How long a worker may take to open all engines."""
ATTEMPTS: Final = 2
"""A game whose worker died is played again, in case a person or the system ended it; then the player is to blame."""


class _Died(Exception):
    """The worker is gone."""


class _Failed(Exception):
    """A game ended with its worker."""

    def __init__(self, forfeit: Forfeit) -> None:
        super().__init__(forfeit.sentence)
        self.forfeit: Final = forfeit


class WorkerProcess:
    """Plays one game after the other in a worker process."""

    def __init__(self, settings: ArenaSettings) -> None:
        self.settings: Final = settings
        self._closed = False
        self._start()

    def play(self, job: Job) -> GameResult:
        """Play a game; :class:`ArenaError` if that is impossible, ``EOFError`` if the seat was ended meanwhile."""
        for attempt in range(1, ATTEMPTS + 1):
            game = start(self.settings.seed, job.pair)
            try:
                return self._play(job, game)
            except _Failed as failed:
                forfeit = failed.forfeit
            self._restart()
            if forfeit.kind == "time" or attempt == ATTEMPTS:
                return forfeited(job, game, self.settings.opening_plies, forfeit)
        raise AssertionError("the last attempt returns")

    def _play(self, job: Job, game: Game) -> GameResult:
        """Let the worker play, and follow on ``game`` how far it gets."""
        thinker: int | None = None
        try:
            self._send(job.to_json())
            while True:
                told = self._hear(self.settings.patience_s)
                if "result" in told:
                    return GameResult.from_json(told["result"])
                thinker = int(told["thinking"])
                _follow(game, told["tokens"])
        except (TimeoutError, _Died) as error:
            if thinker is None and not self._closed:
                raise ArenaError(f"a worker failed before anybody played: {error}") from None
            kind = "time" if isinstance(error, TimeoutError) else "crash"
            raise _Failed(Forfeit(thinker or 0, kind, str(error))) from None

    def end(self) -> None:
        """End the worker, even in the middle of a game. Any thread may call it."""
        self._closed = True
        self._end_worker()

    def close(self) -> None:
        """End the worker and forget it. The thread that plays calls it."""
        self.end()
        self._close_pipes()

    def _start(self) -> None:
        # Its own session: Ctrl-C is for the arena, which then closes its seats.
        self._process = subprocess.Popen(  # noqa: S603  # it is this very Python
            [sys.executable, "-c", BOOT, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._heard = b""
        if self._closed:
            self.close()
            raise EOFError("the seat was closed")
        try:
            self._send(self.settings.to_json())
            told = self._hear(START_S)
        except (_Died, TimeoutError) as error:
            self.close()
            raise ArenaError(f"a worker does not start: {error}") from None
        if "refused" in told:
            self.close()
            raise ArenaError(told["refused"])

    def _end_worker(self) -> None:
        """End the worker and, since it leads its own process group, the engines that it started."""
        process = self._process
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def _restart(self) -> None:
        self._end_worker()
        self._close_pipes()
        if self._closed:
            raise EOFError("the seat was closed")
        self._start()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _send(self, data: dict[str, Any]) -> None:
        pipe = self._process.stdin
        if pipe is None:
            raise _Died("it has no input")
        try:
            pipe.write(json.dumps(data).encode() + b"\n")
            pipe.flush()
        except OSError:
            raise _Died(self._last_words()) from None

    def _hear(self, seconds: float) -> dict[str, Any]:
        """The next line; ``TimeoutError`` if none comes in time."""
        pipe = self._process.stdout
        if pipe is None:
            raise _Died("it has no output")
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._heard:
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise TimeoutError(f"silent for {seconds:g} s")
                more = pipe.read1(65536)  # type: ignore[attr-defined]  # a pipe of Popen is a BufferedReader
                if not more:
                    raise _Died(self._last_words())
                self._heard += more
        line, _, self._heard = self._heard.partition(b"\n")
        data: dict[str, Any] = json.loads(line)
        return data

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        code = self._process.returncode
        return f"its process ended by signal {-code}" if code and code < 0 else f"its process ended with code {code}"


def _follow(game: Game, tokens: str) -> None:
    """Bring the game to where the worker's stands."""
    for token in tokens.split():
        game.push(token)
