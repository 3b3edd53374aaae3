"""Code that tests and tools share: implementations of the rules side by side, vectors, comparison, fuzzing.

It imports neither tests nor tools. Tests run it for seconds, tools such as ``tools/prove_rules.py`` for hours.
"""
