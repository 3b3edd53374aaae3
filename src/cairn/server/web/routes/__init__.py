"""The HTTP and WebSocket endpoints, by subject. They parse the request, call a service and return its result."""
