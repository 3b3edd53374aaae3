"""The game server: storage, the web API, and an authority that decides everything about a game."""
