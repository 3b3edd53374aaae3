"""Run the web application with uvicorn."""
