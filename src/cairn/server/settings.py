"""What a server can be told."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Final

from cairn.server.data import default_folder
from cairn.server.limits import Limits
from cairn.server.logs import LogFormat

PAGES: Final = Path(__file__).parent / "pages"
"""The built pages."""


def _engine_threads() -> int:
    """Half of the processors: people's games and pages need some too."""
    return max(1, (os.cpu_count() or 1) // 2)


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server; the defaults are for one machine."""

    data: Path = dataclasses.field(default_factory=default_folder)
    """The folder where games are kept."""
    database: str | None = dataclasses.field(default=None, repr=False)
    """The address of the database, if games are not kept in the data folder; it may hold a password."""
    pages: Path = PAGES
    engine_threads: int = dataclasses.field(default_factory=_engine_threads)
    """How many games the computer thinks about at the same time."""
    computer_seed: int | None = None
    """Makes the computer's play reproducible."""
    most_live_games: int = 2_000
    """How many games are kept in memory: a tenth of a megabyte each."""
    hosts: frozenset[str] = frozenset()
    """Names by which the server is reached, beside ``localhost`` and numeric addresses."""
    most_body_bytes: int = 1_200_000
    shared: bool = False
    """Whether strangers share the server: everybody then sees and plays only their own local games."""
    metrics_token: str | None = dataclasses.field(default=None, repr=False)
    """Who has it may see the metrics, beside programs on the same machine."""
    proxies: str = "127.0.0.1"
    """Addresses of proxies, with commas between them, that may say for whom they ask."""
    log_format: LogFormat = "text"
    limits: Limits = dataclasses.field(default_factory=Limits)
    """How often one may ask, and how much one may have."""
    guest_days: int = 90
    """Guests who did nothing that is kept are forgotten when they were not here for so long."""
