"""The command line: one file per command. The commands contain no logic.

Commands import their dependencies when they run, so that each command starts fast.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from cairn.cli.app import app

    app()
