"""The command line: one file for each command, without logic of its own.

Commands import what they need when they run, so that each starts fast.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from cairn.cli.app import app

    app()
