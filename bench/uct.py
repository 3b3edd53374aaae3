"""The textbook UCT player: compiles ``uct.cpp`` and drives it over the engine protocol."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import IO, Final, cast

import floor

ROOT: Final = pathlib.Path(__file__).parents[1]
SOURCES: Final = (
    pathlib.Path(__file__).with_name("uct.cpp"),
    *(ROOT / "native" / f"{name}.cpp" for name in ("playout", "position", "powers", "text", "token", "turn")),
)


def build(folder: pathlib.Path) -> pathlib.Path:
    """Compile the program for this machine into the folder and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    table = ROOT / "src" / "cairn" / "megaliths.json"
    script = ROOT / "native" / "generate_megaliths.py"
    subprocess.run([sys.executable, str(script), str(table), str(folder / "megaliths.inc")], check=True)
    program = folder / "uct"
    compiler = os.environ.get("CXX", "c++")
    # Use the same flags as the core, so that random games are as fast as in the core.
    flags = ["-std=c++20", "-O3", "-DNDEBUG", "-flto", *floor.FLAGS[floor.cpus()[-1]]]
    includes = [f"-I{ROOT / 'native'}", f"-I{folder}"]
    subprocess.run([compiler, *flags, *includes, *map(str, SOURCES), "-o", str(program)], check=True)
    return program


class Uct:
    """A running UCT program."""

    def __init__(self, program: pathlib.Path, seed: int, exploration: float | None = None) -> None:
        command = [str(program)] if exploration is None else [str(program), str(exploration)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._input = cast("IO[str]", self.process.stdin)
        self._output = cast("IO[str]", self.process.stdout)
        self._tell(f"setoption name Seed value {seed}")

    def choose(self, position: str, tokens: str, limit: str) -> str:
        """Return the token to play after ``tokens``. ``limit`` is ``movetime N`` or ``nodes N``."""
        self._tell(f"position {position} moves {tokens}" if tokens else f"position {position}")
        self._tell(f"go {limit}")
        while line := self._output.readline():
            first, _, rest = line.strip().partition(" ")
            if first == "bestmove":
                return rest
            if first == "error":
                raise RuntimeError(f"uct: {rest}")
        raise RuntimeError(f"uct ended with status {self.process.wait()}")

    def close(self) -> None:
        """End the program."""
        self._input.close()
        self.process.wait()
        self._output.close()

    def _tell(self, line: str) -> None:
        self._input.write(line + "\n")
        self._input.flush()
