"""The game repository, the rows in which games are stored, and lists of games."""
