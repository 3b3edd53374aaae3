"""Optional speed tricks. The server is correct without them (``Settings.speedups``).

They depend on internals of uvicorn and websockets, whose versions ``pyproject.toml`` pins for that reason.
``docs/load.md`` has what they bring.
"""
