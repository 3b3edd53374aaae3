"""The arena: engines play each other on paired starts, and statistics say what came of it.

``settings`` say what is played, ``start`` where a game begins and what it draws; ``match`` plays it, in a ``worker``
process at a ``seat`` of a ``pool``, here or on a Ray cluster (``ray_pool``). ``journal`` keeps what was finished,
``standings`` count it; ``elo``, ``sprt`` and ``rating`` are the mathematics. ``tournament`` puts it all together.
"""

from cairn.arena.pool import play_here as play_here
from cairn.arena.ray_pool import play_on_ray as play_on_ray
from cairn.arena.records import read_games as read_games
from cairn.arena.result import GameResult as GameResult
from cairn.arena.settings import ArenaError as ArenaError
from cairn.arena.settings import ArenaSettings as ArenaSettings
from cairn.arena.settings import Job as Job
from cairn.arena.sprt import Sprt as Sprt
from cairn.arena.sprt import SprtVerdict as SprtVerdict
from cairn.arena.standings import Standings as Standings
from cairn.arena.tournament import run as run
