"""A stream of results from a thread, for synchronous and asynchronous code."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import functools
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

from cairn.engine.stopper import Stopper
from cairn.engine.threads import start_search

T = TypeVar("T")


class _Channel(Generic[T]):
    """Holds results until they are taken.

    The thread holds a reference to the channel and not to the stream, so that an abandoned stream can be garbage
    collected and its ``__del__`` stops the search.
    """

    def __init__(self) -> None:
        self.changed: Final = threading.Condition()
        self.items: Final[collections.deque[T]] = collections.deque()
        self.over = False
        self.error: BaseException | None = None
        self._waiting: list[asyncio.Future[None]] = []

    def put(self, item: T) -> None:
        with self.changed:
            self.items.append(item)
            self._wake()

    def finish(self, error: BaseException | None) -> None:
        with self.changed:
            self.over, self.error = True, error
            self._wake()

    def _wake(self) -> None:
        self.changed.notify_all()
        for future in self._waiting:
            with contextlib.suppress(RuntimeError):  # the future's loop was closed
                future.get_loop().call_soon_threadsafe(_resolve, future)
        self._waiting = []

    def take(self) -> T | None:
        """The next item, or ``None`` if there is none yet. Raises ``EOFError`` after the last item."""
        if self.items:
            return self.items.popleft()
        if self.over:
            error, self.error = self.error, None
            raise error or EOFError
        return None

    def future(self) -> asyncio.Future[None]:
        """A future that is done after the next change."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        return future


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class Stream(AsyncIterator[T], Iterator[T]):
    """The results of a search that runs in a thread.

    ``for`` and ``async for`` both work. The search ends when it reaches its limits, when :meth:`stop` is called, when a
    ``with`` or ``async with`` block exits, or when the stream is garbage collected, for example after leaving a loop
    over it.
    """

    def __init__(self, work: Callable[[Callable[[T], object]], object], stopper: Stopper) -> None:
        self._channel: Final[_Channel[T]] = _Channel()
        self._stopper: Final = stopper
        self._thread: Final = start_search(functools.partial(_run, work, self._channel), stopper)

    def stop(self) -> None:
        """Stop the search. Earlier results can still be taken. Any thread may call this method."""
        self._stopper.stop()

    def close(self) -> None:
        """Stop the search and wait for it to end."""
        self.stop()
        self._thread.join()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        with self._channel.changed:
            while True:
                try:
                    item = self._channel.take()
                except EOFError:
                    raise StopIteration from None
                if item is not None:
                    return item
                self._channel.changed.wait()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while True:
            with self._channel.changed:
                try:
                    item = self._channel.take()
                except EOFError:
                    raise StopAsyncIteration from None
                if item is not None:
                    return item
                changed = self._channel.future()
            await changed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        await asyncio.to_thread(self._thread.join)

    def __del__(self) -> None:
        self._stopper.stop()


def _run(work: Callable[[Callable[[T], object]], object], channel: _Channel[T]) -> None:
    try:
        work(channel.put)
    except BaseException as error:  # noqa: BLE001  # raised again by the consumer
        channel.finish(error)
    else:
        channel.finish(None)
