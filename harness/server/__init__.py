"""Real servers, simulated users and fault injection, for tests and long proofs."""
