"""The explorer: what was played at a moment, how it scored, and how the megaliths perform.

``tally`` counts wins, draws and losses. ``walk`` lists the decisions of a game. Two moments are the same to the
explorer if their boards look the same: the same shamans, megaliths on the field, faces, scores and tokens of this turn,
also mirrored or with the tribes swapped. The upcoming megaliths and the deck are not compared. At the start of a turn,
the megaliths on the field can be left out too. ``table`` adds games up
by moment; the package contains the table of games that the engine played against itself, and ``self_play`` makes it.
The server has a table of its own games in its database.
"""

from cairn.explorer.table import Exploration as Exploration
from cairn.explorer.table import Explored as Explored
from cairn.explorer.table import ExplorerTable as ExplorerTable
from cairn.explorer.table import MegalithResults as MegalithResults
from cairn.explorer.table import released as released
from cairn.explorer.tally import Tally as Tally
