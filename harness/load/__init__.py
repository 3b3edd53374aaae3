"""What ``tools/prove_online.py`` runs: players who know no rules, servers of their own, one module per proof."""
