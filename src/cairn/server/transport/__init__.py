"""Deliver messages to the sockets of this and other processes. Imports ``messages`` and ``storage``."""
