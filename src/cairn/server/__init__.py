"""The game server: an authority that decides everything about a game, its storage, and the web API."""
