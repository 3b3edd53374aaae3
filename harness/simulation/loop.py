"""An event loop that runs in virtual time. It never sleeps: when all tasks are idle, time jumps to the next timer."""

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
    """All tasks are waiting, and no timer is left to wake any of them."""


class _Step(asyncio.TimerHandle):
    """A callback to run soon or at a given time. Cheaper than asyncio's handles, which also support debugging."""

    __slots__ = ()

    def __init__(
        self,
        when: float,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        loop: asyncio.AbstractEventLoop,
        context: contextvars.Context | None,
    ) -> None:
        self._when = when
        self._callback = callback
        self._args = args
        self._loop = loop
        self._context = contextvars.copy_context() if context is None else context
        self._cancelled = False
        self._scheduled = False
        self._repr = None
        self._source_traceback = None

    def cancel(self) -> None:
        """Cancel the callback. A cancelled timer stays in the queue until its time comes."""
        self._cancelled = True
        self._callback, self._args = _nothing, ()  # releases the references


def _nothing() -> None:
    """The callback of a cancelled step."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock advances only when nothing else is left to do.

    Work for executors runs immediately on the loop's own thread, so the order of all steps depends only on the code. No
    socket is ever polled, and timers for the same time run in the order in which they were set.
    """

    _ready: collections.deque[_Step]
    _stopping: bool

    def __init__(self) -> None:
        self._elapsed = 0.0
        self._timers: Final[list[tuple[float, int, _Step]]] = []
        self._numbers: Final = itertools.count()
        super().__init__()

    def time(self) -> float:
        """Virtual seconds since the loop was created."""
        return self._elapsed

    def call_soon(
        self, callback: Callable[[*Arguments], object], *args: *Arguments, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Run a callback in the next iteration."""
        step = _Step(self._elapsed, callback, args, self, context)
        self._ready.append(step)
        return step

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback after ``delay`` virtual seconds."""
        when = self._elapsed + delay
        timer = _Step(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def call_at(
        self,
        when: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback at a virtual time."""
        timer = _Step(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Arguments], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        """Run the function immediately, on this thread."""
        future: asyncio.Future[Result] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001  # the caller receives every error
            future.set_exception(error)
        return future

    def _run_once(self) -> None:
        """Run callbacks until the loop is stopped. When none is ready, jump to the next timer.

        In asyncio, each call runs only the callbacks that are ready when it starts, but in the same order.
        """
        ready = self._ready
        while not self._stopping:
            step = ready.popleft() if ready else self._next_timer()
            if not step._cancelled:
                try:
                    step._context.run(step._callback, *step._args)
                except (SystemExit, KeyboardInterrupt):
                    raise
                except BaseException as error:  # noqa: BLE001  # as in asyncio, the loop continues
                    message = f"exception in {step._callback!r}"
                    self.call_exception_handler({"message": message, "exception": error, "handle": step})

    def _next_timer(self) -> _Step:
        timers = self._timers
        while timers:
            when, _, timer = heapq.heappop(timers)
            if not timer._cancelled:
                self._elapsed = max(self._elapsed, when)
                return timer
        raise Stuck("all tasks are waiting, and no timer is set")


def run(main: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run a coroutine on a new virtual loop. Raises ``AssertionError`` if an error was not handled."""
    unhandled: list[Mapping[str, Any]] = []
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.get_loop().set_exception_handler(lambda _, context: unhandled.append(context))
        result = runner.run(main())
    if unhandled:
        error = unhandled[0].get("exception")
        raise AssertionError(f"an error was not handled: {unhandled[0].get('message')}") from error
    return result
