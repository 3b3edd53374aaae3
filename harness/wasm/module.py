"""The built WebAssembly core."""

from __future__ import annotations

from pathlib import Path
from typing import Final

MODULE: Final = Path(__file__).parents[2] / "web" / "core" / "cairn.wasm"


def why_not_built() -> str | None:
    """Why the module cannot be tested; ``None`` if it is built."""
    return None if MODULE.exists() else "the WebAssembly core has not been built: run make wasm"
