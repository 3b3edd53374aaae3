"""Delivers messages to the sockets of this process and of other processes. Imports ``messages`` and ``storage``."""
