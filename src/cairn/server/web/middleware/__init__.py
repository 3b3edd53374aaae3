"""ASGI middleware: checks of a request before routing, and headers of the response."""
