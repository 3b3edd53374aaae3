"""Code shared by tests and tools: comparing the rules, test vectors, fuzzing, servers with players, load.

It imports neither tests nor tools. Tests run it for seconds, tools such as ``tools/prove_rules.py`` for hours.
"""
