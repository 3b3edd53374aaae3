"""Several versions of the engine in one process: compiles them behind a C interface and plays games between them.

This module and :mod:`network_match` need only Python's standard library, so that games can be played on a machine that
has nothing else.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import tarfile
from typing import Final

ROOT: Final = pathlib.Path(__file__).parents[1]
PLAYER: Final = pathlib.Path(__file__).with_name("player.cpp")
FOLDER: Final = ROOT / "build" / "prove-network"
NETWORK: Final = ROOT / "src" / "cairn" / "engine" / "network.bin"
OLD_COMMIT: Final = "2d79db33df5d032dea0f1e8d51d6edaaa76706e7"
"""The last commit without the network: its search and its hand-made evaluation are the yardstick."""
FLAGS: Final = ("-std=c++20", "-O3", "-march=x86-64-v3", "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden")
PORTABLE: Final = ("-static-libstdc++", "-static-libgcc", "-pthread")
MOST_TOKENS: Final = 256

NEW: Final = "new"
OLD: Final = "old"
HAND_MADE: Final = "hand-made"
"""The new search with the old evaluation."""


class Version:
    """The sources of a version, and the library that they compile to."""

    def __init__(self, name: str, sources: pathlib.Path, *, with_network: bool) -> None:
        self.name: Final = name
        self.sources: Final = sources
        self.with_network: Final = with_network

    @functools.cached_property
    def digest(self) -> str:
        """A hash of everything that determines how the version plays."""
        digest = hashlib.sha256(PLAYER.read_bytes())
        for path in self._files():
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        if self.with_network:
            digest.update(NETWORK.read_bytes())
        return digest.hexdigest()[:16]

    @property
    def library(self) -> pathlib.Path:
        """The compiled library. Its name contains the digest, so that an outdated one is never loaded."""
        return FOLDER / f"{self.name}-{self.digest}.so"

    def build(self) -> None:
        """Compile the library, unless it exists."""
        if self.library.exists():
            return
        print(f"prove-network: compiling the {self.name} version", flush=True)
        generated = FOLDER / f"{self.name}-generated"
        generated.mkdir(parents=True, exist_ok=True)
        script = self.sources / "native" / "generate_megaliths.py"
        table = self.sources / "src" / "cairn" / "megaliths.json"
        subprocess.run([sys.executable, str(script), str(table), str(generated / "megaliths.inc")], check=True)
        includes = [f"-I{self.sources / 'native'}", f"-I{generated}"]
        defined = ["-DWITH_NETWORK"] if self.with_network else []
        unity = generated / "all.cpp"
        units = [*(path for path in self._files() if path.suffix == ".cpp"), PLAYER]
        unity.write_text("".join(f'#include "{path}"\n' for path in units), encoding="utf-8")
        part = self.library.with_suffix(".part")
        compiler = os.environ.get("CXX", "c++")
        subprocess.run([compiler, *FLAGS, *defined, *includes, str(unity), *PORTABLE, "-o", str(part)], check=True)
        part.rename(self.library)

    def _files(self) -> list[pathlib.Path]:
        native = self.sources / "native"
        engine = [*native.glob("bindings/engine.*"), *native.glob("bindings/time_budget.*")]
        return [*sorted(native.glob("*.cpp")), *sorted(native.glob("*.h")), *sorted(engine)]


@functools.cache
def versions() -> dict[str, Version]:
    """The two versions by name. Extracts the sources of the old one if Git has them and they are not there yet."""
    old = FOLDER / OLD
    if not (old / "native").exists():
        command = ["git", "-C", str(ROOT), "archive", OLD_COMMIT, "native", "src/cairn/megaliths.json"]
        archive = subprocess.run(command, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(old, filter="data")
    return {NEW: Version(NEW, ROOT, with_network=True), OLD: Version(OLD, old, with_network=False)}


class Player:
    """An engine of one version with its own copy of the game."""

    def __init__(self, kind: str, megabytes: int, threads: int) -> None:
        """Open the version ``kind``: ``new``, ``old``, or ``hand-made``, the new one without its network."""
        version = versions()[OLD if kind == OLD else NEW]
        self._library: Final = ctypes.CDLL(str(version.library))
        self._library.player_open.restype = ctypes.c_void_p
        self._library.player_deal.restype = ctypes.c_bool
        self._library.player_push.restype = ctypes.c_bool
        self._library.player_go.restype = ctypes.c_uint32
        weights = NETWORK.read_bytes() if kind == NEW else b""
        opened = self._library.player_open(weights or None, ctypes.c_size_t(len(weights)), megabytes, threads)
        if not opened:
            raise RuntimeError(f"the {kind} version cannot read {NETWORK}")
        self._player: Final = ctypes.c_void_p(opened)

    def tiles(self, variant: int) -> list[int]:
        """The tiles of a variant."""
        tiles = (ctypes.c_uint8 * MOST_TOKENS)()
        return list(tiles[: self._library.player_tiles(variant, tiles)])

    def deal(self, variant: int, order: list[int], faces: int, first: int) -> None:
        """Start a new game."""
        if not self._library.player_deal(self._player, variant, bytes(order), len(order), faces, first):
            raise RuntimeError("the tiles are not those of the variant")

    @property
    def state(self) -> int:
        """Who decides, or how the game ended. See ``player.cpp``."""
        state: int = self._library.player_state(self._player)
        return state

    @property
    def legal(self) -> list[int]:
        """The codes of the legal tokens, in ascending order."""
        codes = (ctypes.c_uint32 * MOST_TOKENS)()
        return list(codes[: self._library.player_legal(self._player, codes)])

    def push(self, code: int) -> None:
        """Play a token."""
        if not self._library.player_push(self._player, ctypes.c_uint32(code)):
            raise RuntimeError(f"token {code} is not legal")

    def go(self, milliseconds: int = 0, nodes: int = 0) -> tuple[int, int, int]:
        """Search; return the best token, the depth and the number of nodes."""
        depth, searched = ctypes.c_int(), ctypes.c_uint64()
        limits = (ctypes.c_int64(milliseconds), ctypes.c_uint64(nodes))
        code: int = self._library.player_go(self._player, *limits, ctypes.byref(depth), ctypes.byref(searched))
        return code, depth.value, searched.value

    def close(self) -> None:
        """Free the engine."""
        self._library.player_close(self._player)
