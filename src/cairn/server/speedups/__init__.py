"""Optional speed-ups. The server is correct without them (``Settings.speedups``).

They depend on internals of uvicorn and websockets, whose versions ``pyproject.toml`` pins for that reason.
``docs/methods.md`` says how much each of them gains.
"""
