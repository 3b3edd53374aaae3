"""The proofs that ``tools/prove_online.py`` runs, one per module, and the servers and players that they use."""
