"""The load tests that ``tools/prove_online.py`` runs, one per module, and their test servers and clients."""
