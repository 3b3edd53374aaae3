"""Runs the web application with uvicorn."""
