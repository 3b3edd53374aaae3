"""Attacks on a real server on this machine, and how they affect a game that is played at the same time."""
