"""Run the whole server in virtual time: several instances, one database, players and faults, all from one seed.

Everything that could differ between two runs is behind an interface that the simulation replaces: time
(:mod:`harness.simulation.loop`), randomness, the network (:mod:`harness.simulation.network`), and the database
(:mod:`harness.simulation.database`). If a seed violates an invariant, it therefore does so on every run, at the same
step.
"""
