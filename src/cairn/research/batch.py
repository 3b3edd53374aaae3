"""Many games at once, played in the native core.

>>> batch = Batch(3, variant="expert", seed=1)
>>> frame = batch.step_random()
>>> frame.observations.shape, frame.masks.shape
((3, 730), (3, 3672))
>>> frame = batch.step(frame.legal[:, 0])      # the first legal token of each game
>>> frame.rewards.tolist()
[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
"""

from __future__ import annotations

import enum
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from cairn._native import core
from cairn.notation import read_position
from cairn.research.encoding import Array, IllegalActionError
from cairn.vocabulary import Variant

EVERY_VARIANT: Final = "all"
ILLEGAL_REWARD: Final = -0.1
"""The reward of a tribe that makes an illegal choice in an environment that is not strict."""


class Autoreset(enum.Enum):
    """What happens to a game after its end."""

    NEXT_STEP = "NextStep"
    """The next step ignores the game's choice and deals a new game."""
    SAME_STEP = "SameStep"
    """The step that ends the game deals a new one. ``Frame.final_observations`` has the end."""
    DISABLED = "Disabled"
    """The game stays as it is until :meth:`Batch.reset_games`."""


Output: TypeAlias = Literal["observations", "masks", "bits"]
_OUTPUTS: Final[dict[str, int]] = {"observations": 1, "masks": 2, "bits": 4}


class Frame(NamedTuple):
    """The results of a step, with a row for each game. The step after the next one overwrites them.

    The arrays are read-only. They are views of the core's memory, so they can be passed on without a copy, for example
    with ``torch.from_dlpack``.
    """

    observations: Array
    """``uint8``, 730 to a game: the moment as its decider sees it. At a draw and after the end of a game, as the active
    tribe sees it. ``None`` if it was left out, like the next three."""
    final_observations: Array
    """The same for the games that ended in this step; only with ``Autoreset.SAME_STEP``."""
    masks: Array
    """``bool``, 3,672 to a game: whether the token is legal."""
    bits: Array
    """``uint64``, 58 to a game: the same, with 64 tokens to a word."""
    legal: Array
    """``int16``, 256 to a game: the numbers of the legal tokens in no particular order, then -1."""
    counts: Array
    """``int16``: the number of legal tokens; 0 after the end of a game."""
    choices: Array
    """``int16``: the token that this step played; -1 if it played none."""
    deciders: Array
    """``uint8``: 0 Forest, 1 Sea, 2 chance, 3 nobody."""
    rewards: Array
    """``float32``, 2 to a game: Forest's and Sea's. 1 for a win, -1 for a loss, otherwise 0."""
    terminations: Array
    """``bool``: whether this step ended the game."""
    truncations: Array
    """``bool``: whether the game has become too long."""
    illegal: Array
    """``bool``: whether the choice was illegal and therefore ignored."""


_FLAGS: Final = {"masks", "terminations", "truncations", "illegal"}


class Batch:
    """``games`` games that are stepped together.

    All randomness comes from ``seed``: each game has its own generator, so the number of threads changes nothing.
    There are two frames, which the steps fill in turn. While you use one of them, the core can already fill the other.
    """

    def __init__(  # noqa: PLR0913  # settings, all but one by keyword
        self,
        games: int,
        *,
        variant: Variant | str = Variant.STANDARD,
        seed: int = 0,
        threads: int = 1,
        autoreset: Autoreset = Autoreset.NEXT_STEP,
        outputs: tuple[Output, ...] = ("observations", "masks"),
        longest_game: int = 0,
        chooses_draws: bool = False,
        strict: bool = True,
        illegal_reward: float = ILLEGAL_REWARD,
    ) -> None:
        """Deal all games.

        ``variant`` may be ``"all"``: game i then plays the variant i % 3. Games with more than ``longest_game`` tokens
        are truncated, unless it is 0. With ``chooses_draws``, the caller also chooses the tiles that are drawn.

        An illegal choice raises :class:`~cairn.research.encoding.IllegalActionError` if ``strict``, and nothing
        changes in any game. Otherwise it changes nothing in that game, which goes on, and costs ``illegal_reward``.
        """
        unknown = set(outputs) - _OUTPUTS.keys()
        if unknown:
            raise ValueError(f"expected outputs among {', '.join(_OUTPUTS)}, not {', '.join(sorted(unknown))}")
        variants = list(Variant)
        self.games: Final = games
        self._core: Final = core.Batch(
            games,
            seed,
            len(variants) if variant == EVERY_VARIANT else variants.index(Variant(variant)),
            list(Autoreset).index(autoreset),
            sum({_OUTPUTS[output] for output in outputs}),
            threads,
            longest_game,
            chooses_draws,
            strict,
            illegal_reward,
        )
        self._frames: Final = tuple(self._views(number) for number in (0, 1))

    @property
    def frame(self) -> Frame:
        """The results of the last step or reset."""
        return self._frames[self._core.front]

    def reset(self, seed: int) -> Frame:
        """Deal all games anew."""
        self._core.reset(seed)
        return self.frame

    def reset_games(self, chosen: Array) -> Frame:
        """Deal the chosen games anew and leave the others as they are. ``chosen`` has a truth value for each game."""
        self._core.reset_games(np.ascontiguousarray(chosen, np.uint8))
        return self.frame

    def place(self, game: int, position: str) -> None:
        """Start a game from a position. This changes the current frame."""
        try:
            placed = self._core.place(game, position)
        except ValueError:
            read_position(position)  # raises an error that lists the faults
            raise
        if not placed:
            raise ValueError(f"the game would be over at once: {position}")

    def step(self, choices: Array) -> Frame:
        """Play a token in every game. ``choices`` has a number for each game; finished games ignore it."""
        illegal = self._core.step(np.ascontiguousarray(choices, np.int32))
        if illegal >= 0:
            number = int(choices[illegal])
            raise IllegalActionError(f"game {illegal}: {number} is not legal at {self._core.position(illegal)}")
        return self.frame

    def step_random(self) -> Frame:
        """Play a random legal token in every game. The core chooses, which is much faster."""
        self._core.step_random()
        return self.frame

    def position(self, game: int) -> str:
        """The current position of a game, as text."""
        return self._core.position(game)

    def key(self, game: int) -> int:
        """A number that identifies the current moment of a game, as :attr:`cairn.Board.key`."""
        return self._core.key(game)

    def token(self, game: int, number: int) -> str:
        """The token that a number stands for in a game, as text; empty if it stands for none."""
        return self._core.token(game, number)

    def tokens(self, game: int) -> int:
        """How many tokens have been played in the current game, including draws."""
        return self._core.tokens(game)

    def _views(self, number: int) -> Frame:
        arrays = zip(Frame._fields, self._core.frame(number), strict=True)
        return Frame(*(_view(name, array) for name, array in arrays))


def _view(name: str, array: object) -> Array:
    if array is None:
        return None
    view = np.from_dlpack(array)
    return view.view(np.bool_) if name in _FLAGS else view
