"""Optional speed-ups. The server is correct without them (``Settings.speedups``).

They depend on internals of uvicorn and websockets, so ``pyproject.toml`` pins their versions. ``docs/methods.md`` says
how much each speed-up gains.
"""
