"""Start and control a worker process. Restart a worker that has died, and attribute the crash to a player."""

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

# Pass sys.path as an argument, because an environment variable would also affect the engines.
BOOT: Final = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from cairn.arena.worker import main; main()"
START_S: Final = 120.0
"""How many seconds a worker may take to open all engines."""
ATTEMPTS: Final = 2
"""A player forfeits when the worker has died this many times in the same game while the player was thinking.

A single death may have another cause: for example, the system may have run out of memory.
"""


class _Died(Exception):
    """The worker has ended."""


class _Failed(Exception):
    """The worker died or hung during a game."""

    def __init__(self, forfeit: Forfeit) -> None:
        super().__init__(forfeit.sentence)
        self.forfeit: Final = forfeit


class WorkerProcess:
    """Plays games one at a time in a worker process."""

    def __init__(self, settings: ArenaSettings) -> None:
        self.settings: Final = settings
        self._closed = False
        self._start()

    def play(self, job: Job) -> GameResult:
        """Play a game. Raises :class:`ArenaError` if the worker cannot play, and ``EOFError`` if it was closed."""
        for attempt in range(1, ATTEMPTS + 1):
            game = start(self.settings.seed, job.pair)
            try:
                return self._play(job, game)
            except _Failed as failed:
                forfeit = failed.forfeit
            self._restart()
            if forfeit.kind == "time" or attempt == ATTEMPTS:
                return forfeited(job, game, self.settings.opening_plies, forfeit)
        raise AssertionError("unreachable: the last attempt returns")

    def _play(self, job: Job, game: Game) -> GameResult:
        """Let the worker play, and replay its tokens on ``game``."""
        thinker: int | None = None
        try:
            self._send(job.to_json())
            while True:
                event = self._receive(self.settings.patience_s)
                if "result" in event:
                    return GameResult.from_json(event["result"])
                thinker = int(event["thinking"])
                _follow(game, event["tokens"])
        except (TimeoutError, _Died) as error:
            if thinker is None and not self._closed:
                raise ArenaError(f"a worker failed before the game began: {error}") from None
            kind = "time" if isinstance(error, TimeoutError) else "crash"
            raise _Failed(Forfeit(thinker or 0, kind, str(error))) from None

    def end(self) -> None:
        """Kill the worker, even during a game. Any thread may call this method."""
        self._closed = True
        self._end_worker()

    def close(self) -> None:
        """Kill the worker and close its pipes. Only the thread that calls :meth:`play` may call this method."""
        self.end()
        self._close_pipes()

    def _start(self) -> None:
        # Use a separate session, so that Ctrl+C reaches only the arena, which then ends its workers.
        self._process = subprocess.Popen(  # noqa: S603  # this is the running Python
            [sys.executable, "-c", BOOT, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._buffer = b""
        if self._closed:
            self.close()
            raise EOFError("the worker was closed")
        try:
            self._send(self.settings.to_json())
            event = self._receive(START_S)
        except (_Died, TimeoutError) as error:
            self.close()
            raise ArenaError(f"could not start a worker: {error}") from None
        if "refused" in event:
            self.close()
            raise ArenaError(event["refused"])

    def _end_worker(self) -> None:
        """Kill the worker and its engines, which are in the same process group."""
        process = self._process
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def _restart(self) -> None:
        self._end_worker()
        self._close_pipes()
        if self._closed:
            raise EOFError("the worker was closed")
        self._start()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _send(self, data: dict[str, Any]) -> None:
        pipe = self._process.stdin
        if pipe is None:
            raise _Died("no input pipe")
        try:
            pipe.write(json.dumps(data).encode() + b"\n")
            pipe.flush()
        except OSError:
            raise _Died(self._exit_status()) from None

    def _receive(self, seconds: float) -> dict[str, Any]:
        """The next event. Raises ``TimeoutError`` if it does not arrive in time."""
        pipe = self._process.stdout
        if pipe is None:
            raise _Died("no output pipe")
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise TimeoutError(f"no answer for {seconds:g} s")
                more = pipe.read1(65536)  # type: ignore[attr-defined]  # Popen's pipes are BufferedReaders
                if not more:
                    raise _Died(self._exit_status())
                self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\n")
        data: dict[str, Any] = json.loads(line)
        return data

    def _exit_status(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        code = self._process.returncode
        return (
            f"its process was killed by signal {-code}" if code and code < 0 else f"its process ended with code {code}"
        )


def _follow(game: Game, tokens: str) -> None:
    """Play the tokens that the worker reported."""
    for token in tokens.split():
        game.push(token)
