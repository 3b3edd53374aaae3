"""Checks whether the server can store games, and which stored games are damaged."""
