"""The arena: engines play each other in pairs of games, and statistics compare their strength.

``settings`` defines the games, and ``start`` their start positions and draws. ``match`` plays a game inside a
``worker``. ``pool`` runs worker processes (``worker_process``) on this machine, and ``ray_pool`` on a Ray cluster.
``journal`` stores finished games, and ``standings`` counts them. ``elo``, ``sprt`` and ``rating`` do the statistics.
``tournament`` runs the whole arena.
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
