"""Real servers, the people who use them, and what may go wrong: for tests and for long proofs."""
