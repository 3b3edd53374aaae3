"""Write the OpenAPI description, from which the web app's types are generated.

python -m cairn.server.web.openapi build/openapi.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cairn.server.web.app import create_app


def description() -> str:
    """The OpenAPI description as deterministic JSON."""
    return json.dumps(create_app().openapi(), indent=2, sort_keys=True) + "\n"


def main(arguments: list[str]) -> int:
    """Write the description to the given file, or print it."""
    if len(arguments) > 1:
        print("usage: python -m cairn.server.web.openapi [FILE]", file=sys.stderr)
        return 2
    if not arguments:
        print(description(), end="")
        return 0
    Path(arguments[0]).write_text(description(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
