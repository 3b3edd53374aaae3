"""Challenges, chat and waiting bots. Imports ``live``, ``players`` and what they import."""
