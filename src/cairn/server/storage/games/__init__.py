"""The game repository, its row types, and lists of games."""
