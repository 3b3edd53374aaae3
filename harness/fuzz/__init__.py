"""Targets, seeds and mutations for fuzzing."""
