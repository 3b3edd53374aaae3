"""The repository of games, the rows that they are stored in, and lists of games."""
