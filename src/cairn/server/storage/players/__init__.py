"""The player repository, its row types, and the deletion of players."""
