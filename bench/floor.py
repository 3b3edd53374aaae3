"""The floor (the reference speed) as a contender: ``floor.cpp``, in a portable build and one for recent processors."""

from __future__ import annotations

import json
import os
import pathlib
import platform
import subprocess
from typing import Final

from measure import Tally

SOURCE: Final = pathlib.Path(__file__).with_name("floor.cpp")
FLAGS: Final = {"baseline": (), "v3": ("-march=x86-64-v3",)}
V3_FEATURES: Final = {"avx2", "bmi1", "bmi2", "fma", "movbe", "popcnt"}


def cpus() -> list[str]:
    """The builds that this machine can run."""
    return [cpu for cpu in FLAGS if cpu == "baseline" or _supports_v3()]


class Floor:
    """One build of the floor."""

    def __init__(self, cpu: str, folder: pathlib.Path, seconds: float) -> None:
        self.program = folder / f"floor-{cpu}"
        compiler = os.environ.get("CXX", "c++")
        subprocess.run([compiler, "-std=c++20", "-O3", *FLAGS[cpu], str(SOURCE), "-o", str(self.program)], check=True)
        tally, taken = self.play(200_000, seed=0)
        self.playouts = max(1, round(tally.playouts * seconds / taken))

    def play(self, playouts: int, seed: int) -> tuple[Tally, float]:
        """Play ``playouts`` random games and return their tally and the CPU time."""
        command = [str(self.program), str(playouts), str(seed)]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        seconds = float(answer.pop("seconds"))
        return Tally(**answer), seconds

    def rate(self, seed: int) -> float:
        """Measure the moves per second of CPU time."""
        tally, seconds = self.play(self.playouts, seed)
        return tally.moves / seconds


def _supports_v3() -> bool:
    return platform.machine() == "x86_64" and V3_FEATURES.issubset((cpu_field("flags") or "").split())


def cpu_field(name: str) -> str | None:
    """A field of the first processor in ``/proc/cpuinfo``; ``None`` if the file or the field is missing."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next(
        (value.strip() for key, _, value in (line.partition(":") for line in lines) if key.strip() == name), None
    )
