"""The web application: routes, middleware, sockets, static files. Only this package imports FastAPI."""
