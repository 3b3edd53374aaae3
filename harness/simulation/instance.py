"""Server instances: complete applications that share one store and can be killed and restarted."""

from __future__ import annotations

import asyncio
import contextvars
import datetime
import itertools
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, cast

from fastapi import FastAPI

from cairn.server.game.chance import Chance
from cairn.server.live.engine_pool import Computer
from cairn.server.live.server_time import ProcessClock
from cairn.server.settings import Settings
from cairn.server.storage.engines.database import Database
from cairn.server.transport.process_hub import ProcessHub
from cairn.server.web.app import create_app
from cairn.server.web.lifespan import World
from harness.simulation.database import SimulatedBackend, Store
from harness.simulation.network import Application, Cut, Socket

EPOCH: Final = datetime.datetime(2026, 11, 15, 12, 0, tzinfo=datetime.UTC)
NOWHERE: Final = Path("/nonexistent")

_current: Final[contextvars.ContextVar[Instance | None]] = contextvars.ContextVar("instance", default=None)


class WallClock:
    """The wall clock that all instances share. An administrator may set it incorrectly."""

    def __init__(self) -> None:
        self.offset = datetime.timedelta()

    def __call__(self) -> datetime.datetime:
        return EPOCH + self.offset + datetime.timedelta(seconds=asyncio.get_running_loop().time())


class Instance:
    """One simulated server process. Players and the database cannot tell it apart from a real one."""

    def __init__(
        self, name: str, store: Store, settings: Settings, wall: WallClock, chance: Chance, computer: Computer
    ) -> None:
        self.name: Final = name
        self._store: Final = store
        self._settings: Final = settings
        self._wall: Final = wall
        self._chance: Final = chance
        self._computer: Final = computer
        self._lives: Final = itertools.count(1)
        self._backend: SimulatedBackend | None = None
        self._app: FastAPI | None = None
        self._life: asyncio.Task[None] | None = None
        self.tasks: Final[dict[asyncio.Task[Any], None]] = {}
        """All tasks that belong to this instance, in the order they were started."""
        self.lines: Final[dict[Socket, None]] = {}

    @property
    def alive(self) -> bool:
        """Whether the instance is running."""
        return self._app is not None

    @property
    def application(self) -> Application:
        """The ASGI application. Raises :class:`Cut` if the instance is not running."""
        if self._app is None:
            raise Cut("nobody is listening")
        return cast(Application, self._app)

    async def start(self) -> None:
        """Start the instance, and return once it is accepting requests."""
        backend = SimulatedBackend(self._store, f"{self.name}.{next(self._lives)}")
        self._backend = backend

        async def open_database(_: Path | str) -> Database:
            return Database(backend)

        world = World(
            self._chance,
            self._computer,
            ProcessClock(self._wall, asyncio.get_running_loop().time),
            monotonic=asyncio.get_running_loop().time,
            processor_time=float,  # always 0.0, so that only the fixed costs count
            open_database=open_database,
            open_hub=lambda _: ProcessHub(_SimulatedChannel(self._store, backend), backend.origin),
        )
        app = create_app(self._settings, world)
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def live() -> None:
            async with app.router.lifespan_context(app):
                self._app = app
                ready.set_result(None)
                await asyncio.get_running_loop().create_future()

        self._life = self.spawn(live())
        await asyncio.wait([ready, self._life], return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            self._life.result()

    async def kill(self) -> None:
        """Stop immediately, like ``kill -9``. Anything that its tasks do afterwards has no effect."""
        self._app = None
        if self._backend:
            self._backend.alive = False
            self._store.listeners.pop(self._backend.origin, None)
        for socket in list(self.lines):
            socket.end(1006)
        self.lines.clear()
        tasks = list(self.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.tasks.clear()

    def spawn(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Run a coroutine as part of this instance. Any tasks it starts also belong to the instance."""
        context = contextvars.copy_context()
        context.run(_current.set, self)
        return asyncio.get_running_loop().create_task(cast(Coroutine[Any, Any, None], work), context=context)


class _SimulatedChannel:
    """The connection on which an instance receives messages from the others."""

    def __init__(self, store: Store, backend: SimulatedBackend) -> None:
        self._store: Final = store
        self._backend: Final = backend

    async def connect(self, heard: Callable[[str], None]) -> None:
        """Start listening."""
        self._store.listeners[self._backend.origin] = heard

    async def until_lost(self) -> None:
        """Return when the connection is lost."""
        await asyncio.get_running_loop().create_future()

    async def notify(self, payloads: Sequence[str]) -> None:
        """Send notifications to all instances."""
        await self._backend.notify(payloads)

    def disconnect(self) -> None:
        """Stop listening."""
        self._store.listeners.pop(self._backend.origin, None)


def track_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """Assign every task to the instance that started it."""

    def create(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **options: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **options)
        context: contextvars.Context | None = options.get("context")
        owner = context.get(_current) if context else _current.get()
        if owner is not None:
            owner.tasks[task] = None
            task.add_done_callback(lambda done: owner.tasks.pop(done, None))
        return task

    loop.set_task_factory(cast(Any, create))
