"""Compares the rulebook with the native core on random games."""
