"""Repositories, one per noun, over SQLite or PostgreSQL. Imports ``game``, but no messages and no framework."""
