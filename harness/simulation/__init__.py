"""The whole server on virtual time: several instances, one database, players and faults, all from one seed.

Everything that could differ between two runs is behind a seam: time (:mod:`harness.simulation.loop`), randomness, the
network (:mod:`harness.simulation.network`), and the database (:mod:`harness.simulation.database`). A seed that breaks
an invariant therefore breaks it again, at the same step.
"""
