"""A single game without I/O: its events, state, clocks, seats and commands. Imports no other server package."""
