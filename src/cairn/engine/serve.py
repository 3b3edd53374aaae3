"""Connect the protocol to two streams."""

from __future__ import annotations

import threading
from typing import BinaryIO, Final

from cairn.engine.protocol import LONGEST_LINE, Protocol


class _Answers:
    """The output stream, shared by the loop and by searches."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream: Final = stream
        self._writing: Final = threading.Lock()
        self.is_closed = False
        """Whether the reader has closed the stream."""

    def send(self, line: str) -> None:
        with self._writing:
            if not self.is_closed:
                try:
                    self._stream.write(line.encode("utf-8", errors="backslashreplace") + b"\n")
                    self._stream.flush()
                except BrokenPipeError:
                    self.is_closed = True


def serve(commands: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of ``commands`` on ``answers`` until ``quit`` is received or one of the streams is closed."""
    output = _Answers(answers)
    protocol = Protocol(output.send)
    try:
        while not protocol.over and not output.is_closed and (line := commands.readline(LONGEST_LINE + 2)):
            for answer in protocol.answer(line):
                output.send(answer)
            while not line.endswith(b"\n") and line:  # skip the rest of a line that was too long
                line = commands.readline(LONGEST_LINE)
    finally:
        protocol.close()
