"""The conversation in the documentation of the protocol is real."""

from __future__ import annotations

import re
import time
from pathlib import Path

from cairn.engine import Protocol


def test_the_conversation_in_the_protocol_document_is_real(repository: Path) -> None:
    """An ellipsis in the document stands for output that depends on the search weights."""
    text = (repository / "docs" / "protocol.md").read_text(encoding="utf-8")
    shown = [line.strip() for line in text.partition("    > ")[2].partition("\n\n")[0].splitlines()]
    received: list[str] = []
    protocol = Protocol(received.append)
    sent = 0
    for line in (f"> {shown[0]}", *shown[1:]):
        if line.startswith("> "):
            assert not received
            received += protocol.answer(line.removeprefix("> ").encode())
            sent += 1
            continue
        for _ in range(500):
            if received:
                break
            time.sleep(0.01)
        assert re.fullmatch(re.escape(line).replace("…", ".+"), received.pop(0))
    protocol.close()
    assert (received, sent) == ([], 3)
