"""The loop between two streams and the protocol."""

from __future__ import annotations

import threading
from typing import BinaryIO, Final

from cairn.engine.protocol import LONGEST_LINE, Protocol


class _Answers:
    """The stream of answers, written to by the loop and by searches."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream: Final = stream
        self._writing: Final = threading.Lock()
        self.unheard = False
        """Whether nobody listens any more."""

    def send(self, line: str) -> None:
        with self._writing:
            if not self.unheard:
                try:
                    self._stream.write(line.encode("utf-8", errors="backslashreplace") + b"\n")
                    self._stream.flush()
                except BrokenPipeError:
                    self.unheard = True


def serve(commands: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of ``commands`` on ``answers``, until ``quit``, the end of input, or nobody listens any more."""
    output = _Answers(answers)
    protocol = Protocol(output.send)
    try:
        while not protocol.over and not output.unheard and (line := commands.readline(LONGEST_LINE + 2)):
            for answer in protocol.answer(line):
                output.send(answer)
            while not line.endswith(b"\n") and line:  # the rest of a line that was too long, or the end of input
                line = commands.readline(LONGEST_LINE)
    finally:
        protocol.close()
