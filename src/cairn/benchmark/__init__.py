"""The benchmark for engines: 1,000 proven positions, and the ten levels as opponents.

``positions`` counts how many of the positions an engine solves. ``ladder`` lets it play the levels and gives it a
rating on their scale. docs/data.md has the protocol and the results of baselines.
"""

from cairn.benchmark.ladder import LadderResult as LadderResult
from cairn.benchmark.ladder import ladder_settings as ladder_settings
from cairn.benchmark.ladder import rate as rate
from cairn.benchmark.ladder import result_of as result_of
from cairn.benchmark.positions import PositionsResult as PositionsResult
from cairn.benchmark.positions import positions as positions
from cairn.benchmark.positions import solve_all as solve_all
