"""What `tools/prove_online.py` is made of: players who need no rules, servers of their own, and one module a proof."""
