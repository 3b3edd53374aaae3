"""Load the build of the native core that suits this machine.

``CAIRN_CPU=baseline`` or ``CAIRN_CPU=v3`` in the environment overrides the choice.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cairn import _core as core
    from cairn._core import Engine as Engine
    from cairn._core import LegalMoves as LegalMoves
    from cairn._core import Moments as Moments
    from cairn._core import SeatedGame as SeatedGame

    cpu: str
else:
    from cairn import _core as core

    cpu = os.environ.get("CAIRN_CPU") or ("v3" if core.runs_v3() else "baseline")
    if cpu == "v3":
        core = importlib.import_module("cairn._core_v3")
    elif cpu != "baseline":
        raise ImportError(f"CAIRN_CPU is {cpu!r}: expected 'baseline' or 'v3'")
    Engine = core.Engine
    LegalMoves = core.LegalMoves
    Moments = core.Moments
    SeatedGame = core.SeatedGame

__all__ = ["Engine", "LegalMoves", "Moments", "SeatedGame", "core", "cpu"]
