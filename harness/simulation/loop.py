"""An event loop on virtual time. Nothing ever waits: when all tasks are idle, time jumps to the next timer."""

from __future__ import annotations

import asyncio
import collections
import contextvars
import heapq
import itertools
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor
from typing import Any, Final, TypeVar, TypeVarTuple

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


class Stuck(Exception):
    """All tasks wait, and no timer would ever wake one of them."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock advances only when nothing else is left to do.

    Work for threads runs at once on the loop's own thread, so the order of all steps follows from the code alone. No
    socket is ever polled, and timers for the same time run in the order in which they were set.
    """

    _ready: collections.deque[asyncio.Handle]

    def __init__(self) -> None:
        self._elapsed = 0.0
        self._timers: Final[list[tuple[float, int, asyncio.TimerHandle]]] = []
        self._numbers: Final = itertools.count()
        super().__init__()

    def time(self) -> float:
        """Virtual seconds since the loop was created."""
        return self._elapsed

    def call_soon(
        self, callback: Callable[[*Arguments], object], *args: *Arguments, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Run a callback in the next iteration."""
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback after so many virtual seconds."""
        return self.call_at(self._elapsed + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback at that virtual time."""
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Arguments], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        """Run the function now."""
        future: asyncio.Future[Result] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001  # the caller gets it, whatever it is
            future.set_exception(error)
        return future

    def _run_once(self) -> None:
        """Run everything that is ready; if nothing is, jump to the next timer. Replaces the step of asyncio's loop."""
        ready = self._ready
        if not ready:
            ready.append(self._next_timer())
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle.cancelled():
                handle._run()

    def _next_timer(self) -> asyncio.TimerHandle:
        while self._timers:
            when, _, timer = heapq.heappop(self._timers)
            if not timer.cancelled():
                self._elapsed = max(self._elapsed, when)
                return timer
        raise Stuck("all tasks wait for each other")

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Nothing to count: a cancelled timer is dropped when its time comes."""


def run(main: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run a coroutine on a fresh virtual loop. An error that nobody handled fails the run."""
    unhandled: list[Mapping[str, Any]] = []
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.get_loop().set_exception_handler(lambda _, context: unhandled.append(context))
        result = runner.run(main())
    if unhandled:
        error = unhandled[0].get("exception")
        raise AssertionError(f"an error was not handled: {unhandled[0].get('message')}") from error
    return result
