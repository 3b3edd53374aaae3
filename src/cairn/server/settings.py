"""Server settings."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Final

from cairn.server.logs import LogFormat
from cairn.server.players.limits import Limits
from cairn.server.storage.data_folder import default_folder

PAGES: Final = Path(__file__).parent / "pages"
"""The built web pages."""


def _engine_threads() -> int:
    """Half of the CPU cores. The rest serve requests."""
    return max(1, (os.cpu_count() or 1) // 2)


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """A server's settings. The defaults suit a private server on one machine."""

    data: Path = dataclasses.field(default_factory=default_folder)
    """The folder in which games are stored."""
    database: str | None = dataclasses.field(default=None, repr=False)
    """The address of a database to use instead of the data folder. It may contain a password."""
    pages: Path = PAGES
    engine_threads: int = dataclasses.field(default_factory=_engine_threads)
    """How many games the computer can think about at the same time."""
    computer_seed: int | None = None
    """A seed that makes the computer's play reproducible."""
    most_games_in_memory: int = 2_000
    """How many games to keep in memory, at about 100 kB each."""
    hosts: frozenset[str] = frozenset()
    """The server's host names, in addition to ``localhost`` and numeric addresses."""
    most_body_bytes: int = 1_200_000
    public: bool = False
    """Whether the server is open to strangers. If so, players can see and play only their own local games."""
    metrics_token: str | None = dataclasses.field(default=None, repr=False)
    """A token for access to the metrics from other machines."""
    proxies: str = "127.0.0.1"
    """Addresses and networks of trusted proxies, separated by commas; ``*`` trusts every direct connection."""
    log_format: LogFormat = "text"
    limits: Limits = dataclasses.field(default_factory=Limits)
    """Rate limits and quotas."""
    guest_days: int = 90
    """Guests without games or other data are deleted after being idle for this many days."""
    traces: bool | None = None
    """Whether to trace commands and changes (``cairn.server.traces``); by default, only on a public server."""
    trace_files: int = 10
    """How many trace files each process keeps."""
    trace_bytes: int = 20_000_000
    """The size at which to start a new trace file. A new file is also started every day."""
    trace_days: int = 10
    """The age in days at which trace files are deleted."""
    speedups: bool = True
    """Whether to use the optional speed-ups in ``cairn.server.speedups``."""

    @property
    def traced(self) -> bool:
        """Whether commands and changes are traced."""
        return self.public if self.traces is None else self.traces
