"""ASGI middleware: checks on requests before routing, and headers for responses."""
