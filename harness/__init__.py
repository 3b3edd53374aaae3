"""Code shared by tests and tools: rule comparison, test vectors, fuzzing, test servers and players, load proofs.

It imports neither tests nor tools. Tests run it for seconds, tools such as ``tools/prove_rules.py`` for hours.
"""
