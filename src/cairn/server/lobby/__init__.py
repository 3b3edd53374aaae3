"""Challenges, chat and bot event streams. Imports ``live``, ``players`` and their dependencies."""
