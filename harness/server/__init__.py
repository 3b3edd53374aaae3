"""Real servers, the people who use them, and failures to inject: for tests and for long proofs."""
