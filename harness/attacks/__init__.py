"""Attacks on a real server on this machine, and their effect on a game in progress."""
