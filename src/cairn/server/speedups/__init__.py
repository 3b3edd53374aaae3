"""Optional speed-ups. The server also works without them (``Settings.speedups``).

The speed-ups depend on internals of uvicorn and websockets, so ``pyproject.toml`` pins the versions of these packages.
``docs/methods.md`` says how much each speed-up gains.
"""
