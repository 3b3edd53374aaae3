"""The WebAssembly core in a Node process, for tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.wasm.module import MODULE, why_not_built

REPOSITORY = Path(__file__).parents[2]
Request = dict[str, Any]


class WasmCore:
    """The core in a Node process. Skips the test if the core is not built."""

    def __init__(self) -> None:
        if reason := why_not_built():
            pytest.skip(reason)
        node = Path(sys.executable).with_name("node")
        script = REPOSITORY / "tests" / "web" / "replay_core.ts"
        self._command = [str(node), "--disable-warning=ExperimentalWarning", str(script), str(MODULE)]

    def ask(self, requests: list[Request]) -> list[Any]:
        """Send requests to the core and return its answer to each."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        ran = subprocess.run(self._command, input=lines, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        answers = [json.loads(line) for line in ran.stdout.splitlines()]
        assert len(answers) == len(requests)
        return answers

    def call(self, *calls: list[Any]) -> list[Any]:
        """Call methods of a new ``LocalGame`` and return the result of each call."""
        (results,) = self.ask([{"calls": [*calls]}])
        assert isinstance(results, list)
        return results
