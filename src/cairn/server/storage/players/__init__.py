"""The repository of players, the rows that they are stored in, and their deletion."""
