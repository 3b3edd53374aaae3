"""Passwords: what one may be, and how it is kept and checked.

Only Argon2id hashes are kept. Making or checking one costs time and memory on purpose, so it is done in a few threads
beside everything else; when too many wait already, the next one is refused.
"""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import functools
import os
import secrets
import unicodedata
from collections.abc import Callable
from typing import Final, TypeVar

import argon2

from cairn.server.errors import Refusal
from cairn.server.players.limits import TooMany

SHORTEST: Final = 8
MOST_WAITING: Final = 64
_SECONDS_OF_A_QUEUE: Final = 5

# 19 MiB, two passes, one lane.
_HASHER: Final = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

_Result = TypeVar("_Result")


class Passwords:
    """Makes and checks hashes in at most ``threads`` threads."""

    def __init__(self, threads: int | None = None, *, most_waiting: int = MOST_WAITING) -> None:
        threads = threads or max(1, (os.cpu_count() or 1) // 2)
        self._pool: Final = concurrent.futures.ThreadPoolExecutor(threads, thread_name_prefix="passwords")
        self._most: Final = threads + most_waiting
        self._running = 0
        self._nobodys: Final = _impossible_hash()

    async def hash(self, password: str) -> str:
        """What is kept instead of the password."""
        return await self._run(functools.partial(_HASHER.hash, _prepared(password)))

    async def matches(self, kept: str | None, password: str) -> bool:
        """Whether the hash was made from that password. Without a hash it takes as long, and does not match."""
        return await self._run(functools.partial(_matches, kept or self._nobodys, _prepared(password)))

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        if self._running >= self._most:
            raise TooMany(_SECONDS_OF_A_QUEUE)
        self._running += 1
        future = self._pool.submit(work)
        loop = asyncio.get_running_loop()
        # Counted until the thread is done with it, also when nobody waits for it any more.
        future.add_done_callback(lambda _: _call_soon(loop, self._done))
        return await asyncio.wrap_future(future)

    def _done(self) -> None:
        self._running -= 1


def check_password(password: str) -> None:
    """Refuse what is too short to be a password; anything else is one."""
    if len(password) < SHORTEST:
        raise Refusal(422, "bad-password", f"A password has at least {SHORTEST} characters.")


def needs_rehash(kept: str) -> bool:
    """Whether the hash was made when they cost less."""
    return _HASHER.check_needs_rehash(kept)


def _prepared(password: str) -> bytes:
    """The same bytes however a keyboard composes the characters."""
    return unicodedata.normalize("NFKC", password).encode("utf-8")


def _matches(kept: str, password: bytes) -> bool:
    try:
        return _HASHER.verify(kept, password)
    except argon2.exceptions.VerifyMismatchError:
        return False


def _impossible_hash() -> str:
    """A hash that costs as much to check as any, and that no known password has."""
    salt, made = (base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=") for length in (16, 32))
    cost = f"m={_HASHER.memory_cost},t={_HASHER.time_cost},p={_HASHER.parallelism}"
    return f"$argon2id$v=19${cost}${salt}${made}"


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(callback)
