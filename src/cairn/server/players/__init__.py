"""Guests, accounts and bots: sessions, names, passwords and limits. Imports ``storage`` and ``messages``."""
