"""``cairn engine``."""

from __future__ import annotations

import os
import sys

import typer


def engine() -> None:
    """Speak the engine protocol, for other programs.

    It reads commands from standard input and answers on standard output; docs/protocol.md says what can be said.
    """
    from cairn.engine import serve

    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise typer.Exit from None
    except BrokenPipeError:
        # Nobody listens any more; Python would try to flush once more on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
