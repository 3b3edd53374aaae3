"""Settings for servers on either database."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from cairn.server.settings import Settings


def settings_at(settings: Settings, place: Path | str) -> Settings:
    """Return settings for a server that stores its games in this file or at this address."""
    if isinstance(place, Path):
        return dataclasses.replace(settings, data=place.parent)
    return dataclasses.replace(settings, database=place)
