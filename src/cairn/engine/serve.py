"""The loop between two streams and the protocol."""

from __future__ import annotations

from typing import BinaryIO

from cairn.engine.protocol import LONGEST_LINE, Protocol


def serve(commands: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of ``commands`` on ``answers``, until ``quit``, the end of input, or nobody listens any more."""
    protocol = Protocol()
    try:
        while not protocol.over and (line := commands.readline(LONGEST_LINE + 2)):
            for answer in protocol.answer(line):
                answers.write(answer.encode("utf-8", errors="backslashreplace") + b"\n")
                answers.flush()
            while not line.endswith(b"\n") and line:  # the rest of a line that was too long, or the end of input
                line = commands.readline(LONGEST_LINE)
    except BrokenPipeError:
        return
