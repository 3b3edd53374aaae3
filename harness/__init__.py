"""Code shared by tests and tools: rule comparison, test vectors, fuzzing, test servers and clients, load generation.

This package imports neither tests nor tools. Tests run its code for seconds; the long-running tests
(``tools/prove_*.py``) run it for hours.
"""
