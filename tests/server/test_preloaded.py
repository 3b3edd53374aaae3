"""A command started by ``PreloadedPopen`` behaves like the same command in a new process."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.server.preloaded import PreloadedPopen

ROOT = Path(__file__).parents[2]
PYTHON = sys.executable
CAIRN = str(Path(PYTHON).with_name("cairn"))
STATE = """
import asyncio, json, logging, multiprocessing, os, random, signal, sys, threading
print(json.dumps({
    "arguments": sys.argv,
    "main": sys.modules["__main__"].__name__,
    "descriptors": sorted(set(os.listdir("/proc/self/fd")) - {"3"}),
    "threads": threading.active_count(),
    "interrupt": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
    "terminate": signal.getsignal(signal.SIGTERM) == signal.SIG_DFL,
    "child": signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL,
    "blocked": [str(each) for each in signal.pthread_sigmask(signal.SIG_BLOCK, [])],
    "logging": len(logging.getLogger().handlers),
    "policy": asyncio.events._event_loop_policy is None,
    "start method": multiprocessing.get_start_method(),
    "pytest": "pytest" in sys.modules,
    "own session": os.getsid(0) == os.getpid(),
    "own group": os.getpgid(0) == os.getpid(),
    "folder": os.getcwd(),
    "environment": sorted(os.environ.items()),
}))
"""
"""Prints what a command can observe about its process."""
POPENS = pytest.mark.parametrize("popen", [subprocess.Popen, PreloadedPopen], ids=["new", "preloaded"])
"""Runs a test with both classes, to show that they behave in the same way."""


def run(popen: type[subprocess.Popen[str]], *command: str) -> tuple[int, str, str]:
    with popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors


@pytest.mark.slow
def test_a_command_starts_in_the_same_state_as_a_new_process(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "LC_CTYPE": "C.UTF-8", "ONLY": "this"}
    states = []
    for popen in (subprocess.Popen, PreloadedPopen):
        for new_session in (False, True):
            with popen(
                [PYTHON, "-c", STATE, "one", "--two"],
                stdout=subprocess.PIPE,
                text=True,
                cwd=tmp_path,
                env=environment,
                start_new_session=new_session,
            ) as process:
                states.append(json.loads(process.communicate(timeout=60)[0]))
    new, new_in_session, preloaded, preloaded_in_session = states
    assert (new["own session"], new_in_session["own session"]) == (False, True)
    assert preloaded == new
    assert preloaded_in_session == new_in_session


@POPENS
@pytest.mark.parametrize(
    ("code", "returncode", "message"),
    [
        ("", 0, ""),
        ("raise SystemExit", 0, ""),
        ("raise SystemExit(7)", 7, ""),
        ("raise SystemExit(-1)", 255, ""),
        ("raise SystemExit('no')", 1, "no\n"),
        ("1 / 0", 1, "ZeroDivisionError: division by zero\n"),
        ("raise KeyboardInterrupt", -signal.SIGINT, "KeyboardInterrupt\n"),
        ("import os; os._exit(9)", 9, ""),
        ("import os; os.abort()", -signal.SIGABRT, ""),
        ("import threading, time; threading.Timer(0.1, lambda: print('later')).start()", 0, ""),
        ("import atexit; atexit.register(print, 'later')", 0, ""),
    ],
)
def test_the_exit_code_and_the_error_message_match_the_interpreters(
    popen: type[subprocess.Popen[str]], code: str, returncode: int, message: str
) -> None:
    ended, output, errors = run(popen, PYTHON, "-c", code)
    assert ended == returncode
    assert errors.endswith(message)
    assert bool(errors) == bool(message)
    assert output == ("later\n" if "later" in code else "")


@POPENS
def test_scripts_modules_and_the_console_script_run(popen: type[subprocess.Popen[str]], tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import sys, neighbour; print(__name__, sys.argv[1:], neighbour.here)")
    (tmp_path / "neighbour.py").write_text("here = True")
    assert run(popen, PYTHON, str(script), "-x") == (0, "__main__ ['-x'] True\n", "")
    assert run(popen, PYTHON, "-m", "calendar", "--type", "text", "2000", "1")[1].startswith("    January 2000\n")
    code, output, _ = run(popen, CAIRN, "--version")
    assert (code, output[:8]) == (0, "cairn 0.")
    code, _, errors = run(popen, CAIRN, "perft", "nonsense", "2")
    assert (code, errors[:7]) == (2, "cairn: ")


@POPENS
def test_standard_streams_are_connected(popen: type[subprocess.Popen[bytes]], tmp_path: Path) -> None:
    code = "import sys; print(sys.stdin.read().upper(), flush=True); print('é', file=sys.stderr)"
    pipe = subprocess.PIPE
    with popen([PYTHON, "-c", code], stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT) as process:
        output, _ = process.communicate("grüße".encode(), timeout=60)
    assert output.decode() == "GRÜSSE\né\n"
    code = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])"
    with popen([PYTHON, "-c", code], stdin=pipe, stdout=pipe) as process:
        output, _ = process.communicate(b"\xff\x00\n", timeout=60)
    assert output == b"\n\x00\xff"
    with (tmp_path / "log").open("ab") as log, popen([PYTHON, "-c", "print('logged')"], stdout=log) as process:
        assert process.wait(60) == 0
    assert (tmp_path / "log").read_text() == "logged\n"


@POPENS
def test_output_is_unbuffered_if_requested(popen: type[subprocess.Popen[str]]) -> None:
    code = "import time; print('ready'); time.sleep(600)"
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with popen([PYTHON, "-c", code], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            assert select.select([process.stdout], [], [], 60)[0]
            assert process.stdout.readline() == "ready\n"
        finally:
            process.kill()


WAITING = "import time; print('ready', flush=True); time.sleep(600)"


@contextlib.contextmanager
def waiting(popen: type[subprocess.Popen[str]], code: str = WAITING) -> Iterator[subprocess.Popen[str]]:
    """A command that has printed a line and is waiting for a signal."""
    with popen([PYTHON, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


@POPENS
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals_end_the_command(popen: type[subprocess.Popen[str]], number: signal.Signals) -> None:
    with waiting(popen) as process:
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == process.poll() == process.wait() == -number
        assert ("KeyboardInterrupt" in errors) == (number == signal.SIGINT)
        process.kill()  # does nothing, because the process is gone


@POPENS
def test_the_command_can_handle_signals(popen: type[subprocess.Popen[str]]) -> None:
    code = "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n" + WAITING
    with waiting(popen, code) as process:
        process.terminate()
        assert process.wait(60) == 5


def test_commands_do_not_share_random_numbers() -> None:
    code = "import random, secrets, uuid; print(random.random(), secrets.token_hex(), uuid.uuid4())"
    numbers = [run(PreloadedPopen, PYTHON, "-c", code)[1].split() for _ in range(2)]
    assert len({*numbers[0], *numbers[1]}) == 6


def test_options_that_a_fork_does_not_support_are_refused() -> None:
    with pytest.raises(ValueError, match="does not support shell"):
        PreloadedPopen("true", shell=True)


OWNER = """
import subprocess, sys, time
from multiprocessing import forkserver
from harness.server.preloaded import PreloadedPopen, fork_server
fork_server.set_forkserver_preload([])  # starts faster
with PreloadedPopen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE, text=True) as process:
    assert process.stdout.readline() == "ready\\n"
    print(process.pid, forkserver._forkserver._forkserver_pid, flush=True)
    sys.stdin.read()
    sys.exit()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can end a process when its parent dies")
def test_nothing_survives_the_death_of_the_process_that_started_it(tmp_path: Path) -> None:
    script = tmp_path / "owner.py"
    script.write_text(OWNER)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [PYTHON, str(script), WAITING]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as owner:
        assert owner.stdout is not None
        # The command must not import the owner's main module, because that would start another command.
        pids = [int(each) for each in owner.stdout.readline().split()]
        assert len(pids) == 2
        watched = [os.pidfd_open(each) for each in pids]
        owner.kill()
    deadline = time.monotonic() + 60
    for each in watched:  # a pidfd becomes readable when its process ends
        assert select.select([each], [], [], deadline - time.monotonic())[0]
        os.close(each)
