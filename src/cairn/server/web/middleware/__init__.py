"""ASGI middleware: checks requests before routing, and adds headers to responses."""
