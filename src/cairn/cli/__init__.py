"""The command line: one file for each command, and no logic in any of them.

What a command needs is imported when it runs, so that every command starts fast.
"""

from __future__ import annotations


def main() -> None:
    """Run the command that the arguments name."""
    from cairn.cli.app import app

    app()
