"""An event loop on virtual time. Nothing ever waits: when all tasks are idle, time jumps to the next timer."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


class Stuck(Exception):
    """All tasks wait, and no timer would ever wake one of them."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock advances only when nothing else is left to do.

    Work for threads runs at once on the loop's own thread, so the order of all steps follows from the code alone.
    """

    def __init__(self) -> None:
        self._elapsed = 0.0
        super().__init__(_VirtualSelector(self._advance))

    def time(self) -> float:
        """Virtual seconds since the loop was created."""
        return self._elapsed

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

    def _advance(self, seconds: float) -> None:
        self._elapsed += seconds


class _VirtualSelector(selectors.SelectSelector):
    """Instead of waiting for a socket, reports how long the loop would have waited."""

    def __init__(self, advance: Callable[[float], None]) -> None:
        super().__init__()
        self._advance = advance

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for nothing, but let time pass."""
        if timeout is None:
            raise Stuck("all tasks wait for each other")
        if timeout > 0:
            self._advance(timeout)
        return []


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
