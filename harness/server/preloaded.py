"""Starts Python commands from a process that has already imported their modules.

The imports take about a second of CPU time. The fork server of :mod:`multiprocessing` does them only once for each
test process, and every command runs in a fork of that server.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import inspect
import io
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing import reduction, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, AnyStr, Final, NoReturn

MODULES: Final = (
    *("harness.server.preloaded", "harness.attacks.floods"),
    *("cairn.cli.app", "cairn.cli.screen", "cairn.bot", "cairn.engine"),
    *("cairn.server.run.serve", "cairn.server.run.direct_protocol", "cairn.server.storage.engines.postgres"),
    *("cairn.server.speedups.gc_schedule", "cairn.server.speedups.uvicorn_protocol"),
    # A server imports these only when it starts.
    *("alembic.command", "alembic.config", "alembic.script", "sqlalchemy.dialects.sqlite", "typer._adapters"),
    *("httpcore", "mako.ext.pygmentplugin", "pygments.lexers.web", "pygments.formatters.html", "uvicorn.lifespan.off"),
    *("uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto"),
)
fork_server: Final = multiprocessing.get_context("forkserver")
fork_server.set_forkserver_preload(list(MODULES))

_PR_SET_PDEATHSIG: Final = 1
_NOT_SUPPORTED: Final = ("executable", "preexec_fn", "pass_fds", "startupinfo", "shell", "gid", "gids", "uid")


class PreloadedPopen(subprocess.Popen[AnyStr]):
    """A :class:`subprocess.Popen` for Python commands that runs them in a fork of the fork server.

    The command is this Python interpreter with ``-c CODE``, ``-m MODULE`` or a script, or just a Python script such as
    ``cairn``. It is killed when the process that started it ends. Two things differ from a new process: changes to
    ``PYTHON*`` variables other than ``PYTHONUNBUFFERED`` have no effect, and modules are found on the ``sys.path`` of
    this process.
    """

    def _execute_child(self, *given: object) -> None:
        asked = inspect.signature(super()._execute_child).bind(*given).arguments  # type: ignore[misc]
        if refused := [name for name in _NOT_SUPPORTED if asked[name]]:
            raise ValueError(f"a preloaded command does not support {', '.join(refused)}")
        pipes = [asked[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        self._process: ForkServerProcess = fork_server.Process(
            target=_run,
            args=(
                [os.fspath(part) for part in asked["args"]],
                dict(os.environ if asked["env"] is None else asked["env"]),
                os.fspath(asked["cwd"] or Path.cwd()),
                [_Descriptor(standard if pipe == -1 else pipe) for standard, pipe in enumerate(pipes)],
                asked["start_new_session"],
            ),
            daemon=True,  # killed when this process exits
        )
        with _without_main_module():
            self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid
        self._child_created = True
        ends = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(asked[name] for name in ends))  # type: ignore[attr-defined]

    def _internal_poll(self, _deadstate: int | None = None) -> int | None:
        with self._waitpid_lock:  # type: ignore[attr-defined]  # the exit code can be read only once
            if self.returncode is None:
                self.returncode = self._process.exitcode
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        wait([self._process.sentinel], timeout)
        code = self._internal_poll()
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        return code


_replacing_main_module: Final = threading.Lock()


@contextlib.contextmanager
def _without_main_module() -> Iterator[None]:
    """Keep multiprocessing from importing this process's main module, such as pytest, in the new process."""
    with _replacing_main_module:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


class _Descriptor:
    """A file descriptor to pass to the new process."""

    def __init__(self, number: int) -> None:
        self.number: Final = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (reduction.DupFd(self.number),)


def _received(duplicate: Any) -> _Descriptor:
    return _Descriptor(duplicate.detach())


# --- In the new process


def _run(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: str,
    descriptors: Sequence[_Descriptor],
    new_session: bool,
) -> NoReturn:
    """Run the command as if this process had just been started for it."""
    parent = os.getppid()
    for standard, descriptor in enumerate(descriptors):
        os.dup2(descriptor.number, standard)
    # This closes a pipe that would keep the fork server alive after the test process has died. It also closes the pipe
    # to multiprocessing's resource tracker, so the tracker must forget the number of that descriptor.
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    vars(resource_tracker._resource_tracker).update(_fd=None)
    _die_with(parent)
    if new_session:
        os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    _open_standard_streams()
    multiprocessing.current_process().daemon = False  # a daemon may not start processes of its own
    multiprocessing.set_start_method(None, force=True)
    _exit(_exit_code(command))


def _die_with(parent: int) -> None:
    """Let the kernel kill this process when its parent ends. This works only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # the parent ended before the call
            os.kill(os.getpid(), signal.SIGKILL)


def _open_standard_streams() -> None:
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    streams = []
    for number, errors in ((1, "strict"), (2, "backslashreplace")):
        binary: Any = open(number, "wb", buffering=0 if unbuffered else -1, closefd=False)  # noqa: SIM115
        lines = number == 2 or os.isatty(number)
        streams.append(io.TextIOWrapper(binary, "utf-8", errors=errors, line_buffering=lines, write_through=unbuffered))
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = streams  # type: ignore[misc]


def _exit_code(command: Sequence[str]) -> int:
    try:
        _execute(command)
    except SystemExit as exit_:
        if exit_.code is None or isinstance(exit_.code, int):
            return exit_.code or 0
        sys.stderr.write(f"{exit_.code}\n")
        return 1
    except BaseException as error:  # noqa: BLE001  # as the interpreter does
        sys.excepthook(type(error), error, error.__traceback__)
        return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _execute(command: Sequence[str]) -> None:
    program, *arguments = command
    kind = arguments[0] if program == sys.executable else program
    if program == sys.executable:
        arguments = arguments[2:] if kind in ("-c", "-m") else arguments[1:]
    sys.argv = [kind, *arguments]
    if kind == "-m":
        sys.path.insert(0, str(Path.cwd()))
        runpy.run_module(command[2], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.path.insert(0, "")
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(command[2], "<string>", "exec"), vars(main))
    else:
        sys.path.insert(0, str(Path(kind).resolve().parent))
        runpy.run_path(kind, run_name="__main__")


def _exit(code: int) -> NoReturn:
    """Exit as the interpreter does, without multiprocessing's own cleanup."""
    threading._shutdown()  # type: ignore[attr-defined]  # joins threads and stops executors
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # the stream may be closed
            stream.flush()
    if code == -signal.SIGINT:  # as Python does, so that a shell notices the interrupt
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(code & 0xFF)
