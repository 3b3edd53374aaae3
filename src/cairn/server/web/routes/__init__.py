"""The HTTP and WebSocket endpoints, one file per noun. They parse, call a service and return its answer."""
