"""Traces: one line for every command and every change, and client activity in the last few minutes."""
