"""Password hashing.

Only Argon2id hashes are stored. They are slow and memory-hungry by design, so only a few threads compute them, and a
request is refused if too many others are waiting.
"""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import functools
import gzip
import os
import secrets
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import argon2

from cairn.server.errors import Refusal
from cairn.server.players.limits import TooMany

SHORTEST: Final = 8
MOST_WAITING: Final = 64
_RETRY_SECONDS: Final = 5
_COMMON: Final = Path(__file__).with_name("common_passwords.txt.gz")

# 19 MiB, two passes, one lane.
_HASHER: Final = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

_Result = TypeVar("_Result")


class Passwords:
    """Computes and checks hashes in at most ``threads`` threads."""

    def __init__(self, threads: int | None = None, *, most_waiting: int = MOST_WAITING) -> None:
        threads = threads or max(1, (os.cpu_count() or 1) // 2)
        self._pool: Final = concurrent.futures.ThreadPoolExecutor(threads, thread_name_prefix="passwords")
        self._most: Final = threads + most_waiting
        self._running = 0
        self._dummy: Final = _dummy_hash()

    async def hash(self, password: str) -> str:
        """Hash a password for storage."""
        return await self._run(functools.partial(_HASHER.hash, _prepared(password)))

    async def matches(self, password_hash: str | None, password: str) -> bool:
        """Whether the hash matches the password. Without a hash, returns false after the same amount of time."""
        return await self._run(functools.partial(_matches, password_hash or self._dummy, _prepared(password)))

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        if self._running >= self._most:
            raise TooMany(_RETRY_SECONDS)
        self._running += 1
        future = self._pool.submit(work)
        loop = asyncio.get_running_loop()
        # Count the work until the thread has finished, even if the request was cancelled.
        future.add_done_callback(lambda _: _call_soon(loop, self._done))
        return await asyncio.wrap_future(future)

    def _done(self) -> None:
        self._running -= 1


def check_password(password: str, name: str | None) -> None:
    """Refuse a password that is too short, contains the player's name, or is among the most common ones."""
    if len(password) < SHORTEST:
        raise Refusal(422, "bad-password", f"A password must have at least {SHORTEST} characters.")
    folded = _folded(password)
    if folded in common_passwords():
        sentence = "This is one of the most common passwords. Choose another one."
        raise Refusal(422, "common-password", sentence)
    if name and _folded(name) in folded:
        raise Refusal(422, "name-in-password", "A password cannot contain your name. Choose another one.")


@functools.cache
def common_passwords() -> frozenset[str]:
    """The 10,000 most common passwords that are long enough, in lower case."""
    return frozenset(gzip.decompress(_COMMON.read_bytes()).decode("ascii").split())


def needs_rehash(password_hash: str) -> bool:
    """Whether the hash uses outdated Argon2 parameters."""
    return _HASHER.check_needs_rehash(password_hash)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _prepared(password: str) -> bytes:
    """Normalize a password, because keyboards compose accented characters in different ways."""
    return unicodedata.normalize("NFKC", password).encode("utf-8")


def _matches(password_hash: str, password: bytes) -> bool:
    try:
        return _HASHER.verify(password_hash, password)
    except argon2.exceptions.VerifyMismatchError:
        return False


def _dummy_hash() -> str:
    """A random hash that takes as long to check as a real one and matches no known password."""
    salt, digest = (base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=") for length in (16, 32))
    cost = f"m={_HASHER.memory_cost},t={_HASHER.time_cost},p={_HASHER.parallelism}"
    return f"$argon2id$v=19${cost}${salt}${digest}"


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(callback)
