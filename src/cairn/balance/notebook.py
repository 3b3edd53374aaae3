"""The notebook of the report, which reads the Parquet files beside it, so that you can look further."""

from __future__ import annotations

from importlib import resources
from typing import Final

FILE: Final = "balance.ipynb"
_STYLE: Final = (
    "<style>.chart .grid{stroke:#ddd}.chart .reference{stroke:#888;stroke-dasharray:4 3}.chart text{font-size:13px}"
    ".chart .interval{stroke:#2f6b4f;stroke-width:2}.chart .dot{fill:#2f6b4f}.chart .line{fill:none;stroke-width:2}"
    ".chart .line-0{stroke:#2f6b4f}.chart .line-1{stroke:#c9b06b}.chart .line-2{stroke:#3b6ea5}"
    ".chart .share-0{fill:#2f6b4f}.chart .share-1{fill:#7fae8f}.chart .share-2{fill:#c9b06b}"
    ".chart .share-3{fill:#3b6ea5}</style>"
)


class Picture:
    """A chart that a notebook displays."""

    def __init__(self, svg: str) -> None:
        self._svg: Final = svg

    def _repr_html_(self) -> str:
        return _STYLE + self._svg


def show(svg: str) -> Picture:
    """A chart as the value of a cell, with its colours."""
    return Picture(svg)


def write_notebook() -> str:
    """The notebook, without outputs."""
    return (resources.files("cairn.balance") / FILE).read_text(encoding="utf-8")
