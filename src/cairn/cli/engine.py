"""``cairn engine``."""

from __future__ import annotations

import os
import sys

import typer


def engine() -> None:
    """Run the engine protocol, for other programs.

    Reads commands from standard input and answers on standard output; see docs/protocol.md.
    """
    from cairn.engine import serve

    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise typer.Exit from None
    except BrokenPipeError:
        # The reader has closed the pipe. Redirect the output, because Python flushes it again at exit and would fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
