"""Measure the CPU time that a request or a socket uses.

All requests share the thread of the event loop. Each runs in steps, from one await to the next, and nothing else runs
on the thread during a step. The CPU time of a request is therefore the sum over its steps, no matter how many other
requests ran in between. Work on other threads counts too, if it is started with :func:`in_thread` or :func:`measured`.
"""

from __future__ import annotations

import asyncio
import collections
import contextvars
import time
import types
from collections.abc import Awaitable, Callable, Generator
from typing import Any, Final, ParamSpec, TypeVar

MOST_ADDED: Final = 1_000
"""The maximum number of entries from other threads. They pile up if a task outlives its request."""

Value = TypeVar("Value")
Given = ParamSpec("Given")


class Meter:
    """The CPU time of one request or socket, which may consist of several tasks."""

    __slots__ = ("_elsewhere", "_seconds", "_step_began", "clock")

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        self.clock: Final = clock
        """Returns the CPU time used by the current thread."""
        self._seconds = 0.0
        self._elsewhere: Final[collections.deque[float]] = collections.deque(maxlen=MOST_ADDED)
        """Times added by other threads. Each is a separate entry, because threads must not update a shared number."""
        self._step_began: float | None = None
        """When the current step began; ``None`` between steps."""

    async def run(self, work: Awaitable[Value]) -> Value:
        """Await a coroutine and measure it. Do not nest two runs of one meter in the same task."""
        token = _current.set(self)
        try:
            return await self._steps(work.__await__())
        finally:
            _current.reset(token)

    def add(self, seconds: float) -> None:
        """Add CPU time that was used on any thread."""
        self._elsewhere.append(seconds)

    def take(self) -> float:
        """Take the seconds used since the last call."""
        if self._step_began is not None:
            now = self.clock()
            self._seconds += now - self._step_began
            self._step_began = now
        taken, self._seconds = self._seconds, 0.0
        while self._elsewhere:
            taken += self._elsewhere.popleft()
        return taken

    @types.coroutine
    def _steps(self, work: Generator[Any, Any, Value]) -> Generator[Any, Any, Value]:
        advance: Callable[[Any], Any] = work.send
        argument: Any = None
        while True:
            self._step_began = self.clock()
            try:
                waited = advance(argument)
            except StopIteration as done:
                result: Value = done.value
                return result
            finally:
                self._seconds += self.clock() - self._step_began
                self._step_began = None
            try:
                advance, argument = work.send, (yield waited)
            except BaseException as error:  # noqa: BLE001  # such as a cancellation, which the work handles itself
                advance, argument = work.throw, error


_current: Final[contextvars.ContextVar[Meter | None]] = contextvars.ContextVar("meter", default=None)


def measured(function: Callable[Given, Value]) -> Callable[Given, Value]:
    """Wrap a function for another thread, so that its CPU time counts towards the current request."""
    meter = _current.get()
    if meter is None:
        return function

    def run(*given: Given.args, **named: Given.kwargs) -> Value:
        began = meter.clock()
        try:
            return function(*given, **named)
        finally:
            meter.add(meter.clock() - began)

    return run


async def in_thread(function: Callable[Given, Value], *given: Given.args, **named: Given.kwargs) -> Value:
    """Run a function on another thread, and count its CPU time towards the current request."""
    return await asyncio.to_thread(measured(function), *given, **named)
