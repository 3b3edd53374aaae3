"""Repositories, one per noun, over SQLite or PostgreSQL. Imports ``game``; knows no messages and no framework."""
