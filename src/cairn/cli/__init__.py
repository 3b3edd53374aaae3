"""The command line: one file per command. The commands contain no logic.

Commands import their dependencies when they run, so that each command starts fast.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    import sys

    from cairn.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        if not stream.encoding.lower().startswith("utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # messages contain characters that such a terminal cannot show

    app()


def play_or_run() -> None:
    """Run the command line; without arguments, play in the terminal. This makes ``pipx run cairn-game`` play."""
    import sys

    if len(sys.argv) == 1:
        sys.argv.append("play")
    main()
