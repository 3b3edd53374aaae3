"""Traces: a line for every command and every change, and the client activity of the last few minutes."""
