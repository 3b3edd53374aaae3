"""An in-memory folder for the temporary files of tests. Syncing a file to disk costs nothing there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

_FOLDER: Final = Path("/dev/shm")
_ENOUGH_BYTES: Final = 4 << 30
"""The free space that the tests need. They create more than a hundred PostgreSQL databases of 8 MB each."""


def memory_folder() -> Path | None:
    """The folder, or ``None`` if it does not exist, is not writable or has too little free space."""
    if _FOLDER.is_dir() and os.access(_FOLDER, os.W_OK) and shutil.disk_usage(_FOLDER).free >= _ENOUGH_BYTES:
        return _FOLDER
    return None
