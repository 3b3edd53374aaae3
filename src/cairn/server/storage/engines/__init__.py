"""The database behind the repositories: connections, transactions, and the path that stores a command."""
