"""Numbers for tokens, observations, and many games at once."""

from cairn._stubs.moments import Moments
from cairn.vocabulary import Token

ENCODING_VERSION: int
"""The version of the numbers of tokens and of observations; see :mod:`cairn.research.encoding`."""
ACTION_COUNT: int
"""Tribes choose tokens with numbers below this one; the draws follow."""
CHOICE_COUNT: int
"""The size of each of the three blocks of choices."""

def token_groups() -> list[tuple[str, int, int]]:
    """The name, the first number and the size of each group of tokens."""

def observation_groups() -> list[tuple[str, int, int]]:
    """The name, the first index and the size of each group of an observation."""

def legal_ids(moments: Moments) -> list[int]:
    """The numbers of the legal tokens, in ascending order."""

def legal_mask(moments: Moments) -> bytearray:
    """A byte for each number: 1 if the token is legal, otherwise 0."""

def id_of(moments: Moments, token: object) -> int | None:
    """The number of a token, or ``None`` if it is not legal."""

def token_of(moments: Moments, number: int) -> Token | None:
    """The token with this number, or ``None`` if it is not legal."""

def push_id(moments: Moments, number: int) -> bool:
    """Play the token with this number. Return false, and change nothing, if it is not legal."""

def observe(moments: Moments, viewer_number: int) -> bytearray:
    """The observation of a moment by Forest (0) or Sea (1)."""

class Batch:
    """Many games at once; :class:`cairn.research.batch.Batch` documents it."""

    def __init__(
        self,
        games: int,
        seed: int,
        variant: int,
        autoreset: int,
        outputs: int,
        threads: int,
        longest_game: int,
        chooses_draws: bool,
        is_strict: bool,
        illegal_reward: float,
    ) -> None:
        """Deal all games. ``variant`` is 3 for all variants in turn; ``autoreset`` and ``outputs`` are as in batch.h.

        Raises ``ValueError`` if a setting is out of range.
        """

    def frame(self, number: int) -> tuple[object, ...]:
        """The arrays of one of the two frames, in the order of ``Frame`` in batch.h; ``None`` if it was left out.

        The arrays support DLPack and the buffer protocol. They are read-only and keep the batch alive.
        """

    @property
    def front(self) -> int:
        """The number of the frame with the latest results."""

    def reset(self, seed: int) -> None:
        """Deal all games anew. Releases the GIL."""

    def reset_games(self, chosen: object) -> None:
        """Deal the games anew for which the byte in ``chosen`` is not 0. Releases the GIL."""

    def place(self, game: int, text: str) -> bool:
        """Start a game from a position. Return false if the game would be over at once."""

    def step(self, ids: object) -> int:
        """Play a token in every game. Return -1, or the number of the first game with an illegal choice.

        ``ids`` is an array of 32-bit integers. In the second case, nothing changes. Releases the GIL.
        """

    def step_random(self) -> None:
        """Play a random legal token in every game. Releases the GIL."""

    def position(self, game: int) -> str:
        """The current seven fields of a game."""

    def key(self, game: int) -> int:
        """The key of the current moment of a game, as :attr:`Moments.key`."""

    def token(self, game: int, number: int) -> str:
        """The token that a number stands for in a game, legal or not; empty if it stands for none."""

    def tokens(self, game: int) -> int:
        """The number of tokens played in the current game, including draws."""
