"""Puzzles: positions in which exactly one decision is right, with a proof.

``puzzle`` defines a puzzle and reads the set that is part of the package. ``themes`` says what a solution shows.
``mining`` finds puzzles in games of the engine against itself, ``shards`` runs it on many processors, and
``selection`` fills the set. ``proof`` proves the puzzles a second time, and ``trial`` rates them by letting the levels
of the computer try them.
"""

from cairn.puzzles.puzzle import Goal as Goal
from cairn.puzzles.puzzle import Puzzle as Puzzle
from cairn.puzzles.puzzle import Theme as Theme
from cairn.puzzles.puzzle import line_of as line_of
from cairn.puzzles.puzzle import read_puzzles as read_puzzles
from cairn.puzzles.puzzle import released as released
from cairn.puzzles.puzzle import write_puzzles as write_puzzles
