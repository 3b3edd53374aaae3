"""The computer player, and the text protocol through which any program can drive it.

``player`` chooses a token; ``limits`` and ``options`` are what it is told beforehand. ``protocol`` is a skin over them
that turns a line into lines, and ``serve`` connects it to two streams.
"""

from cairn.engine.counting import divide as divide
from cairn.engine.counting import perft as perft
from cairn.engine.player import choose_at_random as choose_at_random
from cairn.engine.protocol import Protocol as Protocol
from cairn.engine.serve import serve as serve
