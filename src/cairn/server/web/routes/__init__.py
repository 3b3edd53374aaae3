"""The HTTP and WebSocket endpoints, one file per noun. They parse the request, call a service and return its result."""
