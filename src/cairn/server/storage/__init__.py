"""Repositories, one per noun, backed by SQLite or PostgreSQL. Imports ``game``, but no messages and no framework."""
