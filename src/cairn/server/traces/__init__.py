"""Traces: one line for every command and every change, and what clients did in the last minutes."""
