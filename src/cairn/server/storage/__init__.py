"""Repositories for each kind of data, on SQLite or PostgreSQL. Imports ``game``, but no messages and no framework."""
