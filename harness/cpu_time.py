"""CPU time of processes."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_seconds(pid: int, *, with_children: bool = False) -> float:
    """The CPU time that a process has used; ``with_children`` adds the time of its terminated children."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_children else 13])) / os.sysconf("SC_CLK_TCK")
