"""Measures which functions of the server run when a player plays a token over a socket.

The measured server runs in this process, on SQLite, with its default limits, speedups and traces. Two guests play an
online game with a real-time clock over real sockets. A function is *on the path of a token* if it runs for every one of
several tokens, on the event loop or on the database's writer thread, from the arrival of the socket's text until the
server waits for the next one. Every function of ``cairn.server`` counts, including those that only meter, trace or
compute one value. These do not count:

- properties, comprehensions, and what ``dataclasses`` and ``contextlib`` generate,
- the bodies of functions with a cache, which run only once for each value,
- background tasks, even if they run at the same time, and the check of the database's files every half second,
- the thread that writes traces to the disk later.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import inspect
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final
from unittest import mock

import cairn.server
from cairn.server.game.chance import SecretChance
from cairn.server.settings import Settings
from cairn.server.storage.engines import sqlite_files
from cairn.vocabulary import Tribe, Variant
from harness.server.processes import listening
from harness.server.visitors import application, begun, two

ROOT: Final = Path(cairn.server.__file__).parent
WRITER: Final = "cairn-writer"
"""The prefix of the name of the database's writer thread."""
APPEND: Final = "storage.engines.sqlite_append.append_batch_fast"
"""The function that stores tokens on that thread, which other transactions use too."""
CLOCK: Final = {"kind": "real-time", "initial": 600_000, "increment": 1_000}
WARM_UP: Final = 4
"""How many tokens to play before recording, so that both players have had a turn."""
TOKENS: Final = 4


class SameChance(SecretChance):
    """The same deal and the same draws in every game."""

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """Deal from a seed of zeros."""
        return super().deal(bytes(32), variant, first)

    def draw_key(self, key: bytes) -> bytes:
        """Draw from a key of zeros."""
        return bytes(32)


@dataclasses.dataclass
class PathFunction:
    """A function on the path of a token."""

    name: str
    """The name below ``cairn.server``, such as ``live.authority.Authority.perform``."""
    lines: int
    callers: set[str] = dataclasses.field(default_factory=set)
    """The functions of the server that call it or await it. Empty for the callbacks of asyncio and uvicorn."""


class Recorder:
    """Records the functions of the server that run while it is recording."""

    def __init__(self) -> None:
        self._found: dict[str, PathFunction] | None = None
        self._loop_thread: Final = threading.get_ident()
        self._background: set[asyncio.Task[Any]] = set()

    def ignore_running_tasks(self) -> None:
        """Ignore the tasks that are running now, except the current one."""
        self._background = asyncio.all_tasks() - {asyncio.current_task()}

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        """Observe the threads that start during the block. A thread that is already running cannot be observed."""
        threading.setprofile(self._observe)
        try:
            yield
        finally:
            threading.setprofile(None)

    @contextlib.contextmanager
    def recording(self) -> Iterator[dict[str, PathFunction]]:
        """Record during the block, in the order of the first calls."""
        found = self._found = {}
        sys.setprofile(self._observe)
        try:
            yield found
        finally:
            sys.setprofile(None)
            self._found = None

    def _observe(self, frame: FrameType, event: str, _: Any) -> None:
        found = self._found
        if event != "call" or found is None or not _counts(frame.f_code):
            return
        stack = [_name_of(each) for each in _counting(frame)]
        thread = threading.current_thread()
        if thread.ident == self._loop_thread:
            if asyncio.current_task() in self._background:
                return
        elif not thread.name.startswith(WRITER) or stack[-1] != APPEND:
            return
        function = found.setdefault(stack[0], PathFunction(stack[0], _lines_of(frame.f_code)))
        function.callers.update(stack[1:2])


def _counting(frame: FrameType) -> Iterator[CodeType]:
    """The code of the functions on the stack that count, innermost first."""
    each: FrameType | None = frame
    while each is not None:
        if _counts(each.f_code):
            yield each.f_code
        each = each.f_back


async def path_of_a_token(settings: Settings) -> list[PathFunction]:
    """The functions on the path of a token, in the order in which they first run."""
    recorder, runs = Recorder(), list[dict[str, PathFunction]]()
    settings = dataclasses.replace(settings, traces=True)
    with recorder.installed(), mock.patch.object(sqlite_files, "CHECK_SECONDS", float("inf")):
        async with (
            application(settings, chance=SameChance()) as app,
            listening(app) as address,
            two(address) as (ann, ben),
        ):
            recorder.ignore_running_tasks()
            game = await begun(ann, ben, variant="expert", clock=CLOCK)
            async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
                for number in range(WARM_UP + TOKENS):
                    decides = forest.game["now"]["decider"] == "forest"
                    here, there = (forest, sea) if decides else (sea, forest)
                    with recorder.recording() as found:
                        await here.play()
                        await there.until(here.game["revision"])
                    if number >= WARM_UP:
                        runs.append(found)
    common = set(runs[0]).intersection(*runs)
    path = [function for name, function in runs[0].items() if name in common]
    for function in path:
        function.callers = function.callers.union(*(run[function.name].callers for run in runs)) & common
    return path


@functools.cache
def _counts(code: CodeType) -> bool:
    """Whether the code is a server function that counts: not a property, not a comprehension and not cached."""
    if not code.co_filename.startswith(f"{ROOT}/"):
        return False
    name = code.co_name
    if name.startswith("<") and name != "<lambda>":
        return False
    return not isinstance(_static(code), property | functools._lru_cache_wrapper)


def _static(code: CodeType) -> object:
    """The attribute that holds the function, as its class or module defines it; ``None`` for a local function."""
    found: object = sys.modules.get(_module_of(code))
    for part in code.co_qualname.split("."):
        found = inspect.getattr_static(found, part, None)
    return found


def _module_of(code: CodeType) -> str:
    parts = Path(code.co_filename).relative_to(ROOT).with_suffix("").parts
    return ".".join(["cairn.server", *parts]).removesuffix(".__init__")


@functools.cache
def _name_of(code: CodeType) -> str:
    module = _module_of(code).removeprefix("cairn.server.")
    return f"{module}.{code.co_qualname.replace('<locals>.', '')}"


@functools.cache
def _lines_of(code: CodeType) -> int:
    return len(inspect.getsource(code).rstrip().splitlines())
