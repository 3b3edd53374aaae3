"""The database behind the repositories: connections, transactions, and the write path for commands."""
