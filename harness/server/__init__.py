"""Real servers, simulated users and fault injection, for quick and long-running tests."""
