"""The web application: routes, middleware, sockets and static files. Only this package imports FastAPI."""
