"""Challenges, chat and the event streams of bots. Imports ``live``, ``players`` and their dependencies."""
