"""The Svelte example in the board's README compiles. tests/e2e/test_board_demo.py runs its other examples."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

COMPILE = """
import { compile } from "svelte/compiler";
let source = "";
for await (const part of process.stdin) source += part;
const { warnings } = compile(source, { filename: "Example.svelte" });
console.log(JSON.stringify(warnings.map((each) => each.message)));
"""


def test_the_svelte_example_compiles(repository: Path) -> None:
    readme = (repository / "web" / "board" / "README.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```svelte\n(.*?)```", readme, re.DOTALL)
    node = Path(sys.executable).with_name("node")
    ran = subprocess.run(
        [node, "--input-type=module", "--eval", COMPILE],
        input=source,
        cwd=repository / "web",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.strip(), ran.stderr) == (0, "[]", "")
