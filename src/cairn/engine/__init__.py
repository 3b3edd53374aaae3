"""The computer player, and the text protocol that lets any program drive it.

``open_engine`` creates an :class:`Engine` from a short text. Its method ``play`` chooses a token, and ``analyse``
yields search results. ``Protocol`` answers the commands of the text protocol, and ``serve`` connects it to two streams.
"""

from cairn.engine.counting import divide as divide
from cairn.engine.counting import perft as perft
from cairn.engine.engine import Analysis as Analysis
from cairn.engine.engine import Engine as Engine
from cairn.engine.engine import EngineError as EngineError
from cairn.engine.engine import IllegalPlayError as IllegalPlayError
from cairn.engine.engine import Line as Line
from cairn.engine.engine import Played as Played
from cairn.engine.external import ExternalEngine as ExternalEngine
from cairn.engine.levels import LEVELS as LEVELS
from cairn.engine.levels import Level as Level
from cairn.engine.limits import Clock as Clock
from cairn.engine.limits import Limit as Limit
from cairn.engine.native import NativeEngine as NativeEngine
from cairn.engine.protocol import Protocol as Protocol
from cairn.engine.random_player import RandomEngine as RandomEngine
from cairn.engine.score import Score as Score
from cairn.engine.serve import serve as serve
from cairn.engine.spec import open_engine as open_engine
from cairn.engine.stopper import Stopper as Stopper
