"""Guests, accounts and bots: sessions, names, passwords, limits. Imports ``storage`` and ``messages``."""
