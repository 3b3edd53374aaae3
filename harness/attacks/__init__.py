"""Attacks on a real server on this machine, and what they do to a game that is played beside them."""
