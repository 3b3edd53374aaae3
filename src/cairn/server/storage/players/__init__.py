"""The player repository, the rows in which players are stored, and their deletion."""
