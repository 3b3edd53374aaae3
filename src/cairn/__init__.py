"""Cairn, the board game: exact rules, notation, a fast board, games and drawings.

>>> import cairn
>>> board = cairn.Board.start("beginner", seed=1)
>>> board.push(board.legal_moves[0])
"""

from typing import TYPE_CHECKING

from cairn.board import Board as Board
from cairn.game import Game as Game
from cairn.notation import read_position as read_position
from cairn.notation import read_token as read_token
from cairn.notation import write_position as write_position
from cairn.record import Record as Record
from cairn.record import read_record as read_record
from cairn.record import write_record as write_record
from cairn.vocabulary import CHANCE as CHANCE
from cairn.vocabulary import FOREST as FOREST
from cairn.vocabulary import MEGALITHS as MEGALITHS
from cairn.vocabulary import SEA as SEA
from cairn.vocabulary import CairnError as CairnError
from cairn.vocabulary import Fault as Fault
from cairn.vocabulary import GameOverError as GameOverError
from cairn.vocabulary import IllegalTokenError as IllegalTokenError
from cairn.vocabulary import MalformedError as MalformedError
from cairn.vocabulary import Megalith as Megalith
from cairn.vocabulary import Outcome as Outcome
from cairn.vocabulary import Phase as Phase
from cairn.vocabulary import Reason as Reason
from cairn.vocabulary import Setup as Setup
from cairn.vocabulary import Token as Token
from cairn.vocabulary import Tribe as Tribe
from cairn.vocabulary import Variant as Variant

if TYPE_CHECKING:
    __version__: str
    """The version of the installed package."""
else:

    def __getattr__(name: str) -> str:
        """Look up ``__version__`` on demand and only once, because parsing the package's metadata is slow."""
        if name == "__version__":
            from importlib import metadata

            return globals().setdefault(name, metadata.version("cairn-game"))
        raise AttributeError(f"module 'cairn' has no attribute {name!r}")
